"""Calls the operators of tests/names through their Python package: arguments are the directory of the package and the library."""

import os
import sys

import torch

sys.path.insert(0, sys.argv[1])
os.environ["NAMES_LIBRARY"] = sys.argv[2]
import names  # noqa: E402
from torch.autograd import forward_ad  # noqa: E402

x = torch.ones(3, requires_grad=True)
y = torch.full((3,), 2.0, requires_grad=True)

# Keywords are those of the schema, and formulas use them.
total = names.reduce(x, op="sum", int64_t=5, NAN=1.0, xor=False, default=2)
total.backward()
assert total.item() == 30 and x.grad.tolist() == [10.0] * 3, (total, x.grad)
assert names.reduce(x.detach(), "none").tolist() == [1.0] * 3
x.grad = None
first, second = names.scale(x, new=y, template=4.0)
(first + second).sum().backward()
assert x.grad.tolist() == [8.0] * 3 and y.grad.tolist() == [5.0] * 3, (x.grad, y.grad)
with forward_ad.dual_level():
    dual = forward_ad.make_dual(x.detach(), torch.ones(3))
    tangent = forward_ad.unpack_dual(names.scale(dual, y.detach())[0]).tangent
    assert tangent.tolist() == [6.0] * 3, tangent
for arguments in ((), (2,)):
    by = 2 if arguments else 1
    assert torch.autograd.gradcheck(
        lambda x: names.power(x, *arguments), torch.ones(3, dtype=torch.double, requires_grad=True), check_forward_ad=True
    )
    assert torch.allclose(names.power(y, *arguments), (y * by).exp())
print("formulas ok")

a, b, to = torch.ones(2), torch.ones(2), torch.empty(2)
assert names.put(a, b).tolist() == [2.0, 2.0] and names.put(a, b, which=[False, True]).tolist() == [0.0, 0.0]
assert torch.ops.names.put.out(a, b, out_1=to) is to and to.tolist() == [2.0, 2.0]
z = torch.ones(2, requires_grad=True)
names.blend(z, a, b, a, b).sum().backward()
assert z.grad.tolist() == [1.0, 1.0]
print("arguments ok")

assert names.pool(a, dilation=3) == [1, 1, 0, 0, 3, 3, 3]
assert names.pool(a, 2, None if False else [4, 5], dilation=[1, 2, 3]) == [2, 2, 4, 5, 1, 2, 3]
assert names.window(a) == [1, 1] and names.window(a, stride=3) == [3, 3] and names.window(a, stride=[1, 2]) == [1, 2]
assert names.window(a, 0.5, stride=7) == [7, 7]
print("lists ok")

assert names.str(a, list=4).tolist() == [5.0, 5.0] and names.Tensor(a, [b, b]).tolist() == [3.0, 3.0]
assert names.isinstance(a) and not names.isinstance(a, from__=True) and not names.isinstance(a, from_=False)
assert not names.isinstance(a, lambda_=True) and not names.isinstance(a, _torch_=False)
assert names.from__(a).tolist() == [2.0, 2.0] and names._torch_(a).tolist() == [4.0, 4.0]
assert names.from_(torch.ones(2)).tolist() == [3.0, 3.0]
assert "\0" in names.from__.__doc__ and "\u202e" in names.from__.__doc__
print("package ok")

assert names.twice(a, out=None).tolist() == [2.0, 2.0]
assert names.twice(a, out=to) is to and names.twice(a, 3).tolist() == [6.0, 6.0]
print("out ok")
