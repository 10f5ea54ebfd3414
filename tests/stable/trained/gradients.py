"""Gradients, tangents and versions of the operators of the library, in any torch from 2.10 on."""

import math
import sys
from pathlib import Path

import torch
from torch.autograd import forward_ad, gradcheck, gradgradcheck

import trained
import transforms

sys.path.append(str(Path(__file__).parents[2] / "autograd"))
import same  # noqa: E402

operators = torch.ops.trained


def raises(kind, text, function):
    try:
        function()
    except kind as error:
        assert text in str(error), str(error)
        return
    raise AssertionError("no error")


def equal(found, wanted):
    assert found == wanted, (found, wanted)


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.double, requires_grad=True)


def check(function, *inputs, forward=True):
    assert gradcheck(function, inputs, check_forward_ad=forward, check_batched_grad=False)
    assert gradgradcheck(function, inputs)


torch.manual_seed(0)
x, y, w = leaf(5), leaf(5), leaf(5)

# Backward, forward mode, and twice.
check(lambda x: trained.scale(x, 3.0), x)
check(lambda x: trained.scale(x), x)
check(trained.square, x)
check(trained.power, x)
check(lambda x, y, w: trained.blend(x, y, w, alpha=0.5), x, y, w)
check(lambda x, y: trained.blend(x, y), x, y)
check(lambda x: trained.moments(x)[:2], x)
check(lambda x: trained.moments(x)[1], x)
check(lambda x, y: trained.total([x, y], 0.5), x, y)
check(lambda x, y: trained.gated(x, y), x, y)
check(lambda x: trained.gated(x, y.detach()), x)
check(lambda x: trained.crop(x, 3), x)
check(lambda x: trained.rows(x)[1], leaf(3, 2), forward=False)

# Results that may be None.
check(trained.masked, x, y)
# Names that calls inside of torch and of the package have too.
check(lambda x: trained.masked(x, y.detach(), unused=[x.detach()], keyset=1, _keys=2), x)
check(lambda x, y: trained.parts(x, y).square, x, y)
check(lambda x, y: tuple(trained.parts(x, y)), x, y)
check(lambda x, y: trained.parts(x, y, False).product, x, y)
equal([trained.masked(x), trained.parts(x, y, False).square], [None, None])
rows = torch.stack([x.detach(), y.detach()])
torch.testing.assert_close(torch.vmap(lambda row: trained.parts(row, row, False).product)(rows), rows * rows)
with forward_ad.dual_level():
    dual = forward_ad.make_dual(x.detach(), torch.ones(5, dtype=torch.double))
    product, square = trained.parts(dual, dual, False)
    torch.testing.assert_close(forward_ad.unpack_dual(product).tangent, 2 * x.detach())
    equal([square, trained.masked(dual)], [None, None])
torch.testing.assert_close(torch.func.grad(lambda x: trained.parts(x, x).square.sum())(x), 2 * x)
torch.testing.assert_close(torch.func.grad(lambda x: trained.parts(x, x, False).product.sum())(x), 2 * x)

# Operators that write self, on a tensor that needs its old value.
check(lambda x: trained.scale_(x.clone(), 3.0), x)
check(lambda x: trained.square_(x * 2), x)

# What is not differentiable.
mean, square, signs = trained.moments(x)
equal([mean.requires_grad, square.requires_grad, signs.requires_grad], [True, True, False])
equal(trained.signs(x).requires_grad, False)
equal([trained.power(x).requires_grad, trained.power(x[0]).requires_grad], [True, False])
with forward_ad.dual_level():
    duals = [trained.power(forward_ad.make_dual(one.detach(), one.detach())) for one in (x, x[0])]
    equal([forward_ad.unpack_dual(dual).tangent is None for dual in duals], [False, True])
raises(NotImplementedError, "trained::missing has no derivative", lambda: trained.missing(x).sum().backward())
raises(RuntimeError, "has no derivative", lambda: trained.bump_(x * 1))
raises(RuntimeError, "does not support", lambda: trained.scale(x, 1.0, out=torch.empty(5, dtype=torch.double)))
raises(RuntimeError, "'state'", lambda: trained.update(x * 1, x))
raises(NotImplementedError, "trained::rows has no formula", lambda: gradcheck(
    lambda x: trained.rows(x)[0], [leaf(3, 2)], check_forward_ad=True))
with torch.no_grad():
    trained.bump_(x.detach().clone())
    trained.scale(x, 1.0, out=torch.empty(5, dtype=torch.double))
