"""Checks functionalization of the operators in `native_functions.yaml`: compilers see neither views nor writes. The argument is the library."""

import os
import sys

# A cache would return the results of an earlier build of the library.
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.func import functionalize
from torch.utils._pytree import tree_leaves

torch.ops.load_library(sys.argv[1])
odd = torch.ops.odd


def window(x, sizes=None):
    like = torch.ones(1)
    return odd.window(x, "flat", [1, 2.5], [0], sizes, [0.5], "u", like, [like, like], [None, like])


def same(actual, expected):
    actual, expected = tree_leaves(actual), tree_leaves(expected)
    assert len(actual) == len(expected)
    for a, e in zip(actual, expected):
        assert a.stride() == e.stride()
        torch.testing.assert_close(a, e)


def compiles(function, backend="aot_eager"):
    """One graph for all shapes does the same as eager mode, also to its arguments."""
    torch._dynamo.reset()
    compiled = torch.compile(function, fullgraph=True, backend=backend, dynamic=True)
    for shape in ((4, 6), (8, 12)):
        x = torch.randn(shape)
        given, expected = x.clone(), x.clone()
        same(compiled(given), function(expected))
        same(given, expected)


VIEWS = {
    "heads": lambda x: odd.heads(x, 2),
    "heads of a shape": lambda x: odd.heads(x, x.shape[1] // 2),
    "window": window,
    "sized window": lambda x: window(x, [x.shape[1], x.shape[0]]),
    "slices": lambda x: odd.slices(x, 2),
    "second slice": lambda x: odd.slices(x, 2)[1],
    "pieces": lambda x: odd.pieces(x, 2),
    "second piece": lambda x: odd.pieces(x, 2)[1],
    "crossed": lambda x: odd.crossed(x[:2], x[2:], 1),
    "both": lambda x: odd.both(x),
    "flipped": odd.flipped,
    "flipped in place": lambda x: odd.flipped_(odd.slices(x, 2)[0]),
    "view of a view": lambda x: odd.heads(odd.slices(x, 2)[1], 3),
    "view of one of many": lambda x: odd.flipped(odd.slices(odd.pieces(x, 2)[1], 2)[1]),
    "of a base out of order": lambda x: odd.heads(x.t().contiguous().t()[1:], 2),
    "base of another view": lambda x: odd.heads(x, 2)[:, 1].t(),
}

WRITES = {
    "aten": lambda t: t.mul_(3),
    "functional variant": lambda t: odd.affine_(t, torch.full((), 3.0)),
    "without a variant": odd.count_,
    "without a result": lambda t: odd.bump(t, None, [], torch.ones(())),
}


def through(view, write, clone):
    def function(x):
        x = x.clone() if clone else x
        views = view(x)
        for t in tree_leaves(views):
            write(t)
        return x * 2, [t + 1 for t in tree_leaves(views)], x * 1

    return function


def views():
    for view in VIEWS.values():
        for clone in (True, False):
            compiles(through(view, WRITES["aten"], clone))
    for write in WRITES.values():
        for view in ("heads", "second piece", "view of one of many"):
            compiles(through(VIEWS[view], write, True))
    # The returned tensor may be a view itself.
    compiles(lambda x: (odd.heads(x, 2), odd.pieces(x.clone(), 2)[1]))


def inductor():
    for view in ("second piece", "heads of a shape", "of a base out of order"):
        compiles(through(VIEWS[view], WRITES["aten"], True), "inductor")


def gradients():
    for view in ("heads", "second slice", "flipped"):
        function = through(VIEWS[view], lambda t: t.sin(), True)
        x = torch.randn(4, 6, requires_grad=True)
        torch._dynamo.reset()
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=True)
        grads = [torch.autograd.grad(sum(t.sum() for t in tree_leaves(f(x))), x) for f in (compiled, function)]
        same(*grads)


def writes():
    def absorb(x):
        states = [x + 1, x + 2]
        return odd.absorb_(x, states, None), odd.absorb_(x.clone(), states, x + 5), states

    compiles(absorb)
    compiles(lambda x: (lambda y: (odd.advance_(x, y), y))(x + 1))
    # The out= variant is generated, and also writes its input.
    other, out = torch.zeros(3), torch.empty(0)
    odd.advance.out(torch.ones(3), other, out=out)
    assert (out == 2).all() and (other == 1).all()
    compiles(lambda x: odd.ranges.out(x, 1, least=x[:, 0].clone(), most=torch.empty_like(x[:, 0])))
    compiles(lambda x: (odd.affine.out(x[1], torch.full((), 3.0), out=x[0]), x))
    compiles(lambda x: (odd.update(x, torch.ones(())), x))
    try:
        functionalize(odd.affine_)(torch.ones(3), torch.ones(2, 3))
    except RuntimeError as error:
        assert "odd::affine_: a result of shape [2, 3] does not fit a tensor of shape [3]" in str(error), error
    else:
        raise AssertionError("a result that does not fit was written")


def checked():
    x = torch.randn(4, 6)
    for op, *args in (
        (odd.heads, x, 2), (odd.slices, x, 2), (odd.flipped, x), (odd.absorb_, x.clone(), [x.clone(), x.clone()]), (odd.affine_, x.clone(), x),
        (odd.count_, x.clone()), (odd.advance_, x.clone(), x.clone()), (odd.bump, x.clone(), None, [x.clone()], x), (odd.triangle, 3), (odd.row, x, 3),
    ):
        torch.library.opcheck(op.default, args)
    torch.library.opcheck(odd.affine.out, (x, x), {"out": torch.empty_like(x)})
    torch.library.opcheck(odd.ranges.out, (x,), {"least": torch.empty(4), "most": torch.empty(4)})


class Module(torch.nn.Module):
    def forward(self, x):
        x = x.clone()
        odd.heads(x, 2).mul_(3)
        odd.affine_(odd.pieces(x, 2)[1], torch.full((), 2.0))
        return x, odd.triangle(x.shape[0])


def export():
    dynamic = torch.export.Dim.DYNAMIC
    program = torch.export.export(Module(), (torch.randn(4, 6),), dynamic_shapes=({0: dynamic, 1: dynamic},))
    program = program.run_decompositions({})
    x = torch.randn(8, 12)
    same(program.module()(x), Module()(x))
    targets = [str(node.target) for node in program.graph.nodes if node.op == "call_function"]
    assert "odd.affine.default" in targets and not any(target.split(".")[1].endswith("_") for target in targets if "." in target), targets


def transform():
    for remove in ("mutations", "mutations_and_views"):
        x = torch.randn(4, 6)
        traced = make_fx(functionalize(Module(), remove=remove))(x)
        same(traced(x), Module()(x))
    try:
        functionalize(lambda x: odd.affine_(plain, x))(plain := torch.ones(3))
    except RuntimeError as error:
        assert "odd::affine_: mutating a non-functional tensor" in str(error), error
    else:
        raise AssertionError("a tensor that nobody tracks was written")


def factories():
    assert odd.triangle(3, dtype=torch.int32).dtype == torch.int32 and odd.triangle(3, device="meta").device.type == "meta"
    assert odd.row(torch.ones(2, device="meta"), 3).device.type == "meta" and odd.row(torch.ones(2), 3).shape == (3,)
    compiles(lambda x: odd.triangle(x.shape[0]) + odd.row(x, x.shape[0]))


for behaviour in (views, inductor, gradients, writes, checked, export, transform, factories):
    torch.manual_seed(0)
    behaviour()
    print(f"{behaviour.__name__} ok")
