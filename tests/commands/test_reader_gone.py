"""A command whose reader has seen enough, as `head` has: it ends, and complains of nothing."""

from pathlib import Path

import pytest

from tests.commands.running import started


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_it_ends_without_a_word(form: tuple[str, ...], tmp_path: Path) -> None:
    games = tmp_path / "games.ndjson"
    # More verdicts than a pipe holds, so that somebody has to read them.
    games.write_bytes(b"{}\n" * 20_000)
    with started("verify", *form, games) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141
