"""A Redis as careful operators run it: TLS both ways, and a user who may do no more than needed."""

import shutil

import trustme

from tests.store.ports import unused_ports
from tests.store.servers import Server

PROGRAM = "redis-server"

ALLOWED = (
    *("~rummy:*", "resetchannels", "-@all"),
    *("+@read", "+@write", "+@scripting", "+info", "+select", "+wait", "+time"),
)
"""What the user of the service may do: no key but ours, no setting, no other administration."""


def is_installed() -> bool:
    return shutil.which(PROGRAM) is not None


class TlsRedis(Server):
    """Debian's Redis on a TLS port that wants a certificate of its clients."""

    def __init__(self, *options: str) -> None:
        authority = trustme.CA()
        (self.port,) = unused_ports(1)
        super().__init__(*options, program=PROGRAM)
        own, clients = authority.issue_cert("127.0.0.1"), authority.issue_cert("us@x")
        self.authority = self.folder / "ca.pem"
        authority.cert_pem.write_to_path(self.authority)
        self.certificate, self.key = self.folder / "client.pem", self.folder / "client.key"
        for cert, chain, key in (
            (own, self.folder / "server.pem", self.folder / "server.key"),
            (clients, self.certificate, self.key),
        ):
            cert.private_key_pem.write_to_path(key)
            chain.write_bytes(b"".join(blob.bytes() for blob in cert.cert_chain_pems))
        with self.client() as client:
            client.config_set(
                "tls-cert-file", str(self.folder / "server.pem"),
                "tls-key-file", str(self.folder / "server.key"),
                "tls-ca-cert-file", str(self.authority),
                "tls-port", self.port,
            )  # fmt: skip
            client.execute_command("ACL", "SETUSER", "referee", "on", ">p@ss/word", *ALLOWED)
        self.address = f"127.0.0.1:{self.port}/0?ssl_ca_certs={self.authority}"
        self.keys = f"ssl_certfile={self.certificate}&ssl_keyfile={self.key}"
        self.url = f"rediss://referee:p%40ss%2Fword@{self.address}&{self.keys}"
