"""Calls the operators that tests/torch/names.rs writes, and compares values, gradients and tangents."""

import json
import sys

import torch
from torch.autograd import forward_ad

import spelled

names = json.load(open(sys.argv[1]))
ops = torch.ops.spelled
double = {"dtype": torch.double}


def leaf(value):
    return torch.tensor([value], requires_grad=True, **double)


for name in ("one_result", "one_op"):
    x = leaf(3.0)
    out = getattr(ops, name)(x)
    out.backward()
    assert out.item() == 6.0 and x.grad.item() == 2.0, (name, out, x.grad)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x.detach(), torch.full((1,), 5.0, **double))
        assert forward_ad.unpack_dual(getattr(ops, name)(dual)).tangent.item() == 10.0, name

out = ops.types1(
    leaf(3.0), 2.0, torch.device("cpu"), torch.strided, torch.contiguous_format, None, torch.double, last=leaf(4.0)
)
assert out.item() == 8.0, out

for index, group in enumerate(names["results"]):
    x, y = leaf(3.0), leaf(2.0)
    out = getattr(ops, f"results{index}")(x, y)
    assert [one.item() for one in out] == [6.0, 2.0, 20.0, 200.0, 2000.0, 20000.0], (group, out)
    out[0].backward()
    assert x.grad.item() == 2.0 + 40.0 + 600.0 + 8000.0 + 100000.0, (group, x.grad)
    assert y.grad.item() == 7.0, (group, y.grad)

for index, group in enumerate(names["numbers"]):
    function = getattr(ops, f"numbers{index}")
    for keywords, weight in [({group[2]: 3.0, group[3]: 4.0}, 4321.0), ({}, 8721.0)]:
        x = leaf(3.0)
        out = function(x, 1.0, 2.0, **keywords)
        assert out.item() == 3.0 * weight, (group, keywords, out)
        out.backward()
        assert x.grad.item() == weight, (group, keywords, x.grad)
        meta = function(torch.empty(5, device="meta"), 1.0, 2.0, **keywords)
        assert meta.shape == (5,) and meta.device.type == "meta", group

for index, group in enumerate(names["tensors"]):
    function = getattr(ops, f"tensors{index}")
    inputs = [leaf(float(i + 1)) for i in range(4)]
    out = function(*inputs)
    assert out.item() == 4321.0, (group, out)
    out.backward()
    # The gradient of each is its weight times the next one.
    gradients = [one.grad.item() for one in inputs]
    assert gradients == [2.0, 30.0, 400.0, 1000.0], (group, gradients)
    with forward_ad.dual_level():
        tangents = [torch.full((1,), i + 5.0, **double) for i in range(4)]
        duals = [forward_ad.make_dual(one.detach(), tangent) for one, tangent in zip(inputs, tangents)]
        tangent = forward_ad.unpack_dual(function(*duals)).tangent
    assert tangent.item() == 8765.0, (group, tangent)

for name in names["operators"]:
    x = leaf(3.0)
    out = getattr(ops, name)(x)
    out.backward()
    assert out.item() == 6.0 and x.grad.item() == 5.0, (name, out, x.grad)
    x = leaf(3.0)
    out = getattr(ops, name + "_")(x.clone())
    out.backward()
    assert out.item() == 6.0 and x.grad.item() == 5.0, (name, out, x.grad)
    assert getattr(ops, name)(torch.empty(5, device="meta")).shape == (5,), name
    # Python's names have underscores where the package has the name itself.
    public = [getattr(spelled, name + end, None) for end in ("", "_", "__")]
    public = [one for one in public if getattr(one, "__module__", None) == "spelled._ops"]
    assert any(one(torch.ones(1, **double)).item() == 2.0 for one in public), name

# A result that is not there.
for given in [True, False]:
    x = leaf(3.0)
    out, other = ops.maybe(x, given)
    assert (other is not None) == given and (other is None or not other.requires_grad)
    out.backward()
    assert x.grad.item() == 2.0, (given, x.grad)
    x = leaf(3.0)
    out, other = ops.maybe_both(x, given)
    sum(one for one in (out, other) if one is not None).backward()
    assert x.grad.item() == (5.0 if given else 2.0), (given, x.grad)
    with forward_ad.dual_level():
        out, other = ops.maybe_both(forward_ad.make_dual(x.detach(), torch.ones(1, **double)), given)
        assert forward_ad.unpack_dual(out).tangent.item() == 2.0
        assert other is None or forward_ad.unpack_dual(other).tangent.item() == 3.0

# A fake refuses tensors on several devices, as the operator does.
try:
    ops.tensors0(*[torch.ones(1, device=where) for where in ["meta", "cpu", "meta", "meta"]])
except RuntimeError as error:
    assert "on one device" in str(error), error
else:
    raise AssertionError("a fake took tensors on two devices")

print(f"{sum(map(len, names['results']))} names ok in torch {torch.__version__.split('+')[0]}")