state = torch.zeros(5, dtype=torch.double)
check(lambda x: trained.update(state, x), x)

# A gradient of only one of several inputs gets a mask with one.
x.grad = None
trained.gated(x, y.detach()).sum().backward()
torch.testing.assert_close(x.grad, y.detach())

# Every helper of PyTorch that has a translation works up to backward.
a, b = torch.tensor([2.0, -3.0, 0.0], dtype=torch.double), torch.tensor([-1.0, 1.0, 1.0], dtype=torch.double)
a.requires_grad_(), b.requires_grad_()
trained.helped(a, b).sum().backward()
equal(a.grad.tolist(), [-1.0, -1.0, 0.0])
equal(b.grad.tolist(), [0.0, 2.0, 2.0])
for inputs in ((a, [b.detach()]), (a.detach(), [b])):
    raises(NotImplementedError, "unhelped", lambda: trained.unhelped(*inputs).sum().backward())

# Numbers in formulas have the values of C++.
VALUES = [
    ("k && n", 1),
    ("k || n", 1),
    ("k && zero", 0),
    ("!k", 0),
    ("(k > n) + flag", 2),
    ("flag | flag", 1),
    ("+flag", 1),
    ("-flag", -1),
    ("~flag", -2),
    ("static_cast<bool>(0.5)", 1),
    ("k == n == 0", 1),
    ("flag ? k : 0.5", 7),
    ("1.0 / zero", math.inf),
    ("-1 / zero", -math.inf),
    ("std::log(zero)", -math.inf),
    ("std::pow(zero, -1.0)", math.inf),
    ("std::exp(1000.0)", math.inf),
    ("std::floor(-2.5)", -3),
    ("x.size() - 3", 2.0**64 - 2),
    ("static_cast<int64_t>(x.size() - 3)", -2),
    ("x.size() > -1", 0),
    ("flag || +2.0", 1),
]
selves = torch.zeros(len(VALUES), dtype=torch.double, requires_grad=True)
trained.computed(selves, [4], 7, 3, 0.0, True).sum().backward()
for (formula, value), found in zip(VALUES, selves.grad.tolist()):
    assert value == found, (formula, value, found)

# Only what formulas use is saved.
out = trained.scale(x, 3.0)
equal(out.grad_fn.saved_tensors, ())
out = trained.crop(x, 3)
equal(out.grad_fn.saved_tensors, ())
out = trained.square(x)
equal(len(out.grad_fn.saved_tensors), 1)
out = trained.blend(x, y.detach(), w.detach())
equal(out.grad_fn.saved_tensors, (None, None))
out = trained.blend(x, y, w.detach())
equal([one is None for one in out.grad_fn.saved_tensors], [False, True])

# Tensors that are written have new versions.
for write in (
    lambda x: trained.scale_(x, 2.0),
    lambda x: trained.square_(x),
    lambda x: trained.bump_(x),
    lambda x: trained.update(x, x.clone()),
    lambda x: trained.scale(x.clone(), 2.0, out=x),
):
    written = torch.ones(3, dtype=torch.double)
    before = written._version
    write(written)
    assert written._version > before, before
    written = torch.ones(3, dtype=torch.double)

# A saved result that is written is an error.
out = trained.power(x)
with torch.no_grad():
    trained.bump_(out)
raises(RuntimeError, "modified by an inplace operation", lambda: out.sum().backward())

# Dual tensors carry tangents, also through operators that write.
with forward_ad.dual_level():
    dual = forward_ad.make_dual(x.detach(), torch.ones(5, dtype=torch.double))
    tangent = forward_ad.unpack_dual(trained.square(dual)).tangent
    torch.testing.assert_close(tangent, 2 * x.detach())
    written = dual.clone()
    trained.square_(written)
    torch.testing.assert_close(forward_ad.unpack_dual(written).tangent, 2 * x.detach())
    raises(RuntimeError, "has no derivative", lambda: trained.bump_(dual.clone()))

# Python casts the arguments for autocast; gradients have the dtype of the arguments.
torch.library.register_autocast("trained::square", "cpu", torch.double)
narrow = torch.randn(5, requires_grad=True)
with torch.autocast("cpu"):
    wide = trained.square(narrow)
equal(wide.dtype, torch.double)
wide.sum().backward()
torch.testing.assert_close(narrow.grad, 2 * narrow.detach())

same.run(operators)
# Helpers are for formulas alone.
assert not hasattr(trained, "widened_gradient") and hasattr(trained, "widened")
transforms.run()
print("gradients ok in torch", torch.__version__.split("+")[0])
