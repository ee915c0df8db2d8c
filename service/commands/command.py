"""A command that tells what is wrong in one line, and ends well when it is stopped."""

import os
import signal
import sys
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import click

from service.commands import fail

_ENDED_BY_THE_READER = 141  # what a shell reports for a program that SIGPIPE ended


class Command(click.Command):
    """A command without a usage text around its errors; Ctrl-C ends it with status 130."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the command line."""
        try:
            return super().make_context(*arguments, **options)
        except click.UsageError as error:
            fail(f"{error.format_message()} See `referee {self.name} --help`.")

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        # So that whatever it has started is ended, too.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            fail("stopped", status=130)
        except BrokenPipeError:
            # Whoever read the lines has seen enough, as `head` has. What is left goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(_ENDED_BY_THE_READER)
        except BrokenProcessPool:
            fail("a process that worked for this one was killed; try fewer with --jobs")
