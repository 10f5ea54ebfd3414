import os

import torch

torch.ops.load_library(os.environ["HAND_LIBRARY"])


@torch.library.register_fake("hand::squared_relu")
def _(x):
    return torch.empty_like(x)


def _setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def _backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * x.relu() * 2


torch.library.register_autograd("hand::squared_relu", _backward, setup_context=_setup)


def squared_relu(x: torch.Tensor) -> torch.Tensor:
    return torch.ops.hand.squared_relu.default(x)
