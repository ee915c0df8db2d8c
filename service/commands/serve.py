"""`referee serve`: the service, listening."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable
from importlib.metadata import version
from types import FrameType
from typing import Final

import click
import uvicorn
import uvloop

from service import logs
from service.app import create_app
from service.commands import fail
from service.commands.command import Command
from service.commands.server import Server
from service.embedded.folder import FolderInUse
from service.embedded.server import ServerFailed, ServerMissing
from service.kept import opened_store, place_of
from service.package import PACKAGE
from service.routes.docs import DOCS
from service.routes.service import CONTRACT
from service.settings import Settings, SettingsError, read_settings
from service.sight.sight import Sight
from service.sight.traces import Tracing, TracingUnavailable, tracing_of
from service.store.protocol import StoreUnavailable

log = logging.getLogger(__name__)

_ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - only looked up, not bound

# Why there may be no store: each says what to do about it.
_REASONS: Final = (ServerMissing, ServerFailed, FolderInUse, StoreUnavailable)


@click.command(cls=Command)
@click.option("--host", metavar="ADDRESS", help="Where to listen.  [127.0.0.1; REFEREE_HOST]")
@click.option("--port", metavar="NUMBER", help="0 picks a free port.  [8000; REFEREE_PORT]")
@click.option(
    "--data",
    metavar="FOLDER",
    help="Where the embedded store keeps the games.  [the user's data folder; REFEREE_DATA]",
)
@click.option(
    "--redis-url",
    metavar="URL",
    help="Keep the games in this Redis or Valkey instead.  [REFEREE_REDIS_URL]",
)
def serve(host: str | None, port: str | None, data: str | None, redis_url: str | None) -> None:
    """Listen for players, until told to stop.

    Each option may be given as an environment variable too, and some settings only so.

    \b
    The URL may be redis://HOST:6379/0, redis+sentinel://HOST:26379,HOST:26379/NAME,
    redis+cluster://HOST:6379,HOST:6379 or unix:///PATH; rediss is TLS, ?ssl_ca_certs=FILE its CA.
    REFEREE_REDIS_USERNAME, REFEREE_REDIS_PASSWORD        [those of the URL]
    REFEREE_SENTINEL_USERNAME, REFEREE_SENTINEL_PASSWORD  of the Sentinels themselves  [none]
    REFEREE_REDIS_REPLICAS    replicas that must have a move before it is answered  [0]

    \b
    REFEREE_API_KEYS          who may open games, as `referee key` lists them  [anybody]
    REFEREE_MOST_OPEN_GAMES   unfinished games of one key  [1000]
    REFEREE_LIMITS            on or off  [on]; requests a second, and so many at once:
    REFEREE_ADDRESS_RATE, _BURST  from an address without a token  [500, 1000]
    REFEREE_TOKEN_RATE, _BURST    with a token of a game  [200, 1000]
    REFEREE_KEY_RATE, _BURST      with an API key  [1000, 2000]
    REFEREE_TRUSTED_PROXIES   whose X-Forwarded-For is believed, such as 10.0.0.0/8  [nobody's]
    REFEREE_CORS_ORIGINS      web pages that may call from a browser  [none]
    REFEREE_WAITING_SECONDS, REFEREE_PLAYING_SECONDS, REFEREE_FINISHED_SECONDS
                              how long a game is kept  [1 day, 7 days, 30 days]
    REFEREE_LOG_LEVEL         debug, info, warning or error  [info]
    REFEREE_LOG_FORMAT        json, text, or auto: text on a terminal, else JSON  [auto]
    REFEREE_DRAIN_SECONDS     how long requests are still taken after SIGTERM, while /readyz
                              tells everybody to go elsewhere  [2]
    REFEREE_SHUTDOWN_SECONDS  how long requests in flight may take after that  [4]
    OTEL_EXPORTER_OTLP_ENDPOINT   where traces go, with the extra `tracing`; OTEL_TRACES_SAMPLER
                              and the others of OpenTelemetry count as well  [no traces]
    """
    try:
        settings = read_settings(os.environ, host=host, port=port, data=data, redis_url=redis_url)
    except SettingsError as error:
        fail(*error.lines)
    logs.configure(settings.log_level, settings.log_format)
    try:
        listener = _bound(settings)
    except OSError as error:
        where = f"{settings.host} port {settings.port}"
        fail(f"cannot listen at {where}: {error.strerror}; choose another with --host and --port")
    try:
        with listener, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(settings, listener))
    except (*_REASONS, OSError, ValueError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped before it listened", status=130)


def _bound(settings: Settings) -> socket.socket:
    """A socket at the address to listen at, that does not listen yet."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((settings.host, settings.port))
    except OSError:
        bound.close()
        raise
    return bound


async def _serve(settings: Settings, listener: socket.socket) -> None:
    sight = Sight(_tracing())
    async with opened_store(settings, sight) as store:
        app = create_app(settings, store, sight)
        config = uvicorn.Config(
            app,
            http="httptools",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,  # the door writes one
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            server_header=False,
            # Longer than proxies keep theirs (60 s, mostly), so that it is they who close, and no
            # request meets a connection that is just being closed.
            timeout_keep_alive=75,
            timeout_graceful_shutdown=settings.shutdown_seconds,
        )
        # It tells what this tells better.
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        announcement = _announcement(settings, listener.getsockname()[1])
        server = Server(config, announcement, app.stopping, settings.drain_seconds)
        # From now on no signal is lost, and none ends this without closing the store.
        _on_signals(server.handle_exit)
        await server.serve([listener])
        # Nothing is left to hurry, down to the last moment of this process.
        _on_signals(signal.SIG_IGN)
        if sight.tracing is not None:
            sight.tracing.close()
    log.info("stopped: the store is closed")


def _tracing() -> Tracing | None:
    """What OpenTelemetry's variables ask for. They often stand for all programs of a machine, so
    that traces which cannot be had are no reason not to start.
    """
    try:
        return tracing_of(os.environ)
    except TracingUnavailable as error:
        log.warning("there are no traces: %s", error)
        return None


def _on_signals(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _announcement(settings: Settings, port: int) -> str:
    reached = _ANYWHERE.get(settings.host, settings.host)
    url = f"http://{f'[{reached}]' if ':' in reached else reached}:{port}"
    players = ", ".join(f'{{"name": "{name}"}}' for name in ("north", "east", "south", "west"))
    return f"""\
Persian Rummy referee {version(PACKAGE)} listens at {url}
  address   {settings.host} port {port}
  games     {place_of(settings)}
  docs      {url}{DOCS}
  contract  {url}{CONTRACT}
  try first curl -s {url}/v1/games -H 'Content-Type: application/json' \\
                 -d '{{"players": [{players}]}}'
  or watch  referee demo --url {url}
Ctrl-C stops it."""
