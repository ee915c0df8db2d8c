"""kustomize renders each folder, and any cluster of today knows what comes out."""

from collections import Counter

import kubernetes_validate
import pytest

from tests.k8s.manifests import FOLDERS, OVERLAYS, of_kind, rendered

OLDEST = "1.27"
"""The first that knows all fields we use, and the oldest that k8s/README.md promises."""

REFEREE = {
    "ConfigMap", "Deployment", "HorizontalPodAutoscaler", "NetworkPolicy", "PodDisruptionBudget",
    "Service", "ServiceAccount",
}  # fmt: skip


@pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
@pytest.mark.parametrize("folder", FOLDERS)
def test_each_manifest_fits_the_schema_of_its_kind(folder: str, version: str) -> None:
    # Strict: a field that is written wrong is no other field. A kind that not every cluster knows
    # has no schema.
    for manifest in rendered(folder):
        kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize("folder", FOLDERS)
def test_whatever_is_made_is_in_one_namespace_and_says_what_it_belongs_to(folder: str) -> None:
    for manifest in rendered(folder):
        assert manifest["metadata"]["namespace"] == "referee"
        part = manifest["metadata"]["labels"]["app.kubernetes.io/part-of"]
        assert part == "persian-rummy-referee"


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_is_made_twice(folder: str) -> None:
    named = Counter((each["kind"], each["metadata"]["name"]) for each in rendered(folder))
    assert set(named.values()) == {1}


def test_the_base_is_the_referee_and_nothing_else() -> None:
    assert {manifest["kind"] for manifest in rendered("base")} == REFEREE


@pytest.mark.parametrize("folder", OVERLAYS)
def test_every_overlay_has_the_whole_base(folder: str) -> None:
    assert {manifest["kind"] for manifest in rendered(folder)} >= REFEREE


@pytest.mark.parametrize(
    ("folder", "stores"),
    [("overlays/dev", 1), ("overlays/production", 0), ("overlays/cluster", 6)],
)
def test_an_overlay_has_so_many_servers(folder: str, stores: int) -> None:
    sets = of_kind(rendered(folder), "StatefulSet")
    assert sum(each["spec"]["replicas"] for each in sets) == stores
    for each in sets:
        (claim,) = each["spec"]["volumeClaimTemplates"]
        assert claim["spec"]["resources"]["requests"]["storage"]
