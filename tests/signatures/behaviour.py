"""What the operators of this library do: behaviour.py LIBRARY."""

import sys

import torch

torch.ops.load_library(sys.argv[1])
ops = torch.ops.signatures


def tensors():
    x = torch.arange(6.0).reshape(2, 3).t()
    before = x.clone()
    for _ in range(3):
        torch.testing.assert_close(ops.twice(x), before * 2)
        torch.testing.assert_close(ops.moved(x), before + 1)
    # The kernels assigned to their parameters.
    assert x.stride() == (1, 3)
    torch.testing.assert_close(x, before)
    y = torch.ones(3)
    assert ops.add_(y, torch.ones(3)) is y or y.tolist() == [2, 2, 2]
    assert y.tolist() == [2, 2, 2]


def strings():
    long = "a name that no short string holds, so that a dangling view would show"
    for _ in range(50):
        assert ops.greet(long) == long
        assert ops.greet("Noether", "Professor") == "Professor Noether"


def lists():
    assert ops.total([1, 2]) == 3
    assert ops.total([1, 2], [3]) == 6
    assert ops.total([1, 2], None, [0.5, 0.25]) == 1
    whole, last = ops.concat([torch.ones(2), torch.zeros(1)], 0)
    assert whole.tolist() == [1, 1, 0] and last.tolist() == [1, 1]
    assert ops.concat([torch.ones(2)], 0, torch.zeros(3))[1].tolist() == [0, 0, 0]
    assert ops.repeat(torch.ones(2), [2, 2]).shape == (2, 4)


def numbers():
    assert ops.scaled(torch.ones(1), 0.5).item() == 0.5
    assert ops.scaled(torch.ones(1), 2.0, torch.int32).dtype == torch.int32
    assert ops.shift(torch.ones(1), 2).item() == 3
    assert ops.shift(torch.ones(1), torch.ones(1)).item() == 2
    assert ops.plain(torch.ones(1), 2).item() == 2
    # The kernel takes 32 bits.
    try:
        ops.shift(torch.ones(1), 2**40)
    except RuntimeError as error:
        assert "overflow" in str(error), error
    else:
        raise AssertionError("a number that does not fit was cut")


def layouts():
    x = torch.tensor([[1.0, 0], [0, 2]])
    sparse = x.to_sparse()
    for operator in (ops.doubled, ops.both):
        assert operator(x).tolist() == [[2, 0], [0, 4]]
        assert operator(sparse).is_sparse
        assert operator(sparse).to_dense().tolist() == [[2, 0], [0, 4]]
        out = torch.zeros(2, 2).to_sparse()
        assert operator.out(sparse, out=out).to_dense().tolist() == [[2, 0], [0, 4]]


for behaviour in (tensors, strings, lists, numbers, layouts):
    behaviour()
    print(behaviour.__name__, "ok")
