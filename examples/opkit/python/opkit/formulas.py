"""The functions of derivatives_manual.h in Python. On the stable ABI, the formulas of derivatives.yaml call these.

An undefined gradient is None. They consist of differentiable operators, so that gradients can be differentiated again.
"""

import math

import torch


def to_opmath(x):
    """In the type in which norms compute: float for half precision."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


# ---- rms_norm


def inverse_rms(x, eps):
    return x.pow(2).mean(-1, keepdim=True).add(eps).rsqrt()


def rms_norm_backward(grad, input, weight, eps, mask):
    grad_input = grad_weight = None
    x = to_opmath(input)
    r = inverse_rms(x, eps)
    g = to_opmath(grad)
    if mask[0]:
        gw = g * weight
        grad_input = (r * gw - x * r.pow(3) * (gw * x).mean(-1, keepdim=True)).to(input.dtype)
    if mask[1]:
        grad_weight = (g * x * r).sum_to_size(weight.shape).to(weight.dtype)
    return grad_input, grad_weight


def rms_norm_jvp(input_t, input_p, weight_t, weight_p, eps):
    x = to_opmath(input_p)
    r = inverse_rms(x, eps)
    r_t = -r.pow(3) * (x * input_t).mean(-1, keepdim=True)
    return ((input_t * r + x * r_t) * weight_p + x * r * weight_t).to(input_p.dtype)


# ---- l2_normalize


def l2_normalize_linear(x, self, result, dim, eps):
    """The derivative at self. It is symmetric, so backward and forward mode are the same. Below eps the divisor is constant."""
    norm = torch.linalg.vector_norm(self, 2, dim, keepdim=True)
    along = torch.where(norm > eps, (x * result).sum(dim, keepdim=True), 0.0)
    return (x - result * along) / norm.clamp_min(eps)


# ---- silu_and_mul


def silu_slope(x):
    s = torch.sigmoid(x)
    return s * (1 + x * (1 - s))


def silu_and_mul_backward(grad, input):
    gate, value = input.chunk(2, -1)
    return torch.cat([grad * value * silu_slope(gate), grad * torch.nn.functional.silu(gate)], -1)


def silu_and_mul_jvp(input_t, input_p):
    gate, value = input_p.chunk(2, -1)
    gate_t, value_t = input_t.chunk(2, -1)
    return gate_t * value * silu_slope(gate) + torch.nn.functional.silu(gate) * value_t


# ---- rotary_embedding


def rotary_embedding_backward(grad_query, grad_key, query_sizes, key_sizes, positions, cos_sin_cache, interleaved):
    given = grad_query if grad_query is not None else grad_key
    query = grad_query if grad_query is not None else given.new_zeros(query_sizes)
    key = grad_key if grad_key is not None else given.new_zeros(key_sizes)
    cos, sin = cos_sin_cache.chunk(2, -1)
    return torch.ops.opkit.rotary_embedding(query, key, positions, torch.cat([cos, -sin], -1), interleaved)


# ---- topk_gating


def topk_gating_backward(grad, logits, weights, indices, renormalize):
    zeros = torch.zeros_like(logits, dtype=weights.dtype)
    if renormalize:
        # The weights are the softmax of the chosen logits.
        result = zeros.scatter(-1, indices, weights * (grad - (grad * weights).sum(-1, keepdim=True)))
    else:
        p = torch.softmax(logits, -1, weights.dtype)
        g = zeros.scatter(-1, indices, grad)
        result = p * (g - (g * p).sum(-1, keepdim=True))
    return result.to(logits.dtype)


def topk_gating_jvp(logits_t, logits_p, weights, indices, renormalize):
    t = logits_t.to(weights.dtype)
    if renormalize:
        chosen = t.gather(-1, indices)
        return weights * (chosen - (weights * chosen).sum(-1, keepdim=True))
    p = torch.softmax(logits_p, -1, weights.dtype)
    return (p * (t - (p * t).sum(-1, keepdim=True))).gather(-1, indices)


# ---- segment_reduce


def segments_of_rows(data, offsets):
    """The segment of each row, from 1. Rows before the first segment get 0, and rows after the last one the number of segments plus 1."""
    rows = torch.arange(data.shape[0], dtype=offsets.dtype, device=offsets.device)
    return torch.bucketize(rows, offsets, right=True)


def spread_over_rows(x, segments):
    """The value of each row's segment; zero outside of segments."""
    outside = x.new_zeros([1, *x.shape[1:]])
    return torch.cat([outside, x, outside]).index_select(0, segments)


