"""Checks that nothing of a library that registers itself is replaced, and what it gets in addition."""

import adopted_oldlib as ops
import oldlib
import torch
from hard_inputs import gradients
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.library import opcheck


def gradient(function):
    x = torch.ones(3, requires_grad=True)
    function(x).sum().backward()
    return x.grad[0].item()


# A kernel for autograd is never replaced; that of another device does not hide the formula.
assert gradient(ops.own) == 100
assert gradient(ops.partly) == 2
keys = torch._C._dispatch_dump("oldlib::partly")
assert "AutogradCUDA: registered at" in keys and "oldlib.py" in keys, keys

# A formula replaces what a composite kernel calls, and nothing else does.
assert gradient(ops.composite) == 7
assert gradient(ops.untouched) == 2
compiled = torch.compile(lambda x: ops.composite(x) + 1, backend="aot_eager", fullgraph=True)
assert gradient(compiled) == 7

# What formulas replace can be compared with what they give: kernels call operators that have gradients, or none.
for operator, own, kernel in (("composite", 7, 2), ("partly", 2, 2), ("rounded", 1, None)):
    argument = lambda: ((torch.ones(1, requires_grad=True),), {})
    found, recorded = gradients(getattr(torch.ops.oldlib, operator).default, argument)
    assert found[0].item() == own, (operator, found)
    assert recorded == kernel if kernel is None else recorded[0].item() == kernel, (operator, recorded)

# There is no second fake.
with FakeTensorMode():
    assert ops.faked(torch.empty(3)).shape == (3,)
    assert ops.meta(torch.empty(3)).shape == (3,)
assert oldlib.seen == ["faked", "meta"], oldlib.seen

# A fake checks devices, unless its entry says that the kernel does not.
with FakeTensorMode():
    x, scalar = torch.empty(3), torch.empty((), device="meta")
    assert ops.scaled(x, scalar).shape == (3,)
    try:
        ops.checked(x, scalar)
    except RuntimeError as error:
        assert "all tensors must be on one device" in str(error), error
    else:
        raise AssertionError("two devices were accepted")

# What is mutated is counted, unless the library counts it or its entry says otherwise.
for function, count in ((ops.shift_, 1), (ops.counted_, 2), (ops.uncounted_, 0)):
    x = torch.zeros(3)
    before = x._version
    assert function(x) is x
    assert x._version - before == count, function
try:
    ops.shift_(torch.zeros(3, requires_grad=True))
except RuntimeError as error:
    assert "no argument can require a gradient" in str(error), error
else:
    raise AssertionError("a lost gradient was accepted")

# Schemas are compared by what they say, not by their spelling.
expected = [
    "oldlib::changed: the entry has oldlib::changed(Tensor x, int n=2) -> Tensor, and the library registers "
    "oldlib::changed(Tensor x, int n=1) -> Tensor",
    "oldlib::faked: its `fake:` has no effect, because the library has its own, ",
    "oldlib::meta: its `fake:` has no effect, because the library has its own for Meta, registered at ",
    "oldlib::own: its entry in derivatives.yaml has no effect, because the library has its own for Autograd, ",
]
found = sorted(ops._registrations.differences())
assert len(found) == len(expected), found
for line, start in zip(found, expected, strict=True):
    assert line.startswith(start), (line, start)

assert ops.nested(torch.ones(2), [[1], [2]]).tolist() == [2, 2]
results = opcheck(torch.ops.oldlib.partly.default, (torch.ones(3, requires_grad=True),), raise_exception=False)
print("registered ok")
