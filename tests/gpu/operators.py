"""The operators of the library, each with the same in PyTorch, and calls of it."""

import torch


def away(x, by):
    """The values, none of them near one where the formula has a kink."""
    near = (x.abs() - by).abs() < 0.05
    return torch.where(near, x + 0.2, x)


def soft_threshold(x, other, by=0.5):
    return (x - x.clamp(-by, by)) * other


def row_norms(x, eps=1e-6):
    return (x.square().sum(-1) + eps).sqrt()


def moments(x):
    return x.mean(), x.var(unbiased=False)


def add_scaled(x, other, by):
    return x + other * by


class Operator:
    """An operator: its function, the same in PyTorch, and how many tensors it takes."""

    def __init__(self, name, function, same, tensors, numbers=()):
        self.name, self.function, self.same, self.tensors, self.numbers = name, function, same, tensors, numbers

    def arguments(self, sizes, device, dtype=torch.float64, seed=0):
        """Tensors with random values, and the numbers."""
        generator = torch.Generator().manual_seed(seed)
        drawn = [torch.randn(sizes, generator=generator, dtype=torch.float64) for _ in range(self.tensors)]
        return [away(one, 0.5).to(device=device, dtype=dtype) for one in drawn], list(self.numbers)


def all_of(ops):
    """The operators, as functions that change no argument."""
    return [
        Operator("soft_threshold", ops.soft_threshold, soft_threshold, 2),
        Operator("row_norms", ops.row_norms, row_norms, 1),
        Operator("moments", ops.moments, moments, 1),
        Operator("add_scaled_", lambda x, other, by: ops.add_scaled_(x.clone(), other, by), add_scaled, 2, (0.75,)),
    ]


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def gradients(function, arguments, numbers):
    """The gradients of a weighted sum of the results."""
    inputs = [one.detach().clone().requires_grad_() for one in arguments]
    results = as_tuple(function(*inputs, *numbers))
    total = sum((result.double() * (at + 1.5)).cos().sum() for at, result in enumerate(results))
    return torch.autograd.grad(total, inputs)
