"""Compares the dispatch tables of an explorer with those of torch: dispatch.py DATA

Prints a line for each cell that differs, and how many were compared. Rows of kernels that a build
for CPU and CUDA lacks are left out, and so are kernels that Python registers.
"""

import json
import re
import sys
from pathlib import Path

import torch

# What torch calls the reasons.
ALIASES = {
    "CompositeExplicitAutograd": "default backend kernel",
    "CompositeExplicitAutogradNonFunctional": "default backend kernel",
    "CompositeImplicitAutograd": "math kernel",
    "CompositeImplicitAutogradNestedTensor": "nested kernel",
    "Autograd": "autograd kernel",
}


def data(path: Path) -> object:
    """The data of a script."""
    return json.loads(path.read_text().partition(", ")[2].rstrip().removesuffix(");"))


def main(directory: Path) -> None:
    names = data(directory / "names.js")
    everything = data(directory / "operators.js")
    compared = 0
    for operator, own in zip(names, everything["operators"], strict=True):
        try:
            dump = torch._C._dispatch_dump_table(operator)
        except RuntimeError:
            # This build lacks it.
            continue
        rows = dict(line.split(": ", 1) for line in dump.splitlines() if ": " in line)
        lacking = set()
        for key, letter in zip(everything["keys"], everything["texts"][own["grid"]], strict=True):
            if key not in rows or ".py:" in rows[key]:
                continue
            if letter == ".":
                # Sources that torchgen writes register what the YAML has, but for a key below of another build.
                if "/ATen/Register" in rows[key] and key.removeprefix("Autograd") not in lacking:
                    print(f"{operator}, {key}: nothing, and torch has {rows[key]}")
                continue
            alias = everything["texts"][own["kernels"][int(letter, 36)][0]]
            expected = "kernel" if alias == key else ALIASES[alias]
            reason = re.search(r"\[([^\]]*)\]$", rows[key])
            found = reason[1] if reason else None
            if expected == "kernel" and found != "kernel":
                # This build lacks it.
                lacking.add(key)
                continue
            compared += 1
            if found != expected:
                print(f"{operator}, {key}: {expected}, and torch has {rows[key]}")
    print(f"{compared} compared")


main(Path(sys.argv[1]))
