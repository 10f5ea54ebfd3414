"""Compares the functions of a Python module with the operators that `adopt` made of them."""

import counterlib
import functions
import pytest
import torch
from hard_inputs import gradients
from torch.library import opcheck

kept = functions.register()
import more_counterlib as more  # noqa: E402

ops = torch.ops.counterlib


def x():
    return torch.arange(6.0) - 2


# Each with the arguments of a call, which the function can mutate.
CALLS = {
    "sell": lambda: ((x(), 3.0), {}),
    "ramp": lambda: ((torch.zeros(4), 5), {}),
    "scale_into": lambda: ((x(), torch.zeros(6), 0.5), {}),
    "clip_": lambda: ((x(), -1.0, 2.0), {}),
    "rounded": lambda: ((x(), 0.7), {}),
    "thirds": lambda: ((x(),), {}),
    "pieces": lambda: ((x(), 4), {}),
    "extremes": lambda: ((x(),), {}),
    "weighted": lambda: ((x(), 2 * x()), {"mode": "sum", "twice": True}),
    "window": lambda: ((x()[:1], [3, 2]), {"fill": 0.5}),
    "refund": lambda: ((x(), 2), {}),
    "gather": lambda: (([x(), 2 * x()], torch.zeros(2, 6)), {}),
    "count": lambda: ((x(), 0), {}),
    "scaled": lambda: ((x(), 2 * x()), {"rate": 0.25}),
    "mixed": lambda: ((x(), 2 * x()), {}),
    "mixed_backward": lambda: ((x(), 2 * x(), 3 * x()), {}),
}
for name, call in CALLS.items():
    packet = getattr(ops, name)
    before, after = call(), call()
    result, expected = packet(*after[0], **after[1]), getattr(counterlib, name)(*before[0], **before[1])
    # A list of results is a tuple if its length is known.
    expected = list(expected) if isinstance(result, list) else tuple(expected) if isinstance(result, tuple) else expected
    torch.testing.assert_close(result, expected)
    torch.testing.assert_close(after[0], before[0])
    args, kwargs = call()
    opcheck(packet.default, args, kwargs, test_utils="test_schema")
# Without what has a default.
torch.testing.assert_close(ops.sell(x()), counterlib.sell(x()))
torch.testing.assert_close(ops.window(x()[:1]), counterlib.window(x()[:1]))
torch.testing.assert_close(ops.weighted(x()), counterlib.weighted(x()))

# Numbers are checked as pybind11 does.
for call in (lambda: ops.ramp(torch.zeros(1), 2**40), lambda: ops.window(x()[:1], [2**40, 1])):
    with pytest.raises(ValueError, match="does not fit"):
        call()
with pytest.raises(TypeError):
    counterlib.ramp(torch.zeros(1), 2**40)

# A guess that is wrong does not pass.
library = torch.library.Library("counterlib", "FRAGMENT")
library.define("wrong(Tensor out, int start=0) -> ()")
library.impl("wrong", counterlib.ramp, "CompositeExplicitAutograd")
with pytest.raises(Exception, match="Argument out is not defined as mutable but was mutated"):
    opcheck(ops.wrong.default, (torch.zeros(4), 5), test_utils="test_schema")

# The formulas of autograd functions have their gradients, and replace none of the library.
def leaf(scale=1.0):
    return (scale * x()).requires_grad_()


compared = more._registrations.COMPARED
COMPARED = {
    "sell": lambda: ((leaf(), 3.0), {}),
    "scaled": lambda: ((leaf(), leaf(2.0), 0.25), {}),
    "mixed": lambda: ((leaf(), leaf(0.5)), {}),
}
assert set(compared) == {f"counterlib::{name}" for name in COMPARED}, compared
for name, arguments in COMPARED.items():
    found, recorded = gradients(getattr(ops, name).default, arguments, compared[f"counterlib::{name}"])
    assert recorded is not None, name
    torch.testing.assert_close(found, recorded)
    own = getattr(ops, name)(*arguments()[0]).grad_fn
    assert "_autograd" not in type(own).__module__, (name, own)
assert more._registrations.differences() == []
# An operator without a gradient gets that of the class around it.
one, other = leaf(), leaf()
torch.autograd.backward([functions.Refund.apply(one, 3).sum(), more.refund(other, 3).sum()])
torch.testing.assert_close(one.grad, other.grad)
# What the library no longer has is found.
name, kernel = next(iter(compared.items()))
more._registrations._OWN = {}
more._registrations.compared(name, kernel, True)
assert "delete `compared`" in more._registrations.differences()[-1]
print("bound ok")
