"""The overlay `dev` as it runs: its one server takes its arguments and keeps games."""

from pathlib import Path

from tests.k8s.manifests import REFEREE, one, rendered
from tests.k8s.pods import single
from tests.whole.serving import Players, served


def test_a_game_survives_the_restart_of_the_server(tmp_path: Path) -> None:
    settings = one(rendered("overlays/dev"), "ConfigMap", f"{REFEREE}-settings")["data"]
    with single() as pod:
        pod.start(pod.name_address)
        assert pod.keeps_what_it_acknowledges()
        url = settings["REFEREE_REDIS_URL"].replace("//valkey:", f"//{pod.name_address}:")
        here = {"REFEREE_REDIS_URL": url, "REFEREE_DRAIN_SECONDS": "0"}
        with served(tmp_path, settings=settings | here) as service:
            players = Players(service.url, seed=3)
            assert players.play(service.url, 10)
            pod.kill()
            pod.start(pod.name_address)
            assert players.view(service.url)["ply"] == len(players.log)
            assert players.play(service.url, 10)
