"""Compares formulas in C++ with their translations to Python.

    python harness.py OUT.json OBJECT PACKAGES FORMULAS.json PROGRESS

OBJECT has the formulas in C++ (node.h), PACKAGES the package of the library. FORMULAS has the
schemas of the package's operators, and the number, operator and text of each formula that is run.
The output has what differs: number, set, and both values; and how many pairs of values and of
errors were compared. PROGRESS has the formula and the side that ran last, so that one which ends
the process is known.
"""

import importlib
import json
import os
import sys
import warnings

import torch

import values

# What these return has no values yet.
UNINITIALIZED = ("empty", "resize")


def drawn(chosen):
    """New values, so that a formula which changes them changes no others."""
    all = chosen()
    all["arguments"][0].requires_grad_()
    return all


def kernel(self, *_rest):
    return self * 2


def kernel_of_two(self, *_rest):
    return self * 2, self * 3


def shown(value):
    if isinstance(value, torch.Tensor):
        text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
        if value.layout != torch.strided or value.is_meta or value.is_quantized:
            return f"{text} {value.layout} {value.device}"
        return f"{text} {value.detach().resolve_conj().resolve_neg().tolist()}"[:300]
    return repr(value)[:300]


def same(one, other, has_values):
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        facts = lambda t: (t.dtype, t.shape, t.layout, t.device, t.is_conj(), t.is_neg())  # noqa: E731
        if facts(one) != facts(other):
            return False
        if not has_values or one.layout != torch.strided or one.is_meta:
            return True
        if one.is_quantized:
            return torch.equal(one.int_repr(), other.int_repr())
        return torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)
    return one is None and other is None


def outcome(function):
    torch.manual_seed(0)
    try:
        with torch.no_grad():
            return function(), None
    except Exception as error:
        return None, error


class Formula:
    def __init__(self, number, name, text):
        self.number, self.name, self.text = number, name, text
        self.operator = getattr(torch.ops.looked, name).default
        self.has_values = not any(word in text for word in UNINITIALIZED)

    def python(self, chosen):
        arguments = chosen["arguments"]
        with torch.enable_grad():
            out = self.operator(*arguments)
        grads = [chosen["grad"], chosen["grad_second"]] if isinstance(out, tuple) else [chosen["grad"]]
        node = (out[0] if isinstance(out, tuple) else out).grad_fn
        function = type(node)._forward_cls
        return outcome(lambda: function.backward(node, *grads)[1])

    def cpp(self, chosen):
        arguments = chosen["arguments"]
        first, second = (result.detach() for result in kernel_of_two(arguments[0]))
        grad = chosen["grad_second"]
        if grad is None and not any(f"{name}.defined()" in self.text for name in ("grads[1]", "grad_second")):
            grad = torch.zeros_like(second)
        return outcome(lambda: torch.ops.looked_cpp.call.default(self.number, chosen["grad"], grad, first, second, *arguments))


def main():
    out, shared, packages, formulas, progress = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.ops.load_library(shared)
    with open(formulas) as file:
        formulas = json.load(file)
    library = torch.library.Library("looked", "DEF")
    for schema in formulas["operators"]:
        library.define(schema, tags=[torch.Tag.pt2_compliant_tag])
        library.impl(schema.split("(")[0], kernel if schema.endswith("-> Tensor") else kernel_of_two, "CPU")
    sys.path.insert(0, packages)
    importlib.import_module("looked")
    place = os.open(progress, os.O_WRONLY | os.O_CREAT)
    differ, counts = [], {"values": 0, "errors": 0, "kinds": 0}
    for formula in formulas["formulas"]:
        one = Formula(formula["number"], formula["name"], formula["text"])
        for chosen in values.SETS:
            os.pwrite(place, f"{one.number:8} {chosen.__name__:16} python".encode(), 0)
            python, raised = one.python(drawn(chosen))
            os.pwrite(place, f"{one.number:8} {chosen.__name__:16} cpp   ".encode(), 0)
            cpp, thrown = one.cpp(drawn(chosen))
            if raised is not None and thrown is not None:
                counts["errors"] += 1
                counts["kinds"] += type(raised) is not type(thrown)
            elif raised is None and thrown is None and same(python, cpp, one.has_values):
                counts["values"] += 1
            else:
                said = [
                    f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}" if error is not None else shown(value)
                    for value, error in ((cpp, thrown), (python, raised))
                ]
                differ.append([one.number, chosen.__name__, *said])
    with open(out, "w") as file:
        json.dump({"differ": differ, **counts}, file)
    # Objects that formulas made may have no right end.
    os._exit(0)


main()
