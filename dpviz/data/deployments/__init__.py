"""Public deployments of differential privacy: facts, one YAML file each, and their reader.

The files keep to the schema of the OpenDP community's registry (MIT licence), in our own words.
"""

from dpviz.data.deployments.deployment import LOCAL_MODELS, UNIT_GROUPS, Deployment, unit_group
from dpviz.data.deployments.registry_files import (
    ENDINGS,
    LICENCE,
    public_deployments,
    read_deployment,
    read_deployment_folder,
    read_deployment_upload,
)

__all__ = [
    "ENDINGS",
    "LICENCE",
    "LOCAL_MODELS",
    "UNIT_GROUPS",
    "Deployment",
    "public_deployments",
    "read_deployment",
    "read_deployment_folder",
    "read_deployment_upload",
    "unit_group",
]
