"""The page /docs: the contract to look around in and to try out, or at least to read.

Swagger UI comes with the extra ``docs``, from a package that carries it; nothing of it is copied,
and nothing is loaded from anywhere else.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from service.web import pages
from service.web.contract import chapters

_PACKAGE: Final = "mkdocs_swagger_ui_tag"
"""Carries Swagger UI for a plugin of MkDocs; what is used here needs no MkDocs."""

_SCRIPT: Final = "text/javascript"
_STYLE: Final = "text/css"
MEDIA_TYPES: Final = (_SCRIPT, _STYLE)
"""What the files of the interactive page are."""

INTERACTIVE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # the style sheet of Swagger UI holds its pictures
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The Content-Security-Policy of the interactive page: this service, and no other host."""


class Asset(NamedTuple):
    """A file that the interactive page loads."""

    media_type: str
    content: bytes


class Page(NamedTuple):
    """A page, and the Content-Security-Policy that it needs."""

    html: str
    policy: str


@cache
def assets() -> dict[str, Asset]:
    """What the interactive page loads, by name; nothing without the extra ``docs``."""
    try:
        folder = files(_PACKAGE) / "swagger-ui"
        return {
            "swagger-ui.js": _asset(folder / "javascripts" / "swagger-ui-bundle.js", _SCRIPT),
            "swagger-ui.css": _asset(folder / "stylesheets" / "swagger-ui.css", _STYLE),
            "start.js": _asset(files("service.web") / "docs.js", _SCRIPT),
        }
    except (ImportError, FileNotFoundError):
        return {}


@cache
def page() -> Page:
    """The interactive page, or without the extra ``docs`` the plain one."""
    if assets():
        return Page(pages.docs_page("docs.html", chapters()), INTERACTIVE_POLICY)
    return Page(pages.docs_page("operations.html", chapters()), pages.POLICY)


def _asset(file: Traversable, media_type: str) -> Asset:
    return Asset(media_type, file.read_bytes())
