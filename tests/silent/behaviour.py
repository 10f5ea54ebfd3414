"""What the operators of this library do: behaviour.py LIBRARY."""

import sys

import torch

torch.ops.load_library(sys.argv[1])
ops = torch.ops.silent


def strings():
    text = "a tensor with so many sizes that no short string holds them: 2 1"
    x = torch.ones(2, 1)
    for _ in range(50):
        assert ops.described(x) == text
        assert ops.words(x, "word ") == ["word " + text] * 2
        assert ops.maybe(x, True) == text and ops.maybe(x, False) is None
        assert ops.named(x)[1] == text
        assert ops.repeated("word", 20) == "word" * 20
    assert ops.kinds(x).dtype == torch.float8_e4m3fn


def autograd_by_hand():
    x = torch.randn(3, dtype=torch.double, requires_grad=True)
    y = ops.cube(x)
    assert "Cube" in y.grad_fn.name(), y.grad_fn
    y.sum().backward()
    torch.testing.assert_close(x.grad, 3 * x.detach() ** 2)
    assert torch.autograd.gradcheck(ops.cube, (x,))


def autograd_by_hand_for_one_backend():
    x = torch.randn(3, dtype=torch.double, requires_grad=True)
    for operator, name in ((ops.squared, "Squared"), (ops.tripled, "Tripled")):
        assert name in operator(x).grad_fn.name() and "Backward0" not in operator(x).grad_fn.name()
        assert torch.autograd.gradcheck(operator, (x,))
    # On another backend: the derivative, or none.
    y = torch.randn(3, device="meta", requires_grad=True)
    assert ops.tripled(y).grad_fn.name() == "TripledBackward0"
    try:
        ops.squared(y).sum().backward()
    except RuntimeError as error:
        assert "not implemented" in str(error), error
    else:
        raise AssertionError("there is no derivative")


def autocast_by_hand():
    x = torch.randn(3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert ops.cube(x).dtype == torch.bfloat16
    assert ops.cube(x).dtype == torch.float


def vmap_by_hand():
    x = torch.randn(4, 3)
    torch.testing.assert_close(torch.vmap(ops.cube)(x), x**3)


def symbolic_sizes():
    from torch._dynamo.testing import CompileCounter

    counter = CompileCounter()
    padded = torch.compile(lambda x: ops.padded(x, x.shape[0]), backend=counter, dynamic=True, fullgraph=True)
    for size in (3, 4, 7):
        assert padded(torch.ones(size)).shape == (2 * size,)
    assert counter.frame_count == 1, counter.frame_count


def composite_with_derivative():
    x = torch.randn(3, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(ops.halved, (x,))
    assert torch.autograd.gradcheck(lambda x: ops.padded(x, 2), (x,))


def kernels_that_only_their_source_sees():
    x = torch.randn(3, dtype=torch.double, requires_grad=True)
    torch.testing.assert_close(ops.hidden(x, 2.0), 2 * x)
    assert torch.autograd.gradcheck(lambda x: ops.hidden(x, 2.0), (x,))
    assert ops.hidden(torch.ones(2, device="meta"), 2.0).shape == (2,)


BEHAVIOURS = (
    kernels_that_only_their_source_sees,
    strings,
    autograd_by_hand,
    autograd_by_hand_for_one_backend,
    autocast_by_hand,
    vmap_by_hand,
    symbolic_sizes,
    composite_with_derivative,
)
for behaviour in BEHAVIOURS:
    behaviour()
    print(behaviour.__name__, "ok")
