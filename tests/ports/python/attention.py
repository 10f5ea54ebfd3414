"""The gradients of attention, which its backward operator writes to arguments."""

import torch


def fwd_backward(grad, q, k, v, attention, softmax_lse, softmax_scale, is_causal):
    written = [torch.empty_like(t) for t in (q, k, v)]
    named = {"softmax_scale": softmax_scale, "is_causal": is_causal}
    torch.ops.ports.bwd(grad.contiguous(), q, k, v, attention, softmax_lse, *written, **named)
    return tuple(written)
