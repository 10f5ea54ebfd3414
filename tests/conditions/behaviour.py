"""Calls a library whose build has, or lacks, the operators of WITH_SCALED: the argument is 1 or 0."""

import sys

import torch

sys.path.insert(0, sys.argv[1])
import cond

built = sys.argv[2] == "1"
x = torch.rand(3, dtype=torch.double)
ops = torch.ops.cond
assert torch.equal(cond.always(x), x + 1)
assert torch.equal(cond.recent(x), x + 3)
print("always ok")


def refused(call, *words):
    try:
        call()
    except NotImplementedError as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError("nothing was raised")


assert not hasattr(ops, "future")
refused(lambda: cond.future(x), "This build lacks cond::future", "torch >= 9.9 or cuda_arch >= 9.0")
names = ["scaled", "scaled_", "clamped", "head", "made", "faked", "boxed"]
if built:
    y = x.clone().requires_grad_()
    assert torch.equal(cond.scaled(y, 3.0), x * 3) and torch.autograd.gradcheck(cond.scaled, (y,))
    assert torch.equal(cond.scaled_(x.clone()), x * 2)
    assert torch.equal(cond.clamped(x, 0.5), x.clamp(max=0.5))
    assert torch.equal(cond.clamped(x, 0.5, out=torch.empty_like(x)), x.clamp(max=0.5))
    assert cond.head(y)._base is y or cond.head(y)._is_view()
    assert cond.made([2]).sum() == 2
    assert torch.compile(lambda t: cond.faked(t) * 2, backend="aot_eager", fullgraph=True)(x) == x.sum() * 2
    assert torch.equal(cond.boxed({"x": x}), x)
    assert torch.equal(cond.shifted(x), x + 2)
else:
    for name in names:
        assert not hasattr(ops, name), name
    for name in ["scaled", "scaled_", "head", "made", "faked"]:
        refused(lambda: getattr(cond, name)(x), f"This build lacks cond::{name}, which needs: WITH_SCALED")
    refused(lambda: cond.clamped(x, 1.0), "cond::clamped", "WITH_SCALED")
    refused(lambda: cond.boxed({}), "cond::boxed")
    # The operator is there, only its kernel is not.
    refused(lambda: cond.shifted(x), "cond::shifted", "'CPU' backend")
assert cond.shifted(x.to("meta")).shape == (3,)
assert "Only in builds with WITH_SCALED." in cond.scaled.__doc__
# No kernel is registered for an operator that does not exist.
dangling = torch._C._dispatch_find_dangling_impls()
assert not any("cond::" in text for text in dangling), dangling
print("built" if built else "not built", "ok")
