"""Where the contract and what belongs to it lie."""

from functools import cache
from pathlib import Path
from typing import Final

_SERVICE: Final = Path(__file__).parent


@cache
def contract_folder() -> Path:
    """The folder of ``openapi.yaml``: in the installed package, or at the top of a checkout.

    Raises FileNotFoundError.
    """
    for folder in (_SERVICE / "contract", _SERVICE.parent / "openapi"):
        if (folder / "openapi.yaml").is_file():
            return folder
    raise FileNotFoundError("openapi.yaml is neither in the package nor in a checkout around it")
