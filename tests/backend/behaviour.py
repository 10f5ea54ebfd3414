"""Compares the kernels of backend.yaml with the CPU's, variant by variant: `behaviour.py LIBRARY`."""

import ctypes
import sys

import simulator
import torch
from simulator import moved

torch.ops.load_library(sys.argv[1])
torch.manual_seed(0)


def same(name, function, *arguments, **keywords):
    """The function gives the same on both devices, and none of it ran on the CPU by fallback."""
    expected = function(*arguments, **keywords)
    simulator.fallen_back()
    there = function(*map(moved, arguments), **{key: moved(value) for key, value in keywords.items()})
    fallen = {operator for operator in simulator.fallen_back() if operator.startswith(name)}
    assert not fallen, fallen
    as_tuple = lambda value: value if isinstance(value, tuple) else (value,)
    for ours, theirs in zip(as_tuple(there), as_tuple(expected), strict=True):
        assert ours.device == simulator.DEVICE, ours.device
        torch.testing.assert_close(ours.cpu(), theirs)


def variants(name, functional, inplace, *inputs):
    """The functional, the inplace and the out variant."""
    same(f"aten::{name}", functional, *inputs)
    same(f"aten::{name}", lambda first, *rest: inplace(first.clone(), *rest) if inplace else first, *inputs)
    out = lambda *inputs: functional(*inputs, out=torch.empty(0, device=inputs[0].device))
    same(f"aten::{name}", out, *inputs)


a, b, row = torch.randn(3, 4), torch.randn(3, 4), torch.randn(4)
variants("maximum", torch.maximum, None, a, b)
variants("mul", torch.mul, torch.Tensor.mul_, a, b)
variants("mul", torch.mul, torch.Tensor.mul_, a, row)
variants("sub", torch.sub, torch.Tensor.sub_, a, b)
same("aten::sub", lambda a, b: torch.sub(a, b, alpha=3), a, b)
same("aten::sort", lambda a: tuple(torch.sort(a, dim=0, stable=True, descending=True)), a)
index, source = torch.tensor([0, 2]), torch.randn(2, 4)
same("aten::index_add", lambda a, index, source: torch.index_add(a, 0, index, source, alpha=2), a, index, source)
same("aten::relu", torch.relu, a)
same("aten::relu", lambda a: torch.relu_(a.clone()), a)
same("aten::neg", torch.neg, a)
# A transposed output keeps its strides, and the kernel writes to a tensor in its place.
same("aten::maximum", lambda a, b, out: torch.maximum(a, b, out=out), a, b, torch.empty(4, 3).t())
print("values ok")

wanted = torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
there = [moved(tensor) for tensor in wanted]
for first, second in (wanted, there):
    torch.sub(torch.mul(first, second), torch.maximum(first, second)).backward(torch.ones(3, 4, device=first.device))
for ours, theirs in zip(there, wanted, strict=True):
    torch.testing.assert_close(ours.grad.cpu(), theirs.grad)
print("gradients ok")

for call in (lambda: torch.mul(moved(torch.ones(1, 1, 1, 1, 1)), 2), lambda: torch.maximum(moved(a), moved(torch.randn(5)))):
    try:
        call()
    except RuntimeError as error:
        assert "too many dimensions" in str(error) or "must match" in str(error), error
    else:
        raise AssertionError("the meta function did not run")
try:
    torch.maximum(moved(a), b)
except RuntimeError as error:
    assert "same device" in str(error), error
print("checks ok")

assert ctypes.CDLL(sys.argv[1]).own_answer() == 42
print("hooks ok")
