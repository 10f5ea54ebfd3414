"""Compares operators of random libraries with composites that plain autograd derives.

    python harness.py OUT.json COMPILED CHECK DIRECTORY

COMPILED is the number of operators of each library that torch.compile compiles, CHECK a check or
"all". The directory has the package in `python/`, `composites.py`, and `library.json`. The output
has a list of failures, each with operator, check and text, and facts that have to be the same on
both ABIs.
"""

import importlib
import importlib.util
import json
import sys
import traceback
from pathlib import Path

import torch

import checks


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(directory, compiled, only, found):
    library = json.loads((directory / "library.json").read_text())
    sys.path.insert(0, str(directory / "python"))
    package = importlib.import_module(library["namespace"])
    composites = load(directory / "composites.py")
    operators = getattr(torch.ops, library["namespace"])
    for operator in library["operators"]:
        name = operator["name"]
        place = int(name.rpartition("op")[2] or 0)
        subject = checks.Subject(operator, operators, package, getattr(composites, name))
        for check in checks.ALL:
            if only not in ("all", check.__name__) or check in checks.COMPILING and place >= compiled:
                continue
            found["count"] += 1
            try:
                facts = check(subject)
            except Exception as error:
                frames = traceback.extract_tb(error.__traceback__)
                where = ", ".join(f"{frame.name}:{frame.lineno}" for frame in frames[1:])
                text = f"{type(error).__name__}: {str(error)[:600]} ({where})"
                found["failures"].append([name, check.__name__, text])
            else:
                found["facts"] += [[name, check.__name__, fact] for fact in facts or ()]


def main():
    out, compiled, only, directory = sys.argv[1:]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    found = {"failures": [], "facts": [], "count": 0}
    run(Path(directory), int(compiled), only, found)
    found["gradients"] = checks.counted["gradients"]
    Path(out).write_text(json.dumps(found))


main()
