"""What this package is called where packages are installed."""

from typing import Final

PACKAGE: Final = "persian-rummy-referee"
