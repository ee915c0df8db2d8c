"""What kustomize makes of the folders below k8s/, as `kubectl apply -k` would send it."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
K8S: Final = ROOT / "k8s"
OVERLAYS: Final = ("overlays/dev", "overlays/production", "overlays/cluster")
FOLDERS: Final = ("base", *OVERLAYS)
REFEREE: Final = "referee"
CONTROLLERS: Final = ("Deployment", "StatefulSet", "Job")

Manifest = dict[str, Any]


def rendered(folder: str) -> list[Manifest]:
    """All that a folder below k8s/ makes. Skips the test where there is no kubectl."""
    return built(K8S / folder)


@cache
def built(folder: Path) -> list[Manifest]:
    """All that a folder makes, to look at only. Skips the test where there is no kubectl."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl is not installed, and kustomize is a part of it")
    made = subprocess.run(
        [kubectl, "kustomize", str(folder)], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    # Warnings, such as of a field that is going away.
    assert not made.stderr
    return list(yaml.safe_load_all(made.stdout))


def of_kind(manifests: list[Manifest], *kinds: str) -> list[Manifest]:
    return [manifest for manifest in manifests if manifest["kind"] in kinds]


def one(manifests: list[Manifest], kind: str, name: str) -> Manifest:
    """The only one of a kind and a name; generated names carry a hash after theirs."""
    (found,) = (
        manifest
        for manifest in of_kind(manifests, kind)
        if manifest["metadata"]["name"] == name
        or (kind == "ConfigMap" and manifest["metadata"]["name"].rpartition("-")[0] == name)
    )
    return found


def pod(controller: Manifest) -> Manifest:
    """The spec of the pods that a controller makes."""
    spec: Manifest = controller["spec"]["template"]["spec"]
    return spec


def labels(controller: Manifest) -> dict[str, str]:
    """The labels of the pods that a controller makes."""
    found: dict[str, str] = controller["spec"]["template"]["metadata"]["labels"]
    return found


def containers(controller: Manifest) -> list[Manifest]:
    """Every container of a pod, those that run before the others too."""
    spec = pod(controller)
    return [*spec.get("initContainers", []), *spec["containers"]]


def container(controller: Manifest, name: str) -> Manifest:
    (found,) = (each for each in containers(controller) if each["name"] == name)
    return found


def every_container(folder: str) -> Iterator[tuple[str, Manifest, Manifest]]:
    """Where it is, its controller, and the container, for all of a folder."""
    for controller in of_kind(rendered(folder), *CONTROLLERS):
        for each in containers(controller):
            where = f"{folder}: {controller['metadata']['name']}/{each['name']}"
            yield where, controller, each


def selects(selector: Mapping[str, Any], told: Mapping[str, str]) -> bool:
    """Whether a label selector, in either of its forms, fits these labels."""
    exact = selector.get("matchLabels", {})
    sets = selector.get("matchExpressions", [])
    assert all(each["operator"] == "In" for each in sets)
    return all(told.get(name) == value for name, value in exact.items()) and all(
        told.get(each["key"]) in each["values"] for each in sets
    )
