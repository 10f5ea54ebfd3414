"""Times the Python module and the reference side by side, and prints a table.

    python3 bench/python.py [--runs N] [--parses N] [--module FILE]

Fetches the reference as the conformance suite does (and shares its download), and builds the compiled
module as in the wheel, unless `--module` names one. Each side runs in processes of its own, in turn; the
table has medians of user and system seconds (default: 3 runs).

* import: the package itself, and `model`;
* parse and group: all operators of torch, in a new process;
* tools/autograd: PyTorch's own generator of autograd (the copy in the wheel), all outputs, with
  `torchgen` being the reference, or this package by `torchgen_rs.alias`. Both must write the same files, but for
  comments that name a template.

The last lines are the size of the compiled module, and the memory of a process after the first parse and
after `--parses` of them (default: 1,000), which must not grow.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from run import ROOT, reference_dir

READ = """
import sys, time
start = time.process_time()
from {package}.gen import get_grouped_native_functions, parse_native_yaml
began = time.process_time()
functions = parse_native_yaml(*sys.argv[1:]).native_functions
assert len(get_grouped_native_functions(functions)) > 1000
print(began - start, time.process_time() - began)
"""
IMPORTS = """
import time
start = time.process_time()
import {package}
began = time.process_time()
import {package}.model
print(began - start, time.process_time() - began)
"""
MEMORY = """
import resource, sys
from torchgen_rs.gen import get_grouped_native_functions, parse_native_yaml
for at in range(int(sys.argv[1])):
    get_grouped_native_functions(parse_native_yaml(*sys.argv[2:]).native_functions)
    if at == 0:
        first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(first / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def module() -> str:
    """Builds the compiled module as in the wheel, and returns its path."""
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--profile=wheel", "-p", "torchgen-python"], cwd=ROOT, check=True)
    return os.path.join(ROOT, "target/wheel/lib_torchgen_rs.so")


def package(scratch: str, compiled: str) -> str:
    """A directory with the package, as a wheel unpacks it."""
    site = os.path.join(scratch, "site")
    shutil.copytree(os.path.join(ROOT, "python/torchgen_rs"), os.path.join(site, "torchgen_rs"))
    shutil.copy(compiled, os.path.join(site, "torchgen_rs/_torchgen_rs.abi3.so"))
    return site


def run(words: list[str], path: list[str], directory: str) -> tuple[list[float], float]:
    """Runs Python: the numbers that it prints, and its user and system seconds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONHASHSEED": "0"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *words], cwd=directory, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [float(word) for word in done.stdout.split() if word.replace(".", "").isdigit()], seconds


def tree(directory: str) -> dict[str, list[str]]:
    """The lines of all files, without comments that name a template: its path begins at the package."""
    found = {}
    for here, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(here, name)
            with open(path, encoding="utf-8") as file:
                found[os.path.relpath(path, directory)] = [line for line in file if "@generated from" not in line]
    return found


def same_files(ours: str, theirs: str) -> int:
    """The number of files in both directories, which must be equal."""
    ours_of, theirs_of = tree(ours), tree(theirs)
    assert ours_of.keys() == theirs_of.keys(), (ours_of.keys(), theirs_of.keys())
    different = [name for name in theirs_of if ours_of[name] != theirs_of[name]]
    assert not different, different
    return len(theirs_of)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--parses", type=int, default=1000)
    parser.add_argument("--module", help="a compiled module, in place of building one")
    options = parser.parse_args()
    compiled, unpacked = options.module or module(), reference_dir()
    native = [os.path.join(unpacked, "torchgen/packaged/ATen/native", name) for name in ("native_functions.yaml", "tags.yaml")]
    rows: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        # The wheel has PyTorch's directory `tools/autograd` under another name.
        tools = os.path.join(scratch, "tools/autograd")
        shutil.copytree(os.path.join(unpacked, "torchgen/packaged/autograd"), tools)
        open(os.path.join(scratch, "tools/__init__.py"), "w").close()
        site, yaml = package(scratch, compiled), os.path.join(unpacked, "site")
        sides = {"torchgen": [unpacked, yaml], "torchgen_rs": [site]}

        # Before this process reads files: the system counts its memory in the peak of its children.
        (first, last), _ = run(["-c", MEMORY, str(options.parses), *native], [site], scratch)

        def add(row: str, side: str, seconds: float) -> None:
            rows.setdefault(row, {}).setdefault(side, []).append(seconds)

        # Byte code is compiled once.
        for counted in (False, *[True] * options.runs):
            for side, path in sides.items():
                out = os.path.join(scratch, side)
                shutil.rmtree(out, ignore_errors=True)
                os.mkdir(out)
                start = ["-m", "torchgen_rs.alias"] if side == "torchgen_rs" else []
                generate = [*start, "-m", "tools.autograd.gen_autograd", *native, out, "tools/autograd"]
                imported, _ = run(["-c", IMPORTS.format(package=side)], path, scratch)
                read, _ = run(["-c", READ.format(package=side), *native], path, scratch)
                # `LineLoader` of tools/autograd needs PyYAML.
                _, autograd = run(generate, [*path, yaml], scratch)
                if counted:
                    add("import the package", side, imported[0])
                    add("import `model`", side, sum(imported))
                    add("import `gen`", side, read[0])
                    add("parse and group ATen's operators", side, read[1])
                    add("tools/autograd over all operators", side, autograd)
        count = same_files(*(os.path.join(scratch, side) for side in ("torchgen_rs", "torchgen")))
    print("| processor seconds | torchgen 2.15.0 | torchgen-rs |\n| --- | --- | --- |")
    for row, by_side in rows.items():
        print(f"| {row} | " + " | ".join(f"{statistics.median(by_side[side]):.3f} s" for side in sides) + " |")
    print(f"\ntools/autograd wrote the same {count} files")
    print(f"the compiled module has {os.path.getsize(compiled) / 1e6:.1f} MB")
    print(f"memory after one parse: {first:.0f} MB, after {options.parses}: {last:.0f} MB")


if __name__ == "__main__":
    main()