def segment_shares(data, segments, offsets, reduce, result):
    """A factor for each element: its share in the result."""
    if reduce == "sum":
        return torch.ones_like(data)
    if reduce == "mean":
        lengths = spread_over_rows(offsets.diff(), segments).clamp_min(1)
        return torch.ones_like(data) / lengths.to(data.dtype).view([data.shape[0]] + [1] * (data.dim() - 1))
    # Equal elements share the gradient.
    is_result = (data == spread_over_rows(result, segments)).to(data.dtype)
    counts = data.new_zeros([result.shape[0] + 2, *result.shape[1:]]).index_add(0, segments, is_result)
    return is_result / counts.index_select(0, segments).clamp_min(1)


def segment_reduce_backward(grad, data, offsets, reduce, result):
    segments = segments_of_rows(data, offsets)
    return spread_over_rows(grad, segments) * segment_shares(data, segments, offsets, reduce, result)


def segment_reduce_jvp(data_t, data_p, offsets, reduce, result):
    shares = segment_shares(data_p, segments_of_rows(data_p, offsets), offsets, reduce, result)
    return torch.ops.opkit.segment_reduce(data_t * shares, offsets, "sum")


# ---- box_iou


def box_iou_backward(grad, boxes, others):
    """The gradient of the first boxes."""
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    other_low, other_high = others[None, :, :2], others[None, :, 2:]
    overlap = (torch.minimum(high, other_high) - torch.maximum(low, other_low)).clamp_min(0)
    size, other_size = high - low, other_high - other_low
    intersection = overlap[..., 0] * overlap[..., 1]
    total = size[..., 0] * size[..., 1] + other_size[..., 0] * other_size[..., 1] - intersection
    # Boxes without an area have no union.
    divisor = torch.where(total > 0, total, 1.0)
    scaled = torch.where(total > 0, grad / divisor, 0.0)
    ratio = torch.where(total > 0, intersection / divisor, 0.0)
    of_intersection = (scaled * (1 + ratio)).unsqueeze(-1)
    of_area = -(scaled * ratio).unsqueeze(-1)
    # In a product of width and height, each is the gradient of the other.
    of_overlap = torch.where(overlap > 0, of_intersection * overlap.flip(-1), 0.0)
    of_size = of_area * size.flip(-1)
    of_low = -(of_overlap * (low > other_low) + of_size).sum(1)
    of_high = (of_overlap * (high < other_high) + of_size).sum(1)
    return torch.cat([of_low, of_high], -1)


# ---- global_norm


def norm_slope(x, norm, p):
    """The gradient of the norm with respect to one tensor, for an incoming gradient of one."""
    if p == math.inf:
        return x.sgn() * (x.abs() == norm)
    if p == 1.0:
        return x.sgn()
    divisor = torch.where(norm == 0, 1.0, norm)
    slope = x / divisor if p == 2.0 else x.sgn() * (x.abs() / divisor).pow(p - 1)
    return torch.where(norm == 0, 0.0, slope)


def global_norm_backward(grad, tensors, norm, p):
    return [grad * norm_slope(x, norm, p) for x in tensors]


def global_norm_jvp(tensors, norm, p):
    """In forward mode, a list has pairs: each tensor with its tangent."""
    return sum((norm_slope(x, norm, p) * t).sum() for x, t in tensors)
