"""The app and the contract have the same paths, with the same methods."""

import re
from collections.abc import Iterator

from service.app import create_app
from service.settings import Settings
from tests.contract.document import DOCUMENT, operations

# HEAD is GET without the body, and OPTIONS asks which methods there are: neither is said again.
IMPLIED = {"HEAD", "OPTIONS"}


def routes_of_the_app() -> Iterator[tuple[str, str]]:
    for route in create_app(Settings()).litestar.routes:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        # The app has HTTP routes alone.
        for handler in route.route_handlers:  # type: ignore[union-attr]
            for method in handler.http_methods - IMPLIED:
                yield method, path


def test_every_route_is_in_the_contract_and_every_path_is_served() -> None:
    contract = {(operation.method.upper(), operation.path) for operation in operations()}
    assert set(routes_of_the_app()) == contract


def test_a_path_names_its_parameters() -> None:
    for path, item in DOCUMENT["paths"].items():
        assert path.count("{") == len(item.get("parameters", []))
