"""torch.func and torch.vmap with the operators of the library. It prints the rows of the table in docs/transforms.md."""

import itertools
import sys
from pathlib import Path

import torch
from torch.func import grad, vmap

import trained

sys.path.insert(0, str(Path(__file__).parents[2] / "gradients"))
from torch_func import row  # noqa: E402

operators = torch.ops.trained
REFUSED = (
    "has no derivative",
    "has no formula for forward-mode derivatives",
    "mutates its out arguments, which autograd does not support",
)


def fresh(x):
    return torch.zeros_like(x).detach()


KINDS = (
    ("pointwise", trained.square, lambda x: x * x),
    ("several results", lambda x: trained.moments(x)[0] + trained.moments(x)[1] * x, lambda x: x.mean() + (x * x).mean() * x),
    ("optional tensors", lambda x: trained.blend(x, 2 * x, x * x, alpha=0.5), lambda x: x * 0.5 + 2 * x * x * x),
    ("a condition for gradients", trained.power, torch.exp),
    ("symbolic sizes", lambda x: trained.crop(x * x, 2), lambda x: (x * x)[:2]),
    ("a list of tensors", lambda x: trained.total([x, x * x], 0.5), lambda x: (x + x * x) * 0.5),
    ("a list as result, without `result:`", lambda x: trained.rows(x * x)[1] * x, lambda x: (x * x)[1] * x),
    ("mutates `self`", lambda x: trained.square_(x * 2), lambda x: (x * 2).pow_(2)),
    ("mutates another argument", lambda x: trained.update(fresh(x), x), lambda x: x * 3),
    ("not differentiable", lambda x: trained.signs(x) * x, lambda x: x.sign() * x),
    ("without a derivative", trained.missing, torch.exp),
    ("out arguments", lambda x: operators.scale.out(x, 2.0, out=fresh(x)), lambda x: x * 2),
)


def raises(text, function):
    try:
        function()
    except RuntimeError as error:
        assert text in str(error), str(error)
        return
    raise AssertionError("no error")


def looped(function, dims, size, *tensors):
    calls = [
        function(*(tensor if dim is None else tensor.select(dim, i) for tensor, dim in zip(tensors, dims)))
        for i in range(size)
    ]
    return torch.stack(calls)


def doubles(*shape):
    return torch.randn(*shape, dtype=torch.double)


def batches():
    """Rules do what a loop does, wherever the batch is, and if some have none."""
    functions = (
        (trained.gated, 2),  # pointwise
        (lambda x, y: trained.blend(x, y, x * 2), 2),  # a kernel that takes the batch
        (lambda x, y: trained.total([x, y], 2.0), 2),  # a loop
        (lambda x, y: torch.stack(trained.rows(x)), 1),
        (lambda x, y: trained.crop(x, 2) * y[:2], 2),
        (lambda x, y: trained.growth(x), 1),  # another operator
    )
    for (function, count), dims in itertools.product(functions, itertools.product((0, 1, 2, -1, None), repeat=2)):
        if dims[:count].count(None) == count:
            continue
        # Every dimension has another size, and the batch is the one of size 4.
        tensors = []
        for dim in dims:
            shape = [3, 5]
            if dim is not None:
                shape.insert(dim % 3, 4)
            tensors.append(doubles(*shape))
        found = vmap(function, in_dims=dims)(*tensors)
        torch.testing.assert_close(found, looped(function, dims, 4, *tensors))
    x, y = doubles(2, 4, 3), doubles(4, 3)
    nested = vmap(vmap(trained.gated), in_dims=(0, None))(x, y)
    torch.testing.assert_close(nested, x * y)
    # None of the arguments is batched at the inner level.
    torch.testing.assert_close(vmap(lambda x: vmap(lambda z: trained.square(x) * z)(y))(y), torch.stack([x * x * y for x in y]))
    # A batch of one tensor without dimensions, and none.
    torch.testing.assert_close(vmap(trained.gated, in_dims=(0, None))(doubles(4), torch.tensor(2.0).double()).shape, (4,))
    for function in (trained.square_, trained.growth, lambda x: trained.total([x, x], 1.0), trained.signs):
        assert vmap(function)(doubles(0, 3)).shape == (0, 3)


def mutated():
    state, x = doubles(4, 3), doubles(4, 3)
    wanted = state + 1
    vmap(trained.update)(state, x)
    torch.testing.assert_close(state, wanted)
    raises("trained::update mutates 'state', which is not batched", lambda: vmap(trained.update, in_dims=(None, 0))(doubles(3), x))
    wanted, transposed = x.clone() ** 2, x.t()
    assert vmap(trained.square_, in_dims=1, out_dims=1)(transposed).data_ptr() == x.data_ptr()
    torch.testing.assert_close(x, wanted)


def random():
    x = torch.zeros(4, 2, dtype=torch.double)
    values = lambda tensor: len(set(tensor[:, 0].tolist()))  # noqa: E731
    raises("trained::noise makes random numbers", lambda: vmap(trained.noise)(x))
    assert values(vmap(trained.noise, randomness="different")(x)) == 4
    raises("batched arguments, for which randomness='same'", lambda: vmap(trained.noise, randomness="same")(x))
    one = torch.zeros(2, dtype=torch.double)
    assert values(vmap(lambda y: trained.noise(one) + y, randomness="different")(x)) == 4
    assert values(vmap(lambda y: trained.noise(one) + y, randomness="same")(x)) == 1
    raises("trained::noise makes random numbers", lambda: vmap(lambda y: trained.noise(one) + y)(x))


def views():
    """An operator that mutates a view needs the value of before."""
    x = doubles(2, 3)

    def first(x):
        y = x * 1
        trained.square_(y[0])
        return y.sum()

    wanted = torch.stack([2 * x[0], torch.ones(3).double()])
    torch.testing.assert_close(grad(first)(x), wanted)
    x.requires_grad_()
    torch.testing.assert_close(torch.autograd.grad(first(x), x)[0], wanted)


def run():
    for part in (batches, mutated, random, views):
        part()
    for kind, function, reference in KINDS:
        print(row(kind, function, reference, REFUSED))
