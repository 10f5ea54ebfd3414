"""Compares the kernels of backend.yaml with the CPU's, variant by variant: `behaviour.py LIBRARY`."""

import ctypes
import sys

import simulator
import torch
from simulator import moved

torch.ops.load_library(sys.argv[1])
torch.manual_seed(0)


def same(name, function, *arguments, **keywords):
    """The function returns the same on both devices, without a fallback to the CPU."""
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
# A transposed output keeps its strides; the kernel writes to a temporary tensor.
same("aten::maximum", lambda a, b, out: torch.maximum(a, b, out=out), a, b, torch.empty(4, 3).t())
print("values ok")

wanted = torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
there = [moved(tensor) for tensor in wanted]
for first, second in (wanted, there):
    torch.sub(torch.mul(first, second), torch.maximum(first, second)).backward(torch.ones(3, 4, device=first.device))
for ours, theirs in zip(there, wanted, strict=True):
    torch.testing.assert_close(ours.grad.cpu(), theirs.grad)
print("gradients ok")

# The backend's own derivatives: PyTorch's gradient of relu is not doubled.
own = {"AutogradPrivateUse1"}


def registered(name):
    return own & {line.split(":")[0] for line in torch._C._dispatch_dump(name).splitlines()}


for name in ("aten::relu", "aten::relu_", "aten::matmul", "aten::mul.Tensor", "aten::mul_.Tensor", "aten::mul.out"):
    assert registered(name), name
assert not registered("aten::neg")


def differentiated(function, *inputs, device):
    inputs = [moved(value.detach(), device).requires_grad_() for value in inputs]
    out = function(*inputs)
    weights = torch.arange(1.0, out.numel() + 1).reshape(out.shape).to(out.dtype).to(device)
    return [gradient.cpu() for gradient in torch.autograd.grad(out, inputs, weights, create_graph=True)]


def same_gradients(function, *inputs, factor=1):
    expected = differentiated(function, *inputs, device=torch.device("cpu"))
    found = differentiated(function, *inputs, device=simulator.DEVICE)
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours, factor * theirs)


same_gradients(torch.relu, a, factor=2)
same_gradients(lambda x: torch.relu_(x * 1), a, factor=2)
same_gradients(torch.matmul, a, b.t().contiguous())
same_gradients(torch.mul, a, row)
same_gradients(lambda x, y: (x * 1).mul_(y), a, row)
# The additions of `--data-dir`: PyTorch's list of operators with gradients for complex numbers
# lacks matmul.
same_gradients(torch.matmul, torch.randn(2, 3, dtype=torch.complex64), torch.randn(3, 2, dtype=torch.complex64))
try:
    differentiated(torch.relu, torch.randn(2, dtype=torch.complex64), device=simulator.DEVICE)
except RuntimeError:
    pass
else:
    raise AssertionError("relu has a gradient for complex numbers")
print("complex ok")
# The node is the backend's: matmul is one node, whereas PyTorch composes it of mm.
product = torch.matmul(moved(a).requires_grad_(), moved(b.t().contiguous()))
assert product.grad_fn.name() == "MatmulBackward0", product.grad_fn.name()
assert moved(a).requires_grad_().relu().grad_fn.name() == "ReluBackward0"
try:
    torch.matmul(moved(a).requires_grad_(), moved(b.t().contiguous()), out=torch.empty(3, 3, device=simulator.DEVICE))
except RuntimeError as error:
    assert "automatic differentiation" in str(error), error
else:
    raise AssertionError("out= kept no gradient")
# out= increments the version, although no kernel of PyTorch's does.
out = torch.empty(3, 3, device=simulator.DEVICE)
before = out._version
torch.matmul(moved(a), moved(b.t().contiguous()), out=out)
assert out._version > before, (before, out._version)
print("derivatives ok")

forward_mode = sys.argv[2] == "forward"
with torch.autograd.forward_ad.dual_level():
    dual = lambda value, tangent, device: torch.autograd.forward_ad.make_dual(moved(value, device), moved(tangent, device))
    for function, inputs in ((torch.matmul, (a, b.t().contiguous())), (torch.mul, (a, b))):
        there, here = (
            function(*(dual(value, torch.ones_like(value), device) for value in inputs))
            if device.type == "cpu" or forward_mode
            else None
            for device in (simulator.DEVICE, torch.device("cpu"))
        )
        if forward_mode:
            for ours, theirs in zip(*map(torch.autograd.forward_ad.unpack_dual, (there, here)), strict=True):
                torch.testing.assert_close(ours.cpu(), theirs)
            continue
        try:
            function(*(dual(value, torch.ones_like(value), simulator.DEVICE) for value in inputs))
        except NotImplementedError as error:
            assert "forward AD" in str(error), error
        else:
            raise AssertionError("there is forward mode")
print("forward mode ok")

# The backend's own operators, from the same run.
scaled_sum = torch.ops.own.scaled_sum
ours = [moved(value).requires_grad_() for value in (a, b)]
total = scaled_sum(*ours, scale=3.0)
torch.testing.assert_close(total.detach().cpu(), 3 * a + b)
total.sum().backward()
torch.testing.assert_close(ours[0].grad.cpu(), torch.full_like(a, 3))
torch.testing.assert_close(ours[1].grad.cpu(), torch.ones_like(b))
print("own operators ok")

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

loaded = ctypes.CDLL(sys.argv[1])
assert loaded.own_answer() == 42
print("hooks ok")
# The guard and the check are those that the YAML names.
assert loaded.own_guards() > 0 and loaded.own_checks() > 0
loaded.own_through_shim.restype = ctypes.c_bool
assert loaded.own_through_shim()
print("shim ok")
