"""A mechanism's key never changes, as stored sweeps are found by it."""

import pytest

from dpviz import CANDIDATES, GAPS, THRESHOLD, TOP_K, TOP_ONE
from tests.test_seeds import made

KEYS = {
    "canonical": "canonical(epsilon=1.0,gamma=0.5,k=2,noise='gumbel')",
    "one_shot": "one_shot(epsilon=1.0,k=2,noise='gumbel')",
    "peeling": "peeling(epsilon=1.0,k=2,noise='gumbel')",
    "joint": "joint(epsilon=1.0,k=2,over='sets')",
    "gaussian_counts": "gaussian_counts(delta=1e-06,epsilon=1.0,k=2)",
    "limited_domain": "limited_domain(candidates=0,delta=1e-06,epsilon=4.0,k=2)",
    "threshold_counts": "threshold_counts(delta=1e-06,epsilon=4.0,k=2,noise='laplace')",
    "noisy_top_k_with_gap": "noisy_top_k_with_gap(epsilon=1.0,k=2)",
    "sparse_vector": (
        "sparse_vector(epsilon=1.0,k=2,monotonic=False,split='optimal',threshold=0.5)"
    ),
    "adaptive_sparse_vector": (
        "adaptive_sparse_vector(epsilon=1.0,k=2,monotonic=False,split='optimal',threshold=0.5)"
    ),
    "large_margin": "large_margin(delta=1e-06,epsilon=1.0)",
    "noisy_max": "noisy_max(delta=1e-06,epsilon=1.0,noise='gumbel')",
    "generalised_exponential": "generalised_exponential(beta=0.05,delta=1e-06,epsilon=1.0)",
    "instability": "instability(delta=1e-06,epsilon=4.0)",
    "known_threshold": "known_threshold(epsilon0=0.1,limit=300,stop=0.01,threshold=0.5)",
    "random_stopping": "random_stopping(limit=None,stop=0.01)",
    "negative_binomial": "negative_binomial(shape=0.0,stop=0.01)",
    "poisson": "poisson(delta=1e-06,mean=20.0)",
}
MENUS = (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES)
MECHANISMS = {name: menu[name] for menu in MENUS for name in menu}


@pytest.mark.parametrize("name", KEYS)
def test_the_key_of_a_mechanism_is_the_one_it_had(name: str) -> None:
    assert made(MECHANISMS[name]).key == KEYS[name]
