"""Checks autograd of the operators in `native_functions.yaml`.

The arguments are the library, and the generated module with its batching rules.
"""

import runpy
import sys
from pathlib import Path

import torch
from torch.autograd import forward_ad, gradcheck, gradgradcheck

torch.ops.load_library(sys.argv[1])
rules = runpy.run_path(sys.argv[2])
sys.path.insert(0, str(Path(__file__).parents[1] / "gradients"))
from torch_func import row  # noqa: E402

import same  # noqa: E402

odd = torch.ops.odd


def leaf(*shape):
    return torch.randn(shape, dtype=torch.float64, requires_grad=True)


def fails(message, run):
    try:
        run()
    except RuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"no error: {message}")


def bumped(tensor, run):
    """The number of increments of the tensor's version, and the result."""
    before = tensor._version
    result = run()
    return tensor._version - before, result


def keep(x):
    y, int8 = torch.ones(2), torch.int8
    return odd.keep(
        x, None, [y], [None, y], 1.5, None, [1, 2j], 3, None, [1, 2], None, x.shape[0], None, [1, 2], [3], 0.5, None, [1.0], True,
        [True, False], "t", None, int8, None, torch.strided, torch.device("cpu"), None, None,
    )


def all_types():
    assert gradcheck(keep, leaf(3))
    x = leaf(3)
    y = keep(x)
    y.sum().backward()
    fails("backward through the graph a second time", lambda: y.sum().backward())
    with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        x.grad = None
        keep(x).sum().backward()
    assert torch.equal(x.grad, x)


def names():
    """Compiled autograd has the nodes of PyTorch and of all libraries in one list, by name."""
    with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        x, y = leaf(3), leaf(3)
        odd.tanh(x).sum().backward()
        y.tanh().sum().backward()
    assert torch.allclose(x.grad, 1 - x.tanh() ** 2) and torch.allclose(y.grad, 1 - y.tanh() ** 2)


def properties():
    x, other, maybe, a, b = leaf(2, 3), leaf(3), leaf(4), leaf(5), leaf(2, 2)
    odd.properties(x, other, maybe, [a, b]).backward()
    assert torch.equal(x.grad, torch.ones_like(x)) and all((t.grad == 0).all() for t in (other, maybe, a, b))


def window(x, sizes=None):
    like = torch.ones(1)
    return odd.window(x, "flat", [1, 2.5], [0], sizes, [0.5], "u", like, [like, like], [None, like])


def views():
    for sizes in (None, [3, 2]):
        assert gradcheck(lambda x: window(x, sizes), leaf(2, 3), check_forward_ad=True)
    # After a write through a view, the gradient reaches the base by a replay.
    x = leaf(2, 3)
    base = x.clone()
    window(base).mul_(3)
    base.sum().backward()
    assert (x.grad == 3).all()
    with torch.autograd._force_original_view_tracking(False):
        view = window(base.detach().clone().requires_grad_(), [3, 2])
        assert torch.equal(view._view_func(torch.ones(2, 3, dtype=torch.float64)), torch.ones(3, 2, dtype=torch.float64))
        assert torch.equal(view._rev_view_func_unsafe(view), view._base)

    assert gradcheck(lambda x: odd.pieces(x, 2), leaf(4, 3), check_forward_ad=True)
    assert gradcheck(lambda x, y: odd.crossed(x, y, 2)[:2], (leaf(3), leaf(4)))
    x, y = leaf(3), leaf(4)
    of_y, of_x, fresh = odd.crossed(x, y, 2)
    assert of_y._base is y and of_x._base is x and not fresh._is_view()
    fails("output of a function that returns multiple views", lambda: of_y.mul_(2))
    for view in (of_y, of_x):
        assert torch.equal(view._view_func_unsafe(torch.arange(5.0)), torch.arange(2.0))
    transposed, halves = odd.both(leaf(2, 2))
    assert transposed._is_view() and all(half._is_view() for half in halves)
    fails("derivative for both is not implemented", lambda: transposed.sum().backward())
    fails("derivative for both is not implemented", lambda: halves[1].sum().backward())
    for view in (odd.shape_only(x), *odd.shapes_only(x)):
        assert not view.requires_grad
    plain = torch.zeros(4)
    odd.shapes_only(plain)[1].fill_(1)
    assert plain.sum() == 2 and plain._version == 1


