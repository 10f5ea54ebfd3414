"""Makes torch importable without the CUDA libraries that it is linked with, which take 4 GB.

    without_cuda.py is imported by make.py.

Importing torch loads these libraries, and only a GPU makes it call them. One library takes the place of those that
are missing: it defines the functions that torch refers to, and a call of one ends the process. CUDA's run time, which
torch asks for GPUs, has to be installed.
"""

import os
import re
import subprocess
import tempfile

STAND_IN = "libwithout_cuda.so"

Functions = dict[str, set[str]]
"""Names of C functions by the version of their symbol, "" if it is not known."""


def unresolved(library: str) -> tuple[set[str], Functions]:
    """The libraries that are needed and not found, and the functions that no library defines."""
    said = subprocess.run(["ldd", "-r", library], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    functions: Functions = {}
    for name, version in re.findall(r"undefined symbol: (\w+)(?:, version (\S+))?", said):
        # The interpreter defines Python's.
        if not name.startswith(("Py", "_Py")):
            functions.setdefault(version, set()).add(name)
    return set(re.findall(r"^\s*(\S+) => not found", said, re.MULTILINE)), functions


def build(path: str, functions: Functions) -> None:
    """Builds a library that defines the functions."""
    with tempfile.TemporaryDirectory() as scratch:
        source, script = os.path.join(scratch, "functions.c"), os.path.join(scratch, "versions")
        with open(source, "w") as text:
            for name in set().union(*functions.values()):
                text.write(f"void {name}(void) {{ __builtin_trap(); }}\n")
        with open(script, "w") as text:
            for version, names in functions.items():
                text.write(f"{version or 'UNVERSIONED'} {{ {'; '.join(names)}; }};\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", source, f"-Wl,--version-script={script}", "-o", path], check=True)


def complete(directory: str) -> None:
    """Puts the libraries that are missing into the directory of torch's own."""
    library = os.path.join(directory, "libtorch_python.so")
    missing, functions = unresolved(library)
    if not missing:
        return
    build(os.path.join(directory, STAND_IN), functions)
    for name in missing:
        os.symlink(STAND_IN, os.path.join(directory, name))
    # The version of some symbols is reported only now that their libraries exist.
    _, versioned = unresolved(library)
    for version, names in versioned.items():
        functions[""] -= names
        functions[version] = functions.get(version, set()) | names
    build(os.path.join(directory, STAND_IN), {version: names for version, names in functions.items() if names})
