"""Compares operators of random libraries with composites that plain autograd derives.

    python harness.py OUT.json COMPILED CHECK DIRECTORY...

COMPILED is a number: torch.compile compiles the first operator of every so many libraries; 0 is
none. CHECK is a check or "all". Each directory has the same libraries for another ABI, in one
process: the composites are derived once. A directory has the package in `python/`,
`composites.py`, and `library.json`. For each directory, the output has a list of failures, each
with operator, check and text, and facts that have to be the same on both ABIs.

TORCHGEN_PLANTED plants an error, for the tests of this machine: see `planted` below.
"""

import importlib
import importlib.util
import json
import os
import sys
import time
import traceback
from pathlib import Path

import torch

import checks


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def planted(operator, composite):
    """The composite, with another value if the operator has arguments of all kinds that are named."""
    kinds = {argument["kind"] for argument in operator["arguments"]}
    named = set(filter(None, os.environ.get("TORCHGEN_PLANTED", "").split(",")))
    if not named or not named <= kinds:
        return composite

    def wrong(*values):
        first, *rest = composite(*values)
        return (first * 2, *rest)

    return wrong


class Package:
    """The libraries on one ABI, and what is found."""

    def __init__(self, directory):
        library = json.loads((directory / "library.json").read_text())
        sys.path.insert(0, str(directory / "python"))
        # The shared object's name is in the package's own variable.
        self.package = importlib.import_module(library["namespace"])
        self.operators = getattr(torch.ops, library["namespace"])
        self.composites = load(directory / "composites.py")
        self.described = {operator["name"]: operator for operator in library["operators"]}
        self.found = {"failures": [], "facts": [], "count": 0, "spent": {}}

    def run(self, operator, check, subject):
        self.found["count"] += 1
        name, before = operator["name"], time.process_time()
        try:
            facts = check(subject)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = ", ".join(f"{frame.name}:{frame.lineno}" for frame in frames[1:])
            text = f"{type(error).__name__}: {str(error)[:600]} ({where})"
            self.found["failures"].append([name, check.__name__, text])
        else:
            self.found["facts"] += [[name, check.__name__, fact] for fact in facts or ()]
        spent = self.found["spent"]
        spent[check.__name__] = spent.get(check.__name__, 0) + time.process_time() - before


def is_compiled(name, every):
    library, _, place = name.rpartition("_op")
    number = int("".join(filter(str.isdigit, library)) or 0)
    return every > 0 and number % every == 0 and place in ("", "0")


def run(packages, every, only):
    for name, operator in packages[0].described.items():
        composite = checks.Composite(operator, planted(operator, getattr(packages[0].composites, name)))
        for package in packages:
            if name not in package.described:
                continue
            subject = checks.Subject(operator, package.operators, package.package, composite)
            for check in checks.ALL:
                if only not in ("all", check.__name__) or check in checks.COMPILING and not is_compiled(name, every):
                    continue
                package.run(operator, check, subject)


def main():
    out, every, only, *directories = sys.argv[1:]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    packages = [Package(Path(directory)) for directory in directories]
    packages[0].found["spent"]["imports"] = time.process_time()
    for package in packages:
        package.found["gradients"] = 0
    run(packages, int(every), only)
    packages[0].found["gradients"] = checks.counted["gradients"]
    Path(out).write_text(json.dumps([package.found for package in packages]))


main()
