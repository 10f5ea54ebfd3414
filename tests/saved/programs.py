"""Saves a program for each operator with `save`, or loads and runs those of another library.

    python programs.py save old.so DIRECTORY
    python programs.py load new.so DIRECTORY

`load` prints a line for each operator: how torch.export's program and TorchScript's end.
"""

import importlib.util
import sys
from pathlib import Path

import torch

# The arguments of each call after the first tensor.
CALLS = {
    "argument_renamed": "n=3",
    "argument_added": "",
    "argument_inserted": "3",
    "required_argument_added": "",
    "argument_removed": "3",
    "arguments_reordered": "7, 0.5",
    "argument_keyword_only": "3",
    "argument_positional": "n=3",
    "argument_type_widened": "3",
    "argument_type_changed": "3",
    "default_added": "3",
    "default_removed": "",
    "default_changed": "",
    "result_added": "",
    "result_renamed": "",
    "result_type_narrowed": "",
    "argument_alias_changed": "x",
    "declaration_renamed": "",
}
X = torch.arange(3.0)


def module(name: str) -> torch.nn.Module:
    call = f"torch.ops.saved.{name}(x{', ' if CALLS[name] else ''}{CALLS[name]})"
    if name == "result_type_narrowed":
        body = f"    y = {call}\n    assert y is not None\n    return y * 2"
    else:
        body = f"    return {call} * 2"
    # TorchScript reads the source.
    path = Path(sys.argv[3]) / f"{name}_module.py"
    path.write_text(f"import torch\n\n\ndef forward(x: torch.Tensor) -> torch.Tensor:\n{body}\n")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    written = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(written)

    class Module(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return written.forward(x)

    one = Module()
    one.function = written.forward
    return one


def save(directory: Path) -> None:
    for name in CALLS:
        one = module(name)
        expected = one(X)
        torch.save(expected, directory / f"{name}.pt")
        torch.export.save(torch.export.export(one, (X,)), directory / f"{name}.pt2")
        torch.jit.save(torch.jit.script(one.function), str(directory / f"{name}.ts"))


def outcome(run, expected: torch.Tensor) -> str:
    try:
        result = run()
    except Exception as error:
        return f"fails with {type(error).__name__}"
    return "works" if torch.equal(result, expected) else "computes something else"


def load(directory: Path) -> None:
    for name in CALLS:
        expected = torch.load(directory / f"{name}.pt")
        exported = outcome(lambda: torch.export.load(directory / f"{name}.pt2").module()(X), expected)
        scripted = outcome(lambda: torch.jit.load(str(directory / f"{name}.ts"))(X), expected)
        print(f"{name} | {exported} | {scripted}")


torch.ops.load_library(sys.argv[2])
{"save": save, "load": load}[sys.argv[1]](Path(sys.argv[3]))
