"""Which transforms of torch.func an operator supports, as a row of the table in the documentation.

A transform works if all that is computed with it equals what it computes of a reference, which
consists of torch's own operators. Other wrong values, and errors of other kinds than refusals, end
the program.
"""

import torch
from torch.func import grad, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap


def total(function):
    return lambda x: function(x).sum()


def stacked(x):
    return torch.stack([x, x * 2, x - 1])


def pulled(function, x):
    value, pull = vjp(function, x)
    return value, pull(torch.ones_like(value) * 2)


REVERSE = (
    lambda f, x: grad(total(f))(x),
    pulled,
    lambda f, x: jacrev(f)(x),
    lambda f, x: jacrev(jacrev(f))(x),
    lambda f, x: grad(total(grad(total(grad(total(f))))))(x),
    # The gradient of each element of a batch.
    lambda f, x: torch.stack([grad(total(f))(one) for one in stacked(x)]),
)
FORWARD = (
    lambda f, x: jvp(f, (x,), (torch.ones_like(x) * 3,)),
    lambda f, x: linearize(f, x)[1](torch.ones_like(x) * 3),
    lambda f, x: jacfwd(f)(x),
    lambda f, x: jacfwd(jacfwd(f))(x),
    lambda f, x: hessian(total(f))(x),
    lambda f, x: jacrev(jacfwd(f))(x),
)
BATCHES = (
    lambda f, x: vmap(f)(stacked(x)),
    lambda f, x: vmap(f, in_dims=1, out_dims=-1)(stacked(x).t()),
    lambda f, x: vmap(lambda y, z: f(y) * z.sum(), in_dims=(0, None))(stacked(x), x),
    lambda f, x: vmap(vmap(f), in_dims=1)(torch.stack([stacked(x), stacked(x) * 2], 1)),
)
BOTH = (
    lambda f, x: vmap(grad(total(f)))(stacked(x)),
    lambda f, x: grad(lambda y: vmap(f)(y).sum())(stacked(x)),
)


def cell(transforms, function, reference, x, refusals):
    """`yes`, `no` if all transforms are refused with these words, or `in part`.

    What torch refuses of the reference does not count: `jacfwd` twice, if `self` is mutated.
    """
    refused, tried = 0, 0
    for transform in transforms:
        try:
            wanted = transform(reference, x)
        except RuntimeError as error:
            assert "ZeroTensors are immutable" in str(error), error
            continue
        tried += 1
        try:
            found = transform(function, x)
        except (RuntimeError, NotImplementedError) as error:
            if not any(words in str(error) for words in refusals):
                raise
            refused += 1
            continue
        torch.testing.assert_close(found, wanted)
    return {0: "yes", tried: "no"}.get(refused, "in part")


def row(kind, function, reference, refusals):
    """The row of an operator that has tensors of three numbers."""
    torch.manual_seed(1)
    x = torch.randn(3, dtype=torch.double)
    torch.testing.assert_close(function(x), reference(x))
    cells = [cell(transforms, function, reference, x, refusals) for transforms in (REVERSE, FORWARD, BATCHES, BOTH)]
    return f"| {kind} | {' | '.join(cells)} |"
