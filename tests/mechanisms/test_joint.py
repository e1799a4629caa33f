"""Joint selection over sets and over lists: its contract and its vectors."""

from dpviz.mechanisms.joint import JointExponential
from tests.contract import MechanismContract


class TestJointOverSets(MechanismContract):
    examples = [JointExponential(epsilon=e, k=k) for e, k in ((2.0, 2), (0.5, 3), (3.0, 1))]
    vector_name = "joint_sets"
    tolerance = 1e-9


class TestJointOverSequences(MechanismContract):
    examples = [JointExponential(epsilon=e, k=k, over="sequences") for e, k in ((2.0, 2), (0.5, 3), (3.0, 1))]
    vector_name = "joint_sequences"
    vector_fixed = {"over": "sequences"}
    tolerance = 1e-9
