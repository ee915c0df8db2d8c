"""The routes: one file per resource."""

import asyncio
from typing import Any, cast

from litestar import Request

from service.settings import Settings
from service.sight.metrics import Metrics
from service.store.protocol import Store


def store_of(request: Request[Any, Any, Any]) -> Store:
    """The store that the app was made with, or opened."""
    return cast(Store, request.app.state.store)


def settings_of(request: Request[Any, Any, Any]) -> Settings:
    """The settings that the app was made with."""
    return cast(Settings, request.app.state.settings)


def is_stopping(request: Request[Any, Any, Any]) -> bool:
    """Whether the service was told to stop."""
    return cast(asyncio.Event, request.app.state.stopping).is_set()


def metrics_of(request: Request[Any, Any, Any]) -> Metrics:
    """What the app counts."""
    return cast(Metrics, request.app.state.metrics)
