"""Where the command is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ._errors import RFPragmaBinaryError


def find() -> str:
    """Return the path of the command: that of RFPRAGMA_BINARY, or the one that came with this package."""
    given = os.environ.get("RFPRAGMA_BINARY")
    if given:
        if not os.access(given, os.X_OK) or os.path.isdir(given):
            raise RFPragmaBinaryError(f"RFPRAGMA_BINARY names {given!r}, which is no program; correct or unset it")
        return given
    name = "rfpragma.exe" if sys.platform == "win32" else "rfpragma"
    inside = Path(__file__).parent / "bin" / name
    if not inside.is_file():
        raise RFPragmaBinaryError(
            f"the command is not where the package has it, {inside}; install a wheel for this platform, or name the "
            "command by the environment variable RFPRAGMA_BINARY"
        )
    return str(inside)


def main() -> int:
    """Run the command with the arguments of this process."""
    path = find()
    if sys.platform == "win32":
        import subprocess

        return subprocess.call([path, *sys.argv[1:]])
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
