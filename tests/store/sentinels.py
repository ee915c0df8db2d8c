"""A real Sentinel trio on this machine, with the server that it watches and that one's replica."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import redis

from service.embedded.server import server_program
from tests.store.ports import unused_ports
from tests.store.servers import Server, wait_until

NAME = "games"


class Watched(Server):
    """A server that Sentinels can reach."""

    def __init__(self, port: int, *options: str) -> None:
        self.port = port
        super().__init__(
            *("--port", str(port), "--bind", "127.0.0.1"),
            *("--repl-diskless-sync-delay", "0"),
            *options,
        )

    def follow(self, primary: "Watched") -> None:
        """Start again, as the replica of another."""
        self._options = ("--replicaof", f"127.0.0.1 {primary.port}", *self._options)
        self.start()


class Sentinel:
    """One Sentinel; with a password it wants it of clients and of the others."""

    def __init__(self, port: int, primary: int, password: str = "") -> None:
        self.port = port
        self._password = password
        self._folder = Path(tempfile.mkdtemp(prefix="rummy-", dir="/tmp"))
        settings = self._folder / "sentinel.conf"
        settings.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {self._folder}\n"
            + (f"requirepass {password}\nsentinel sentinel-pass {password}\n" if password else "")
            + f"sentinel monitor {NAME} 127.0.0.1 {primary} 2\n"
            f"sentinel down-after-milliseconds {NAME} 500\n"
            f"sentinel failover-timeout {NAME} 3000\n"
        )
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [server_program(), settings, "--sentinel"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def client(self) -> redis.Redis:
        return redis.Redis(port=self.port, password=self._password or None)

    def sees_all(self) -> bool:
        try:
            with self.client() as client:
                seen = client.sentinel_master(NAME)
        except redis.ConnectionError:
            return False
        others, replicas = seen["num-other-sentinels"], seen["num-slaves"]
        return (others, replicas) == (2, 1)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


class SentinelTrio:
    """Three Sentinels that watch a primary and its replica, until `close`."""

    def __init__(self, *options: str, password: str = "") -> None:
        ports = unused_ports(5)
        self.primary = Watched(ports[0], *options)
        self.replica = Watched(ports[1], "--replicaof", f"127.0.0.1 {ports[0]}", *options)
        self.sentinels = [Sentinel(port, ports[0], password) for port in ports[2:]]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports[2:])
        self.url = f"redis+sentinel://{hosts}/{NAME}"
        try:
            wait_until(lambda: all(each.sees_all() for each in self.sentinels))
            wait_until(self._replicates)
        except BaseException:
            self.close()
            raise

    def _replicates(self) -> bool:
        with self.primary.client() as client:
            return bool(client.info("replication").get("slave0", {}).get("state") == "online")

    def address(self) -> tuple[str, int]:
        """The server that the first Sentinel names now."""
        with self.sentinels[0].client() as client:
            host, port = client.sentinel_get_master_addr_by_name(NAME)
        return host, int(port)

    def client(self) -> redis.Redis:
        """A client of the server that takes writes now."""
        _, port = self.address()
        return self.primary.client() if port == self.primary.port else self.replica.client()

    def each(self) -> list[redis.Redis]:
        """A client of each server that keeps keys."""
        return [self.client()]

    def close(self) -> None:
        for each in (*self.sentinels, self.replica, self.primary):
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
