"""A real Chromium without a screen, told over a pipe what to do (Chrome DevTools Protocol)."""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = shutil.which("chromium") or shutil.which("google-chrome")

SECONDS: Final = 60
"""How long it may take over anything: a busy machine takes a few."""

_FLAGS: Final = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # root has none; the page is our own
    "--disable-gpu",
    "--no-first-run",
    # It would call home, and no host but this one can be found.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

_UNTIL: Final = """new Promise(done => {
    const look = () => (%s) ? done(true) : setTimeout(look, 20);
    look();
})"""


class Tab:
    """A page of the browser, and what it has said so far."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._unread = b""
        self._asked = 0
        self._session: str | None = None
        self._events: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Network", "Log", "Runtime", "Page"):
            self.ask(f"{domain}.enable")

    def open(self, url: str) -> None:
        """Go to an address."""
        self.ask("Page.navigate", url=url)

    def until(self, condition: str) -> None:
        """Wait until a condition in JavaScript holds."""
        self.run(_UNTIL % condition)

    def run(self, script: str) -> Any:
        """The value of a script, once it has one. Raises AssertionError if it fails."""
        told = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def requested(self) -> list[str]:
        """The addresses that the page has asked for."""
        return [one["request"]["url"] for one in self._told("Network.requestWillBeSent")]

    def complaints(self) -> list[str]:
        """What the browser or the page has complained of: errors, and what a policy forbade."""
        entries = [one["entry"]["text"] for one in self._told("Log.entryAdded")]
        thrown = [str(one["exceptionDetails"]) for one in self._told("Runtime.exceptionThrown")]
        said = [str(one["args"]) for one in self._told("Runtime.consoleAPICalled")]
        return entries + thrown + said

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        self._asked += 1
        command = {"id": self._asked, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._asked:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
            self._events.append(message)

    def _told(self, method: str) -> list[dict[str, Any]]:
        return [event["params"] for event in self._events if event.get("method") == method]

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + SECONDS
        while b"\0" not in self._unread:
            readable, _, _ = select.select([self._answers], [], [], until - time.monotonic())
            assert readable, f"the browser says nothing for {SECONDS} seconds"
            self._unread += os.read(self._answers, 1 << 20)
        message, _, self._unread = self._unread.partition(b"\0")
        decoded: dict[str, Any] = json.loads(message)
        return decoded


@contextmanager
def tab(profile: Path, *flags: str) -> Iterator[Tab]:
    """A page of a browser that is started for it, with a new profile in a folder."""
    assert PROGRAM
    to_browser, commands = os.pipe()
    answers, from_browser = os.pipe()
    # The browser reads its commands at 3 and writes at 4.
    renumber = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
    browser = subprocess.Popen(
        ["bash", "-c", renumber, "-", PROGRAM, *_FLAGS, *flags, f"--user-data-dir={profile}"],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Tab(commands, answers)
    finally:
        # Without its pipe the browser ends by itself.
        os.close(commands)
        os.close(answers)
        browser.wait(SECONDS)
