"""The smallest app that has one of each thing the door and the reading judge, and a real server."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import httpx
import msgspec
import uvicorn
from litestar import Litestar, Request, Response, delete, get, post
from litestar.params import FromPath

from service.http.accept import acceptable
from service.http.door import Door
from service.http.preconditions import etag, if_match, is_known
from service.http.problems import EXCEPTION_HANDLERS
from service.http.query import read_query
from service.http.reading import read_body, read_json
from service.store.protocol import StoreUnavailable

Card = Annotated[str, msgspec.Meta(pattern="^([2-9TJQKA][CDHS]|X[1-4])$", max_length=2)]


class Meld(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="meld", tag_field="type"):
    cards: Annotated[list[Card], msgspec.Meta(min_length=1, max_length=56)]


class Pass(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pass", tag_field="type"):
    pass


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: list[Meld | Pass]
    seat: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    name: str = "north"
    ranked: bool = False
    options: dict[str, object] = {}


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    dry_run: bool = False
    status: Literal["waiting", "playing"] | None = None
    name: str = ""


@post("/moves/{move:str}")
async def make_move(request: Request[Any, Any, Any], move: FromPath[str]) -> dict[str, object]:
    read = await read_json(request, Move)
    return {"move": move, "read": read}


@get("/moves/{move:str}")
async def show_move(
    request: Request[Any, Any, Any], move: FromPath[str]
) -> Response[dict[str, object]]:
    headers = {"ETag": etag(41), "Vary": "Authorization"}
    if is_known(request, etag(41)):
        return Response(content=None, status_code=304, headers=headers)
    return Response(content={"move": move, "if_match": if_match(request)}, headers=headers)


@delete("/moves/{move:str}")
async def drop_move(move: FromPath[str]) -> None:
    pass


@get("/pages")
async def show_page(request: Request[Any, Any, Any]) -> Page:
    return read_query(request, Page)


@get("/plain")
async def show_plain(request: Request[Any, Any, Any]) -> dict[str, str]:
    read_query(request)
    return {}


@post("/length")
async def tell_length(request: Request[Any, Any, Any]) -> int:
    return len(await read_body(request))


@get("/broken")
async def break_down() -> None:
    raise RuntimeError("the hidden card is 4S")


@get("/away")
async def be_away() -> None:
    raise StoreUnavailable("redis.internal:6379 refused") from ConnectionError("refused")


@get("/sheet", opt={"offers": ("application/yaml",)}, media_type="application/yaml")
async def show_sheet() -> bytes:
    return b"a: 1\n"


async def cut_short(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError("after the start")


def tiny_app(*cors_origins: str) -> Door:
    litestar = Litestar(
        [
            make_move, show_move, drop_move, show_page, show_plain, tell_length, break_down,
            be_away, show_sheet,
        ],
        guards=[acceptable],
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=None,
        logging_config=None,
        request_max_body_size=None,
    )  # fmt: skip
    return Door(litestar, cors_origins)


def client(app: Any) -> httpx.AsyncClient:
    """A client that calls an app without a server between them."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://tiny")


@contextmanager
def served(app: Any) -> Iterator[int]:
    """The port of a real server for an app, where the parsing of HTTP matters."""
    config = uvicorn.Config(
        app, port=0, log_config=None, access_log=False, loop="uvloop", http="httptools", ws="none"
    )
    listening = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            listening.set()

    server = Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert listening.wait(10), "the server did not start"
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