def writes():
    state, x = torch.zeros(2, dtype=torch.float64), leaf(2)
    count, result = bumped(state, lambda: odd.update(state, x))
    assert count == 1 and not state.requires_grad and gradcheck(lambda x: odd.update(state, x), x, check_forward_ad=True)
    fails("not differentiable with respect to argument 'state'", lambda: odd.update(leaf(2), x))

    written = [torch.zeros(2) for _ in range(4)]
    odd.bump(written[0], written[1], written[2:], torch.ones(2, requires_grad=True))
    assert all(t._version == 1 and t.requires_grad for t in written)
    for t in written:
        fails("derivative for bump is not implemented", lambda: t.sum().backward())
    odd.bump(written[0], None, [], torch.ones(2))
    fails("a leaf Variable that requires grad", lambda: odd.bump(*written[:2], [leaf(2)], torch.ones(2)))

    a, b = torch.zeros(2), torch.zeros(2)
    assert odd.advance_(a, b) is a and a._version == b._version == 1 and (a == 1).all()
    a = leaf(2).clone()
    odd.advance_(a, b)
    fails("derivative for advance_ is not implemented", lambda: b.sum().backward())

    assert bumped(b, lambda: odd.count_(b.detach()))[0] == 1
    fails("not differentiable with respect to argument 'self'", lambda: odd.count_(leaf(2).clone()))

    assert gradcheck(lambda x: odd.square_(x.clone()), leaf(3), check_forward_ad=True)
    assert gradgradcheck(lambda x: odd.square_(x.clone()), leaf(3))
    with torch.no_grad():
        assert bumped(x, lambda: odd.square_(x))[0] == 1
    for affine in (odd.affine, lambda x, by: odd.affine_(x.clone(), by)):
        assert gradcheck(affine, (leaf(3), leaf(3)), check_forward_ad=True)
        assert gradgradcheck(affine, (leaf(3), leaf(3)))
    out = torch.empty(3, dtype=torch.float64)
    assert bumped(out, lambda: odd.affine.out(torch.ones(3).double(), torch.ones(3).double(), out=out))[1] is out
    assert out._version == 1
    fails("don't support automatic differentiation", lambda: odd.affine.out(leaf(3), leaf(3), out=out))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(3).double(), torch.ones(3).double())
        fails("because it is an out= function", lambda: odd.affine.out(dual, dual, out=out))


def outputs():
    assert gradcheck(lambda x: odd.minmax(x)[:2], leaf(5), check_forward_ad=True)
    least, most, at = odd.minmax(leaf(5))
    assert least.requires_grad and most.requires_grad and not at.requires_grad
    assert gradcheck(lambda a, b, by: odd.scaled([a, b], by), (leaf(3), leaf(2), leaf()))
    assert gradgradcheck(lambda a, b, by: odd.scaled([a, b], by), (leaf(3), leaf(2), leaf()))
    assert odd.cast(leaf(2), torch.float32).requires_grad and not odd.cast(leaf(2), torch.int32).requires_grad
    assert gradcheck(lambda x: odd.cast(x, torch.float64), leaf(3), check_forward_ad=True)
    assert gradcheck(odd.per_backend, leaf(3), check_forward_ad=True)
    assert gradcheck(odd.parts, (leaf(3), leaf(3), leaf(3))) and gradgradcheck(odd.parts, (leaf(3), leaf(3), leaf(3)))
    assert gradcheck(lambda x, y: odd.parts(x, y)[0], (leaf(3), leaf(3))) and odd.parts(leaf(3), leaf(3))[1] is None
    runpy.run_path(str(Path(sys.argv[2]).with_name("_fakes.py")))
    arguments = leaf(3), leaf(3), leaf(3)
    for given in (arguments, arguments[:2]):
        compiled = torch.compile(lambda *given: odd.parts(*given), fullgraph=True, backend="aot_eager")
        found, wanted = compiled(*given), odd.parts(*given)
        assert [one is None for one in found] == [one is None for one in wanted]
        torch.testing.assert_close(found[0], wanted[0])
        gradients = [torch.autograd.grad([one.sum() for one in results if one is not None], given) for results in (found, wanted)]
        torch.testing.assert_close(*gradients)
        torch.library.opcheck(odd.parts.default, given)
    for given in ((leaf(3),), (leaf(3), leaf(3))):
        gradients = torch.autograd.grad((odd.shifted(*given) * 2).sum(), given)
        assert [found.tolist() for found in gradients] == [[2, 2, 2]] * len(given)
    unknown, number = odd.unknown(leaf(2), [])
    assert number == 7
    fails("derivative for odd::unknown is not implemented", lambda: unknown.sum().backward())


def fresh(x):
    return torch.zeros_like(x).detach()


def transforms():
    refused = (
        "is not implemented",
        "Trying to use forward AD",
        "don't support automatic differentiation",
        "because it is an out= function",
        "doesn't work on out= or view ops",
    )
    for kind, function, reference in (
        ("pointwise", lambda x: odd.affine(x, x * 2), lambda x: x * x * 2),
        ("several results", lambda x: odd.minmax(x)[0] * x, lambda x: x.min() * x),
        ("lists, without `result:`", lambda x: odd.scaled([x, x * x], x.sum())[1], lambda x: x * x * x.sum()),
        ("mutates `self`", lambda x: odd.affine_(x * 1, x * 2), lambda x: (x * 1).mul_(x * 2)),
        ("mutates another argument", lambda x: odd.update(fresh(x), x), lambda x: x * 2),
        ("a view, without `vmap:`", lambda x: odd.flipped((x * x)[None]), lambda x: (x * x)[None].t()),
        ("a view, with `vmap:`", lambda x: odd.heads(x * x, 3), lambda x: (x * x)[:, None]),
        ("without a derivative", lambda x: odd.unknown(x, [])[0], torch.clone),
        ("out arguments", lambda x: odd.affine.out(x, x, out=fresh(x)), lambda x: x * x),
    ):
        print(row(kind, function, reference, refused))


def both_abis():
    same.run(odd)


for behaviour in (all_types, names, properties, views, writes, outputs, transforms, both_abis):
    torch.manual_seed(0)
    behaviour()
    print(f"{behaviour.__name__} ok")
