"""Names that the torch wheel has for scripts: ``torchgen.packaged``; and its files of operators.

The program knows the operators of several versions of torch. :func:`path` makes files of them, for
scripts that read YAML themselves; ``gen.parse_native_yaml(torch="2.15")`` needs none.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["path"]

_NATIVE = "ATen/native"


def path(name: str = "ATen", *, torch: str | None = None, into: str | os.PathLike[str] | None = None) -> Path:
    """Where a file of ``torchgen/packaged`` in the wheel of torch is: ``ATen/native/native_functions.yaml``
    or ``ATen/native/tags.yaml``, which are written if they are not there, or a directory of them.

    The entries of operators are those of this version, without comments. Tags are those of the newest
    version, and have no descriptions.

    Args:
        name: The file, or a directory.
        torch: The version, such as ``2.14``; the newest one if it is left out.
        into: Where the directory of the version is made; by default, in the user's cache.

    Raises:
        ValueError: the program does not know the operators of this version.
        FileNotFoundError: a file that the program has no facts for.
        OSError: the files cannot be written.
    """
    from .. import __version__, _torchgen_rs

    text, tags, torch = _torchgen_rs.torch_files(torch)
    files = {
        f"{_NATIVE}/native_functions.yaml": text,
        f"{_NATIVE}/tags.yaml": "".join(f"- tag: {tag}\n  desc: Operators of torch can have it.\n" for tag in sorted(tags)),
    }
    wanted = Path(name).as_posix()
    if wanted not in (".", "ATen", _NATIVE, *files):
        raise FileNotFoundError(
            f"`{wanted}` is a file of PyTorch, which torchgen-rs does not have: take it from "
            f"`torchgen/packaged/` in the wheel of torch {torch}"
        )
    top = (Path(into) if into is not None else _cache() / __version__) / f"torch-{torch}"
    # The files are as in a wheel, where the commands find the version that they are of.
    _torchgen_rs.write_text(_made(top / "torch/version.py"), f"__version__ = '{torch}.0'\n")
    packaged = top / "torchgen/packaged"
    for file, content in files.items():
        _torchgen_rs.write_text(_made(packaged / file), content)
    return packaged / wanted


def _made(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _cache() -> Path:
    """The directory of the user for files that can be made again."""
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    given = os.environ.get(variable)
    return (Path(given) if given else Path.home() / ".cache") / "torchgen-rs"
