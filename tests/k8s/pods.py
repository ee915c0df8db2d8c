"""Pods of the stores as real servers here, with the manifests' own arguments, files and scripts.

The whole network 127.0.0.0/8 is this machine, so every pod can have addresses of its own and the
port that the manifest says. What a cluster's DNS does is done by writing an address that stays in
place of a name.
"""

import os
import random
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.embedded.server import server_program
from tests.k8s.manifests import container, one, rendered
from tests.store.servers import wait_until
from tests.whole.serving import environment

CLUSTER: Final = "valkey-cluster"
PASSWORD: Final = "a secret of six words' length"
PORT: Final = 6379
ENDS_WITHIN: Final = 30.0
# So that a failover does not take the five seconds that the manifest gives a slow disk.
QUICK: Final = ("--cluster-node-timeout", "1500", "--repl-diskless-sync-delay", "0")


def needs_client() -> str:
    """The command-line client, which the package of the server does not carry."""
    found = shutil.which("valkey-cli") or shutil.which("redis-cli")
    if found is None:
        pytest.skip("neither valkey-cli nor redis-cli is installed")
    return found


class Pod:
    """One server, started as its container would be; each start may be at another address."""

    def __init__(self, folder: Path, arguments: list[str], name_address: str) -> None:
        self.folder = folder
        self.name_address = name_address
        """What stands in for its name: it stays."""
        self._arguments = arguments

    def start(self, address: str, *more: str) -> None:
        self.address = address
        self.folder.mkdir(exist_ok=True)
        arguments = [each.replace("$(POD_IP)", address) for each in self._arguments]
        bound = dict.fromkeys((self.name_address, address))
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [server_program(), *arguments[1:], "--bind", " ".join(bound), *more],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_until(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False

    def client(self) -> redis.Redis:
        return redis.Redis(
            host=self.name_address,
            password=PASSWORD if "--requirepass" in self._arguments else None,
            retry=Retry(NoBackoff(), 0),
            decode_responses=True,
        )

    def cluster(self, *words: str) -> list[list[str]]:
        """The words of each line that it answers to CLUSTER …"""
        with self.client() as client:
            # By its own name the client would read the answer.
            answer = client.eval("return server.call('CLUSTER', unpack(ARGV))", 0, *words)
        return [line.split() for line in str(answer).splitlines()]

    def role(self) -> str:
        with self.client() as client:
            return str(client.info("replication")["role"])

    def keeps_what_it_acknowledges(self) -> bool:
        """Whether each write is on disk first, and none is ever evicted."""
        wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
        with self.client() as client:
            return client.config_get(*wanted) == wanted

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """As the kubelet would."""
        self.process.terminate()
        assert self.process.wait(ENDS_WITHIN) == 0


class Pods:
    """The six pods of the overlay `cluster`, with what is mounted into them."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="rummy-", dir="/tmp"))
        self._network = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}"
        self._starts = 0
        _needs_network(f"{self._network}.1")
        manifests = rendered("overlays/cluster")
        self._set = one(manifests, "StatefulSet", CLUSTER)
        self.nodes = self.with_addresses(
            one(manifests, "ConfigMap", f"{CLUSTER}-nodes")["data"]["NODES"]
        )
        self.settings = {
            name: self.with_addresses(value)
            for name, value in one(manifests, "ConfigMap", "referee-settings")["data"].items()
        }
        self._mounted = self.folder / "mounted"
        _write(self._mounted, one(manifests, "ConfigMap", CLUSTER)["data"])
        _link(self.folder / "bin", needs_client())
        self.pods = [self._pod(number) for number in range(self._set["spec"]["replicas"])]

    def _pod(self, number: int) -> Pod:
        folder = self.folder / f"pod-{number}"
        arguments = [
            self.with_addresses(each.replace("$(POD_NAME)", f"{CLUSTER}-{number}"))
            .replace("$(VALKEYCLI_AUTH)", PASSWORD)
            .replace("/data", str(folder))
            .replace(f"/etc/{CLUSTER}", str(self._mounted))
            for each in container(self._set, "valkey")["args"]
        ]
        return Pod(folder, arguments, self._name_address(number))

    def with_addresses(self, text: str) -> str:
        """A text with an address that stays in place of each pod's name."""
        for number in range(self._set["spec"]["replicas"]):
            text = text.replace(f"{CLUSTER}-{number}.{CLUSTER}", self._name_address(number))
        return text

    def _name_address(self, number: int) -> str:
        return f"{self._network}.{1 + number}"

    def start(self) -> None:
        """Start all, at addresses that none of them ever had."""
        self._starts += 1
        for number, each in enumerate(self.pods):
            each.start(f"{self._network}.{20 * self._starts + number}", *QUICK)

    def restart(self, each: Pod) -> None:
        """Start one again, at another address too."""
        each.start(f"{self._network}.{200 + self.pods.index(each)}", *QUICK)

    def script(self, name: str, **variables: str) -> "subprocess.Popen[str]":
        """A script of the overlay, begun."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        given = {"NODES": self.nodes, "REDISCLI_AUTH": PASSWORD}
        return subprocess.Popen(
            [self._mounted / name],
            env=environment(PATH=path, VALKEYCLI_AUTH=PASSWORD, **(given | variables)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def form(self, within: int = 30) -> tuple[int, str]:
        """Run the job, and tell how it ended and what it said."""
        return _ended(self.script("form.sh", WITHIN=str(within)))

    def is_ready(self, each: Pod) -> bool:
        """What the readiness probe of a pod says."""
        return _ended(self.script("ready.sh", OWN=f"{each.name_address}:{PORT}"))[0] == 0

    def are_ready(self) -> bool:
        return all(self.is_ready(each) for each in self.pods)

    @contextmanager
    def finding(self) -> Iterator[None]:
        """With the container `find` beside each server."""
        found = [
            self.script("find.sh", OWN=f"{each.name_address}:{PORT}", EVERY="0.5")
            for each in self.pods
        ]
        try:
            yield
        finally:
            for each in found:
                each.terminate()
            # They hear the signal, or each pod would take all of its grace to end.
            assert [_ended(each)[0] for each in found] == [0] * len(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.pods:
            if hasattr(each, "process"):
                each.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def single() -> Iterator[Pod]:
    """The pod of the overlay `dev`, not started."""
    stateful = one(rendered("overlays/dev"), "StatefulSet", "valkey")
    folder = Path(tempfile.mkdtemp(prefix="rummy-", dir="/tmp"))
    address = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}.1"
    _needs_network(address)
    arguments = container(stateful, "valkey")["args"]
    made = Pod(folder, [each.replace("/data", str(folder)) for each in arguments], address)
    try:
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _needs_network(address: str) -> None:
    try:
        with socket.socket() as tried:
            tried.bind((address, PORT))
    except OSError as error:
        pytest.skip(f"{address} port {PORT} of this machine cannot be had: {error.strerror}")


def _write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o555)


def _link(folder: Path, client: str) -> None:
    folder.mkdir()
    (folder / "valkey-cli").symlink_to(client)


def _ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    try:
        told, _ = process.communicate(timeout=ENDS_WITHIN)
    finally:
        process.kill()
    return process.returncode, told
