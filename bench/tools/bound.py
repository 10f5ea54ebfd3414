import bound_kernels
import torch


class _SquaredRelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        x = x.detach().contiguous()
        out = torch.empty_like(x)
        bound_kernels.squared_relu(x, out)
        return out

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.relu() * 2


def squared_relu(x: torch.Tensor) -> torch.Tensor:
    return _SquaredRelu.apply(x)
