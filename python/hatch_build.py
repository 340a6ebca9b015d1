"""Builds the static command and puts it into the wheel: one wheel for each platform, for every Python 3.

The target is that of this machine, or the one named by GOOS and GOARCH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# A static binary runs beside any C library, so one wheel serves glibc and musl. Go 1.26 needs macOS 12.
PLATFORMS = {
    ("linux", "amd64"): "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
}


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles cmd/rfpragma of the module around this folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            raise SystemExit("rfpragma has no source distribution, as it would need Go to install; build the wheel: "
                             "python -m build --wheel python")
        module, go = Path(self.root).parent, shutil.which("go")
        if not (module / "go.mod").is_file() or go is None:
            raise SystemExit("rfpragma is built from a clone of its repository, with Go 1.26 on the PATH; "
                             "or install a wheel, which needs neither")

        def environment(name: str) -> str:
            return subprocess.check_output([go, "env", name], cwd=module, text=True).strip()

        target = environment("GOOS"), environment("GOARCH")
        if target not in PLATFORMS:
            raise SystemExit(f"there is no wheel for {'/'.join(target)}; choose one of "
                             + ", ".join("/".join(p) for p in PLATFORMS))
        name = "rfpragma.exe" if target[0] == "windows" else "rfpragma"
        binary = Path(self.root) / "build" / "_".join(target) / name
        # as a release has it, so that the bytes are the same
        subprocess.check_call(
            [go, "build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w", "-o", str(binary), "./cmd/rfpragma"],
            cwd=module, env={**os.environ, "CGO_ENABLED": "0", "GOFLAGS": ""})
        inside = f"rfpragma/bin/{name}"
        if version == "editable":
            inside = str(Path(self.root) / "src" / inside)
            Path(inside).parent.mkdir(exist_ok=True)
            shutil.copy2(binary, inside)
        else:
            build_data["force_include"][str(binary)] = inside
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + PLATFORMS[target]
