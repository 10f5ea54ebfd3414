"""Turns PyTorch operator schemas in YAML into C++ and Python, as torchgen does, and serves operator
libraries outside PyTorch.

`generate`, `check` and `explain` are the commands of the program as functions;
`torchgen_rs.commands` has all of them. `facts` is the model as data. `python -m torchgen_rs` is the
program.
"""

from ._calls import run as run
from ._functions import explain as explain, facts as facts
from ._program import main as main
from ._torchgen_rs import __version__ as __version__
from .commands import check as check, generate as generate
from .results import (
    Change as Change,
    Diagnostic as Diagnostic,
    Edit as Edit,
    Effect as Effect,
    Facts as Facts,
    Fix as Fix,
    Label as Label,
    Run as Run,
    SchemaError as SchemaError,
    Span as Span,
    TorchgenError as TorchgenError,
)

__all__ = [
    "Change",
    "Diagnostic",
    "Edit",
    "Effect",
    "Facts",
    "Fix",
    "Label",
    "Run",
    "SchemaError",
    "Span",
    "TorchgenError",
    "__version__",
    "check",
    "explain",
    "facts",
    "generate",
    "main",
    "run",
]
