"""Compares data/torch/versions/shim.yaml with what installed libraries export.

    python shim.py DIRECTORY...

Each directory has the libraries of an installed torch. Functions of devices that the libraries lack are not
compared.
"""

import os
import re
import subprocess
import sys

TABLE = os.path.join(os.path.dirname(__file__), "../../data/torch/versions/shim.yaml")


def table() -> dict:
    """The first version of each function."""
    since, version = {}, None
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if found := re.match(r"  '(2\.\d+)':", line):
                version = found[1]
            elif found := re.match(r"    - (\w+)$", line):
                since[found[1]] = version
    return since


def exported(directory: str) -> set:
    names = set()
    for library in ["libtorch_cpu.so", "libtorch_cuda.so"]:
        path = os.path.join(directory, library)
        if os.path.exists(path):
            text = subprocess.run(["nm", "-D", "--defined-only", path], stdout=subprocess.PIPE, text=True, check=True).stdout
            names.update(line.split()[-1].split("@")[0] for line in text.splitlines())
    return {name for name in names if name.startswith(("aoti_", "torch_"))}


def key(version: str) -> list:
    return [int(part) for part in version.split(".")]


def main() -> None:
    since = table()
    for directory in sys.argv[1:]:
        with open(os.path.join(directory, "../version.py"), encoding="utf-8") as file:
            version = re.search(r"__version__ = '(\d+\.\d+)", file.read())[1]
        has_cuda = os.path.exists(os.path.join(directory, "libtorch_cuda.so"))
        elsewhere = ("_xpu_", "_mps_", "_sycl_") if has_cuda else ("_xpu_", "_mps_", "_sycl_", "_cuda_")
        expected = {name for name, first in since.items() if key(first) <= key(version) and not any(part in name for part in elsewhere)}
        found = {name for name in exported(directory) if not any(part in name for part in elsewhere)}
        if expected != found:
            sys.exit(f"{version}: missing in the library {sorted(expected - found)}, missing in the table {sorted(found - expected)}")
        print(f"{version}: {len(found)} functions")


if __name__ == "__main__":
    main()
