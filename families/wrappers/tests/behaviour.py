"""Runs the operators of the example on the test backend, through the mock of the vendor's graph
API, and compares every result with the CPU's: `behaviour.py LIBRARY`.

An operator counts only if its own wrapper ran, not the fallback to the CPU.
"""

import sys

import simulator
import torch

torch.ops.load_library(sys.argv[1])
torch.manual_seed(0)

aten = torch.ops.aten
seen: set[str] = set()


def moved(value):
    """The value on the device, with its strides; lists and tuples item by item."""
    if isinstance(value, (list, tuple)):
        return type(value)(moved(item) for item in value)
    return simulator.moved(value)


def flat(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def called(op, arguments, keywords):
    """The results on the device, without a fallback for the operator itself."""
    simulator.fallen_back()
    result = op(*moved(list(arguments)), **{key: moved(value) for key, value in keywords.items()})
    name = op._schema.name
    assert name not in simulator.fallen_back(), f"{op} ran on the CPU"
    return result


def same(op, *arguments, **keywords):
    """The operator returns the same on both devices: values, sizes and types."""
    expected = flat(op(*arguments, **keywords))
    ours = flat(called(op, arguments, keywords))
    assert len(ours) == len(expected)
    for one, other in zip(ours, expected):
        assert one.device == simulator.DEVICE, (op, one.device)
        assert one.dtype == other.dtype and one.shape == other.shape, (op, one.dtype, one.shape, other.dtype, other.shape)
        torch.testing.assert_close(one.cpu(), other, equal_nan=True, msg=lambda text: f"{op}: {text}")
    seen.add(str(op))


def inplace(op, first, *arguments, **keywords):
    """The operator writes to its first argument and returns it."""
    expected = op(first.clone(), *arguments, **keywords)
    target = moved(first.clone())
    simulator.fallen_back()
    result = op(target, *moved(list(arguments)), **keywords)
    assert op._schema.name not in simulator.fallen_back(), f"{op} ran on the CPU"
    assert result.data_ptr() == target.data_ptr(), op
    torch.testing.assert_close(target.cpu(), expected)
    seen.add(str(op))


def out(op, *arguments, **keywords):
    """The operator resizes and writes to `out`, also to one of the right size, with any strides."""
    expected = op(*arguments, out=torch.empty(0, dtype=keywords.pop("dtype_of_out", torch.float32)), **keywords)
    for made in (torch.empty(0, dtype=expected.dtype), torch.empty(expected.shape, dtype=expected.dtype)):
        target = moved(made)
        result = op(*moved(list(arguments)), out=target, **keywords)
        assert result.data_ptr() == target.data_ptr(), op
        torch.testing.assert_close(target.cpu(), expected)
    strided = moved(torch.empty(expected.shape + (2,), dtype=expected.dtype))[..., 0]
    op(*moved(list(arguments)), out=strided, **keywords)
    torch.testing.assert_close(strided.cpu(), expected)
    seen.add(str(op))


def refused(part, op, *arguments, **keywords):
    """The operator raises an error that names the argument."""
    try:
        called(op, arguments, keywords)
    except (RuntimeError, IndexError, NotImplementedError) as error:
        assert part in str(error), (op, part, str(error))
        return
    raise AssertionError(f"{op} succeeds, where `{part}` should be refused")


x, y, row, column = torch.randn(2, 3), torch.randn(2, 3), torch.randn(3), torch.randn(2, 1)
batch, positive = torch.randn(2, 3, 4), torch.rand(2, 3) + 0.5
i = torch.arange(6).reshape(2, 3)
half, bools = torch.randn(2, 3).half(), torch.tensor([[True, False, True], [False, False, True]])
scalar, cpu_scalar = torch.tensor(2.5), torch.tensor(3)
turned = torch.randn(3, 2).t()
empty = torch.empty(0, 3)

# Elementwise, with broadcasting and promotion of types.
for op in (aten.add.Tensor, aten.sub.Tensor, aten.mul.Tensor):
    for pair in ((x, y), (x, row), (column, row), (x, i), (i, i), (turned, x), (x, scalar), (scalar, x), (half, x), (empty, row)):
        same(op, *pair)
same(aten.mul.Tensor, bools, x)
same(aten.add.Tensor, bools, bools)
for op in (aten.add.Scalar, aten.sub.Scalar, aten.mul.Scalar):
    same(op, x, 2)
    same(op, i, 2.5)
    same(op, i, 2)
for pair in ((x, y), (x, row), (i, i + 1), (column, row), (half, half + 3)):
    same(aten.div.Tensor, *pair)
same(aten.div.Tensor_mode, x, y, rounding_mode=None)
for op in (aten.maximum.default, aten.minimum.default):
    same(op, x, row)
    same(op, i, i.flip(0))
same(aten.pow.Tensor_Tensor, positive, y)
same(aten.pow.Tensor_Scalar, positive, 3)
for op in (aten.eq, aten.ne, aten.lt, aten.ge):
    same(op.Tensor, i, row)
    same(op.Scalar, i, 3)
    same(op.Scalar, x, 0.5)
same(aten.where.self, bools, x, row)
for op in (aten.abs, aten.neg, aten.exp, aten.tanh, aten.sigmoid, aten.relu, aten.silu, aten.logical_not, aten.gelu, aten.leaky_relu):
    for value in (x, turned, scalar, empty):
        same(op.default, value)
same(aten.exp.default, i)
for op in (aten.log, aten.sqrt, aten.rsqrt, aten.reciprocal):
    same(op.default, positive)
    same(op.default, i + 1)
same(aten.leaky_relu.default, x, 0.3)

# Clamping in its three forms; infinities stay.
infinite = torch.tensor([[float("inf"), -1.0, 0.2], [float("-inf"), 2.0, float("nan")]])
for value in (x, infinite, half):
    same(aten.clamp.default, value, -0.5)
    same(aten.clamp.default, value, None, 0.5)
    same(aten.clamp.default, value, -0.5, 0.5)

# Matrices.
a, b = torch.randn(3, 4), torch.randn(4, 5)
same(aten.mm.default, a, b)
same(aten.mm.default, torch.randn(4, 3).t(), torch.randn(5, 4).t())
same(aten.bmm.default, batch, torch.randn(2, 4, 5))
same(aten.addmm.default, torch.randn(5), a, b)
same(aten.addmm.default, torch.randn(3, 5), a, b, beta=0.5, alpha=2)

# Several results of different sizes, with and without optional tensors.
same(aten.native_layer_norm.default, batch, [4], None, None, 1e-5)
same(aten.native_layer_norm.default, batch, [3, 4], torch.randn(3, 4), torch.randn(3, 4), 1e-5)
same(aten.native_layer_norm.default, batch, [4], None, torch.randn(4), 1e-5)
same(aten.native_layer_norm.default, batch, [4], torch.randn(4), None, 1e-5)

# Reductions: negative, several and no dimensions, with and without keepdim.
for keepdim in (False, True):
    for dim in ([-1], [0, -1], [1], [-3, 2]):
        same(aten.sum.dim_IntList, batch, dim, keepdim)
        same(aten.mean.dim, batch, dim, keepdim)
        same(aten.amax.default, batch, dim, keepdim)
        same(aten.amin.default, batch, dim, keepdim)
        same(aten.linalg_vector_norm.default, batch, 2, dim, keepdim)
    same(aten.sum.dim_IntList, batch, None, keepdim)
    same(aten.sum.dim_IntList, batch, [], keepdim)
    same(aten.amax.default, batch, [], keepdim)
    for dim in (-1, 0, None):
        same(aten.argmax.default, batch, dim, keepdim)
    same(aten.max.dim, batch, -2, keepdim)
same(aten.sum.dim_IntList, i, [-1])
same(aten.sum.dim_IntList, bools, [0])
same(aten.sum.default, batch)
same(aten.sum.default, i)
same(aten.sum.dim_IntList, scalar, [-1])
same(aten.cumsum.default, batch, -1)
same(aten.cumsum.default, i, 0)
for dim in (-1, 0, 1):
    same(aten._softmax.default, batch, dim, False)
    same(aten._log_softmax.default, batch, dim, False)

# Lists.
for dim in (0, 1, -1, -2):
    same(aten.cat.default, [x, y, turned], dim)
    same(aten.stack.default, [x, y], dim)
same(aten.cat.default, [x, i], 0)
same(aten.cat.default, [torch.empty(0), x], 1)
same(aten.cat.default, [x], -1)
same(aten.stack.default, [scalar, scalar], -1)
same(aten.embedding.default, torch.randn(10, 4), i)
same(aten.embedding.default, torch.randn(10, 4), i, 2)
same(aten.tril.default, x, -1)
same(aten.repeat.default, x, [2, 1, 3])

# Views share memory.
for op, arguments in (
    (aten.transpose.int, (0, -1)),
    (aten.permute.default, ([2, 0, 1],)),
    (aten.unsqueeze.default, (-1,)),
    (aten.squeeze.default, ()),
    (aten.squeeze.dim, (0,)),
    (aten.select.int, (1, -1)),
    (aten.slice.Tensor, (2, 1, 4, 2)),
):
    same(op, batch, *arguments)
    device = moved(batch)
    assert op(device, *arguments).untyped_storage().data_ptr() == device.untyped_storage().data_ptr(), op
same(aten.t.default, a)
same(aten.expand.default, row, [2, 3])

# Without tensors.
for op in (aten.zeros.default, aten.ones.default):
    same_on = op([2, 3], device=simulator.DEVICE)
    torch.testing.assert_close(same_on.cpu(), op([2, 3]))
    torch.testing.assert_close(op([2], dtype=torch.int64, device=simulator.DEVICE).cpu(), op([2], dtype=torch.int64))
    seen.add(str(op))
for value in (2, 2.5, True):
    torch.testing.assert_close(aten.full.default([2, 2], value, device=simulator.DEVICE).cpu(), aten.full.default([2, 2], value))
seen.add(str(aten.full.default))
for arguments in ((0, 5, 1), (1, 2, 0.3), (5, -1, -2), (3, 3, 1)):
    ranged = aten.arange.start_step(*arguments, device=simulator.DEVICE)
    expected = aten.arange.start_step(*arguments)
    assert ranged.dtype == expected.dtype, arguments
    torch.testing.assert_close(ranged.cpu(), expected)
seen.add(str(aten.arange.start_step))

# In place.
for op in (aten.add_.Tensor, aten.sub_.Tensor, aten.mul_.Tensor, aten.div_.Tensor):
    inplace(op, x, y)
    inplace(op, x, row)
    inplace(op, x, x.clone())
for op in (aten.neg_, aten.exp_, aten.tanh_, aten.relu_):
    inplace(op.default, x)
inplace(aten.clamp_.default, x, -0.1, 0.1)
inplace(aten.tril_.default, x)
inplace(aten.add_.Scalar, i, 3)
# The input may be the output.
alias = moved(x.clone())
alias.add_(alias)
torch.testing.assert_close(alias.cpu(), x + x)

# Out.
for op in (aten.add.out, aten.sub.out, aten.mul.out, aten.div.out, aten.maximum.out):
    out(op, x, row)
for op in (aten.abs, aten.neg, aten.exp, aten.tanh, aten.relu, aten.silu):
    out(op.out, x)
out(aten.mm.out, a, b)
out(aten.bmm.out, batch, torch.randn(2, 4, 5))
out(aten.addmm.out, torch.randn(5), a, b)
out(aten.sum.IntList_out, batch, [-1], True)
out(aten.mean.out, batch, [0])
out(aten.cat.out, [x, y], -1)
out(aten._softmax.out, batch, -1, False)
out(aten.clamp.out, x, -0.1)
out(aten.eq.Tensor_out, x, y, dtype_of_out=torch.bool)

# What the backend cannot do is an error that names the argument, never a wrong number.
refused("alpha", aten.add.Tensor, x, y, alpha=2)
refused("alpha", aten.add.Scalar, x, 1, 2)
refused("alpha", aten.sub.Tensor, x, y, alpha=-1)
refused("rounding_mode", aten.div.Tensor_mode, x, y, rounding_mode="floor")
refused("approximate", aten.gelu.default, x, approximate="tanh")
refused("dtype", aten.sum.dim_IntList, x, [0], dtype=torch.float64)
refused("ord", aten.linalg_vector_norm.default, x, 1)
refused("half_to_float", aten._softmax.default, half, -1, True)
refused("dim", aten.sum.dim_IntList, batch, [3])
refused("dim", aten.sum.dim_IntList, batch, [0, -3])
refused("dim", aten.cat.default, [x, y], 2)
refused("self", aten.clamp.default, i, 1)
refused("self", aten.pow.Tensor_Scalar, i, 2)
refused("self", aten.pow.Tensor_Tensor, i, i)
refused("mat2", aten.mm.default, a, batch)
refused("mat2", aten.mm.default, a, b.double())
refused("self", aten.mm.default, batch, torch.randn(2, 4, 5))
refused("mat2", aten.bmm.default, batch, torch.randn(1, 4, 5))
refused("mat1", aten.addmm.default, row, row, b)
refused("normalized_shape", aten.native_layer_norm.default, batch, [3], None, None, 1e-5)
refused("normalized_shape", aten.native_layer_norm.default, row, [1, 3], None, None, 1e-5)
refused("other", aten.where.self, bools, x, i)
refused("self", aten.abs.default, torch.randn(2, dtype=torch.complex64))
refused("Sizes of tensors must match", aten.cat.default, [x, torch.randn(2, 4)], 0)
refused("must match the size", aten.add.Tensor, x, torch.randn(4))
refused("cannot be multiplied", aten.mm.default, a, a)
refused("can't be cast", aten.add_.Tensor, i, x)
refused("sparse", aten.embedding.default, torch.randn(10, 4), i, -1, False, True)

# One graph for each operator, type, size and value, and no graph for a call that was made before.
cache = torch.ops.acme_test.cache_size
hits = torch.ops.acme_test.cache_hits
left, right = moved(x), moved(y)
torch.ops.acme_test.cache_clear()
left + right
assert (cache(), hits()) == (1, 0)
left + right
assert (cache(), hits()) == (1, 1)
aten.add.Scalar(left, 2)
assert cache() == 2, "overloads share no graph"
left.double() + right.double()
assert cache() == 3, "types share no graph"
moved(x[:1].expand(2, 3).contiguous()) + moved(row)
assert cache() == 4, "sizes share no graph"
aten._softmax.default(left, 0, False)
aten._softmax.default(left, 1, False)
assert cache() == 6, "values share no graph"
aten._softmax.default(left, -1, False)
assert (cache(), hits()) == (6, 2), "-1 is 1"
torch.ops.acme_test.cache_clear()
norm, weight = aten.native_layer_norm.default, moved(torch.ones(3))
norm(left, [3], weight, None, 1e-5)
norm(left, [3], None, weight, 1e-5)
norm(left, [3], None, None, 1e-5)
assert (cache(), hits()) == (3, 0), "tensors that are not given are part of the key"

# Gradients are PyTorch's.
weight = moved(x).requires_grad_()
(weight * moved(y)).relu().sum().backward()
reference = x.clone().requires_grad_()
(reference * y).relu().sum().backward()
torch.testing.assert_close(weight.grad.cpu(), reference.grad)
# Those of composite operators too: `layer_norm` calls the wrapper of `native_layer_norm`.
value = moved(batch).requires_grad_()
simulator.fallen_back()
torch.nn.functional.layer_norm(value, [4]).pow(2).sum().backward()
assert "aten::native_layer_norm" not in simulator.fallen_back()
reference = batch.clone().requires_grad_()
torch.nn.functional.layer_norm(reference, [4]).pow(2).sum().backward()
torch.testing.assert_close(value.grad.cpu(), reference.grad)

names = {name.removeprefix("aten.").split(".")[0] for name in seen}
print(f"{len(names)} operators, {len(seen)} overloads ok")
