"""Keeps a backup as it is written today, for later releases to read: `python -m tests.backup.keep`.

There is one for each format, and it is never written again.
"""

import asyncio
from pathlib import Path
from typing import Final

from service.app import create_app
from service.backup.lines import FORMAT
from tests.backup.club import SETTINGS
from tests.backup.conftest import Evening
from tests.commands.running import run
from tests.store.servers import Server

OLD: Final = Path(__file__).parent / "old"


def keep() -> None:
    """Back up an evening."""
    file = OLD / f"format-{FORMAT.rpartition('/')[2]}.ndjson"
    assert not file.exists()
    file.parent.mkdir(exist_ok=True)
    with Server() as server:
        with asyncio.Runner() as runner:
            evening = Evening(runner, create_app(SETTINGS), server.url)
            runner.run(evening.club.meet())
            runner.run(evening.close())
        assert run("backup", file, "--redis-url", server.url).exit_code == 0
    file.chmod(0o644)


if __name__ == "__main__":
    keep()
