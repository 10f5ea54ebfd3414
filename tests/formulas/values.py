"""The values of the arguments of formulas, in several sets."""

import torch


def tensor(shape, dtype, start):
    count = 1
    for size in shape:
        count *= size
    values = torch.arange(count, dtype=torch.float64) * 0.7 + start
    values = values.reshape(shape)
    if dtype.is_complex:
        return torch.complex(values, 1 - values * 0.5).to(dtype)
    return values.to(dtype)


def plain():
    """Numbers that differ, and no list or optional is empty."""
    self, other = tensor((2, 2), torch.float64, -0.9), tensor((2, 2), torch.float64, 0.3)
    return {
        "grad": tensor((2, 2), torch.float64, 1.1),
        "grad_second": tensor((2, 2), torch.float64, -1.3),
        "arguments": [self, other, tensor((2, 2), torch.float64, 2.0)]
        + [[tensor((2, 2), torch.float64, 0.1), tensor((2, 2), torch.float64, -0.4)]]
        + [7, 3, 2, 1.5, -0.75, True, False, 5, 0.25, True, [2, 1], [2, 2], "two", torch.float64],
    }


def other():
    """Negative numbers, nothing where something may be missing, one tensor for two arguments, single precision."""
    self = tensor((2, 2), torch.float32, -0.6).t()
    return {
        "grad": tensor((2, 2), torch.float32, -1.0),
        "grad_second": None,
        "arguments": [self, self, None, [self, self]]
        + [-7, 2, 3, -2.5, 0.5, False, True, None, None, None, [1, 3], [1, 4], "", None],
    }


def complex_numbers():
    """Complex tensors, of which one is a view of another."""
    self = tensor((2, 2), torch.complex128, 0.2)
    return {
        "grad": tensor((2, 2), torch.complex128, 0.5),
        "grad_second": None,
        "arguments": [self, self.view(4)[:2], self.t(), [self, self]]
        + [1, 4, 2, 0.5, 3.0, True, True, 0, 0.0, False, [1, 1], [2, 1], "x", torch.complex128],
    }


def empty():
    """Tensors and lists without elements where they may be."""
    self = tensor((0, 2), torch.float64, 0)
    return {
        "grad": tensor((0, 2), torch.float64, 0),
        "grad_second": tensor((0, 2), torch.float64, 0),
        "arguments": [self, tensor((1, 2), torch.float64, 0.5), tensor((0, 2), torch.float64, 0), [self, self]]
        + [2, 5, 1, 0.25, 2.0, False, False, -1, -0.5, True, [0, 2], [0, 2], "two", torch.float32],
    }


SETS = (plain, other, complex_numbers, empty)
