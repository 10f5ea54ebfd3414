"""Checks the library whose path is the argument: what structured operators return, resize and reject, with known and with symbolic sizes."""

import sys
import warnings

import torch
from torch.export import Dim, export

torch.ops.load_library(sys.argv[1])
ops = torch.ops.shaped
x, w = torch.randn(3, 4), torch.randn(4)


def scaled(x, w):
    return x * (x.pow(2).mean(-1, True) + 1e-6).rsqrt() * w


def raises(text, call):
    try:
        call()
    except RuntimeError as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"nothing said {text}")


def values():
    assert torch.allclose(ops.scaled(x, w), scaled(x, w))
    ones, columns = ops.filled(x, [2, 5], 7)
    assert ones.equal(torch.ones(2, 5)) and columns.equal(torch.full((3, 7), 7))
    assert ops.filled(x, [2], more=[4, 1])[1].shape == (4, 1)
    assert ops.filled(x[0, 0], [2])[1].shape == ()
    assert torch.allclose(ops.bent(x, 2.0), torch.tanh(x / 2) * 2)
    assert torch.allclose(ops.bent(x, 2.0, w), torch.tanh((x + w) / 2) * 2)
    assert ops.bent(torch.arange(3), 2.0).dtype == torch.float32
    assert ops.bent(x.t(), 2).stride() == (1, 4)


def out():
    assert ops.scaled(x, w, out=(given := torch.empty(0))) is given and given.shape == (3, 4)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ops.scaled(x, w, out=torch.empty(2))
    assert "An output with one or more elements was resized since it had shape [2]" in str(said[0].message), said
    # The kernel needs a contiguous output and gets one; its result is copied to the caller's
    # output.
    transposed = torch.empty(4, 3).t()
    ops.scaled(x, w, out=transposed)
    assert transposed.stride() == (1, 3) and torch.allclose(transposed, scaled(x, w))
    raises("Expected out tensor to have dtype float, but got double instead", lambda: ops.scaled(x, w, out=torch.empty(3, 4, dtype=torch.double)))
    raises("Expected out tensor to have device cpu, but got meta instead", lambda: ops.scaled(x, w, out=torch.empty(3, 4, device="meta")))
    a, b = torch.empty(0), torch.empty(0, dtype=torch.long)
    assert ops.filled(x, [2, 2], ones=a, columns_like=b)[1] is b and a.shape == (2, 2) and b.shape == (3, 3)


def inplace():
    expected, y = scaled(x, w), x.clone()
    version = y._version
    assert ops.scaled_(y, w) is y and torch.allclose(y, expected) and y._version == version + 1
    # The kernel needs a contiguous output here too.
    transposed = x.t().contiguous().t()
    ops.scaled_(transposed, w)
    assert transposed.stride() == (1, 3) and torch.allclose(transposed, expected)
    raises("output with shape [3] doesn't match the broadcast shape [2, 3]", lambda: ops.bent_(torch.ones(3), 1, torch.ones(2, 3)))


class Calls(torch.nn.Module):
    def __init__(self, call):
        super().__init__()
        self.call = call

    def forward(self, *args):
        return self.call(*args)


def symbolic():
    free = lambda t: {i: Dim.DYNAMIC for i in range(t.dim())}
    flat = lambda result: result if isinstance(result, (tuple, list)) else (result,)

    def check(call, *args):
        # Export fails for dimensions that could not stay dynamic.
        program = export(Calls(call), args, dynamic_shapes=(tuple(map(free, args)),))
        others = [torch.randn(*(n + 2 for n in a.shape)).to(a.dtype) for a in args]
        for inputs in (args, others):
            for got, expected in zip(flat(program.module()(*inputs)), flat(call(*inputs))):
                assert got.shape == expected.shape and got.stride() == expected.stride() and torch.allclose(got, expected)

    check(lambda x, w: ops.scaled(x, w), x, w)
    check(lambda x, w: ops.scaled_(x.clone(), w), x, w)
    check(lambda x: ops.filled(x, [x.shape[1], 7, x.shape[0]], x.shape[1]), x)
    check(lambda x: ops.filled(x, [2], more=[x.shape[0] * 2]), x)
    check(lambda x: ops.bent(x, 2.0), x)
    check(lambda x: ops.bent(x.t(), 2.0), x)
    check(lambda x: ops.bent_(x + 1, 2.0), x)
    check(lambda x, w: ops.bent(x, 2.0, w), torch.arange(12).view(3, 4), w)


def meta():
    on_meta = lambda *args: [a.to("meta") for a in args]
    assert ops.scaled(*on_meta(x, w)).shape == (3, 4)
    assert ops.bent(x.t().to("meta"), 2.0).stride() == (1, 4)
    for op, *args in [
        (ops.scaled.default, x, w),
        (ops.filled.default, x, [2, 3]),
        (ops.bent.default, x.t(), 2.0),
        (ops.bent.default, x, 2.0, w.double()),
    ]:
        torch.library.opcheck(op, tuple(args), test_utils=("test_schema", "test_faketensor"))


for behaviour in (values, out, inplace, symbolic, meta):
    behaviour()
    print(behaviour.__name__, "ok")
