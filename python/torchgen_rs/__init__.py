"""Turns PyTorch operator schemas in YAML into C++ and Python, as torchgen does, and serves operator
libraries outside PyTorch.

:func:`generate`, :func:`check` and :func:`explain` are the commands of the program as functions;
:mod:`torchgen_rs.commands` has all of them. :func:`facts` is the model as data.
``python -m torchgen_rs`` is the program.
"""

from ._torchgen_rs import __version__

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

# Imported when they are first used: the program itself, which is started very often, needs none of
# them. The types are in __init__.pyi.
_MODULES = {
    "Change": "results",
    "Diagnostic": "results",
    "Edit": "results",
    "Effect": "results",
    "Facts": "results",
    "Fix": "results",
    "Label": "results",
    "Run": "results",
    "SchemaError": "results",
    "Span": "results",
    "TorchgenError": "results",
    "check": "commands",
    "explain": "_functions",
    "facts": "_functions",
    "generate": "commands",
    "main": "_program",
    "run": "_calls",
}


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
