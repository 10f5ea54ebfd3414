"""The operators under test: how to make arguments, and what each computes, as a plain PyTorch formula.

`OPERATORS` has an entry for every schema of the library; a test compares it with what is registered. With OPKIT_ABI=stable
in the environment, the library is the one on the stable ABI, which lacks some operators.
"""

import math
import os
from dataclasses import dataclass, field
from typing import Any, Callable

import opkit as package
import torch

from exemptions import NOT_STABLE

opkit = torch.ops.opkit
STABLE = os.environ.get("OPKIT_ABI") == "stable"


class Tensors:
    """Makes arguments of one dtype and one layout, determined by the seed."""

    def __init__(self, dtype: torch.dtype = torch.float32, layout: str = "contiguous", grad: bool = False, seed: int = 0):
        self.dtype, self.layout, self.grad = dtype, layout, grad
        self.random = torch.Generator().manual_seed(seed)

    def laid_out(self, values: torch.Tensor) -> torch.Tensor:
        """The values in the layout: contiguous, or with gaps between the elements and reversed dimensions."""
        if self.layout == "contiguous" or values.dim() == 0:
            return values.clone()
        buffer = torch.full([2 * size for size in reversed(values.shape)], -7).to(values.dtype)
        view = buffer.permute(*reversed(range(values.dim())))[tuple(slice(None, None, 2) for _ in values.shape)]
        return view.copy_(values)

    def __call__(self, *shape: int) -> torch.Tensor:
        values = torch.randn(shape, dtype=torch.float64, generator=self.random).to(self.dtype)
        return self.laid_out(values).requires_grad_(self.grad)

    def plain(self, *shape: int) -> torch.Tensor:
        """A tensor that never requires a gradient."""
        return self(*shape).detach()

    def integers(self, high: int, *shape: int) -> torch.Tensor:
        return self.laid_out(torch.randint(high, shape, generator=self.random))

    def booleans(self, *shape: int) -> torch.Tensor:
        return self.laid_out(torch.rand(shape, generator=self.random) < 0.6)

    def levels(self, *shape: int) -> torch.Tensor:
        return self.laid_out(torch.randint(-127, 128, shape, generator=self.random).to(torch.int8))

    def scales(self, *shape: int) -> torch.Tensor:
        return self.laid_out(torch.rand(shape, generator=self.random))

    def boxes(self, count: int) -> torch.Tensor:
        corner, size = torch.rand(2, count, 2, dtype=torch.float64, generator=self.random)
        values = torch.cat([corner, corner + size + 0.1], dim=1).to(self.dtype)
        return self.laid_out(values).requires_grad_(self.grad)

    def offsets(self, segments: int, rows: int) -> torch.Tensor:
        inner = torch.randint(rows + 1, (max(segments - 1, 0),), generator=self.random).sort().values
        return self.laid_out(torch.cat([torch.tensor([0]), inner, torch.tensor([rows])])[: segments + 1])

    def generator(self) -> torch.Generator:
        return torch.Generator().manual_seed(11)


Arguments = tuple[tuple, dict[str, Any]]


def call(*args, **kwargs) -> Arguments:
    return args, kwargs


@dataclass
class Operator:
    """One schema."""

    # Argument lists, from a source of tensors and the size of a leading dimension, which may be 0.
    samples: Callable[[Tensors, int], list[Arguments]]
    # The expected result; for an operator that changes its arguments, their new values.
    formula: Callable
    # For tensors without dimensions: arguments, or the error's message.
    zero_dim: Callable[[Tensors], Arguments] | str = "dimension"
    # The arguments that it changes.
    mutates: tuple[int, ...] = ()
    # Sizes that the schema fixes: (argument, dimension). All others are free.
    fixed: frozenset[tuple[int, int]] = frozenset()
    # For tracing an operator with sizes as arguments: a call with tensors only.
    traced: Callable | None = None
    # The floating-point types that it supports.
    dtypes: tuple[torch.dtype, ...] = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
    # For tracing and gradients, if some results of the samples are not finite.
    finite: Callable[[Tensors, int], list[Arguments]] | None = None
    overload: Any = field(default=None)


def rms_norm(x, w, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w


def fused_add_rms_norm(x, residual, w, eps=1e-6):
    total = residual + x
    return rms_norm(total, w, eps), total


def l2_normalize(x, dim=-1, eps=1e-12):
    return x / x.pow(2).sum(dim, keepdim=True).sqrt().clamp_min(eps)


def silu_and_mul(x):
    gate, value = x.chunk(2, -1)
    return gate * torch.sigmoid(gate) * value


def gelu_tanh_and_mul(x):
    gate, value = x.chunk(2, -1)
    return torch.nn.functional.gelu(gate, approximate="tanh") * value


def soft_cap(x, cap):
    return cap * torch.tanh(x / cap)


def swish(x, beta=None):
    return x * torch.sigmoid(x if beta is None else x * beta)


def rotary_embedding(query, key, positions, cache, interleaved=False):
    width = cache.shape[1]
    cos, sin = cache[positions].unsqueeze(-2).chunk(2, -1)

    def rotate(x):
        rotated, rest = x[..., :width], x[..., width:]
        if interleaved:
            a, b = rotated[..., 0::2], rotated[..., 1::2]
            rotated = torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
        else:
            a, b = rotated.chunk(2, -1)
            rotated = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
        return torch.cat([rotated, rest], -1)

    return rotate(query), rotate(key)


def masked_softmax(x, mask=None):
    mask = torch.ones_like(x, dtype=torch.bool) if mask is None else mask.expand_as(x)
    return torch.nan_to_num(x.masked_fill(~mask, -math.inf).softmax(-1), nan=0.0)


def causal_mask(size, window=None, dtype=None, layout=None, device=None, pin_memory=None):
    query, key = torch.arange(size)[:, None], torch.arange(size)
    allowed = key <= query
    if window is not None:
        allowed &= query - key < window
    dtype = torch.get_default_dtype() if dtype is None else dtype
    return allowed if dtype == torch.bool else torch.where(allowed, 0.0, -math.inf).to(dtype)


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads))


def topk_gating(logits, k, renormalize=True):
    shares, indices = logits.sort(dim=-1, descending=True, stable=True)
    weights = logits.softmax(-1).gather(-1, indices)[..., :k]
    return weights / weights.sum(-1, keepdim=True) if renormalize else weights, indices[..., :k]


def expert_offsets(indices, num_experts):
    experts, order = indices.flatten().sort(stable=True)
    return order, torch.searchsorted(experts, torch.arange(num_experts + 1))


def moe_sum(x, weights):
    return torch.einsum("...kd,...k->...d", x, weights)


def quantize(x):
    x = x.float()
    largest = x.abs().amax(-1, keepdim=True) if x.numel() else x.new_zeros(*x.shape[:-1], 1)
    scales = largest / 127
    return (x / scales.where(scales != 0, 1)).round().to(torch.int8), scales


def dequantize(quantized, scales, dtype=None):
    return (quantized * scales).to(dtype or torch.float32)


def segment_reduce(data, offsets, reduce="sum"):
    neutral = {"sum": 0.0, "mean": math.nan, "max": -math.inf, "min": math.inf}[reduce]
    join = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin}[reduce]
    parts = [data[a:b] for a, b in zip(offsets.tolist(), offsets.tolist()[1:])]
    rows = [join(part, 0) if len(part) else torch.full(data.shape[1:], neutral, dtype=data.dtype) for part in parts]
    return torch.stack(rows) if rows else data.new_empty(0, *data.shape[1:])


def box_iou(a, b):
    width, height = (torch.min(a[:, None, 2:], b[:, 2:]) - torch.max(a[:, None, :2], b[:, :2])).clamp_min(0).unbind(-1)
    area = lambda box: (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    common = width * height
    return common / (area(a)[:, None] + area(b) - common)


def nms(boxes, scores, iou_threshold):
    order, overlap, kept = scores.sort(descending=True, stable=True).indices.tolist(), box_iou(boxes, boxes), []
    for i in order:
        if all(overlap[i, j] <= iou_threshold for j in kept):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)


def ema_update(shadow, values, decay=0.999):
    return [a * decay + b * (1 - decay) for a, b in zip(shadow, values)]


def global_norm(tensors, p=2.0):
    return torch.cat([t.flatten() for t in tensors]).abs().pow(p).sum().pow(1 / p)


def seeded_dropout(x, p, train=True, generator=None):
    mask = torch.ones_like(x, dtype=torch.bool)
    if not train:
        return x, mask
    mask = torch.empty(x.shape, dtype=torch.bool).bernoulli_(1 - p, generator=generator)
    return x * mask / (1 - p) if p < 1 else x * 0, mask


def pad_to_multiple(x, multiple, dim=-1, value=0):
    missing = -x.shape[dim] % multiple
    shape = list(x.shape)
    shape[dim] = missing
    return torch.cat([x, x.new_full(shape, value)], dim)


def rotary_samples(t: Tensors, n: int) -> list[Arguments]:
    def tensors(width):
        return t(n, 2, 3, 8), t(n, 2, 4, 8), t.integers(16, n, 2), t.plain(16, width)

    return [call(*tensors(8)), call(*tensors(4)), call(*tensors(8), True), call(*tensors(6), interleaved=True)]


norm_samples = lambda t, n: [call(t(n, 3, 6), t(6)), call(t(n, 6), t(6), 0.1)]
gated_samples = lambda t, n: [call(t(n, 3, 8)), call(t(8))] if n else [call(t(n, 8)), call(t(3, 0))]
cap_samples = lambda t, n: [call(t(n, 3, 4), 0.5), call(t(n), 30)]
ema_samples = lambda t, n: [call([t.plain(n, 3), t.plain(4)], [t.plain(n, 3), t.plain(4)], 0.9), call([], [])]

OPERATORS = {
    "rms_norm": Operator(norm_samples, rms_norm),
    "rms_norm.out": Operator(norm_samples, rms_norm),
    "fused_add_rms_norm": Operator(
        lambda t, n: [call(t.plain(n, 3, 6), t.plain(n, 3, 6), t.plain(6)), call(t.plain(n, 6), t.plain(n, 6), t.plain(6), 0.1)],
        fused_add_rms_norm,
        mutates=(0, 1),
    ),
    "l2_normalize": Operator(
        lambda t, n: [call(t(n, 3, 6)), call(t(n, 3, 6), 1), call(t(n, 4), -1, 1.0)], l2_normalize, zero_dim=lambda t: call(t())
    ),
    "silu_and_mul": Operator(gated_samples, silu_and_mul),
    "silu_and_mul.out": Operator(gated_samples, silu_and_mul),
    "gelu_tanh_and_mul": Operator(gated_samples, gelu_tanh_and_mul),
    "gelu_tanh_and_mul.out": Operator(gated_samples, gelu_tanh_and_mul),
    "soft_cap": Operator(cap_samples, soft_cap, zero_dim=lambda t: call(t(), 0.5)),
    "soft_cap_": Operator(
        lambda t, n: [call(t.plain(n, 3, 4), 0.5), call(t.plain(n), 30)], soft_cap, zero_dim=lambda t: call(t.plain(), 0.5), mutates=(0,)
    ),
    "soft_cap.out": Operator(cap_samples, soft_cap, zero_dim=lambda t: call(t(), 0.5)),
    "swish": Operator(lambda t, n: [call(t(n, 3)), call(t(n, 3), t(3)), call(t(n, 3), t())], swish, zero_dim=lambda t: call(t(), t())),
    "rotary_embedding": Operator(rotary_samples, rotary_embedding, zero_dim="dimension"),
    "masked_softmax": Operator(
        lambda t, n: [call(t(n, 3, 5)), call(t(n, 3, 5), t.booleans(n, 3, 5)), call(t(n, 3, 5), t.booleans(3, 1))], masked_softmax
    ),
    "causal_mask": Operator(
        lambda t, n: [call(n, dtype=t.dtype), call(n, 2, dtype=t.dtype), call(n, dtype=torch.bool), call(n, 1, dtype=torch.bool), call(n)],
        causal_mask,
        zero_dim=None,
        traced=lambda x: opkit.causal_mask(x.shape[0], x.shape[1]),
    ),
    "split_heads": Operator(lambda t, n: [call(t(n, 3, 8), 4), call(t(n, 8), 1)], split_heads),
    "split_gates": Operator(lambda t, n: [call(t(n, 3, 8)), call(t(n, 6))], lambda x: tuple(x.chunk(2, -1))),
    "topk_gating": Operator(
        lambda t, n: [call(t(n, 3, 8), 2), call(t(n, 8), 8, False), call(t(n, 8), 3, renormalize=False), call(t(n, 8), 0)], topk_gating
    ),
    "expert_offsets": Operator(
        lambda t, n: [call(t.integers(5, n, 2), 5), call(t.integers(5, n), 7)],
        expert_offsets,
        zero_dim=lambda t: call(t.integers(5), 5),
    ),
    "moe_sum": Operator(lambda t, n: [call(t(n, 2, 6), t(n, 2)), call(t(2, n, 3, 6), t(2, n, 3))], moe_sum),
    "quantize_per_token_int8": Operator(lambda t, n: [call(t.plain(n, 3, 8)), call(t.plain(n, 8) * 0)], quantize),
    "dequantize_per_token_int8": Operator(
        lambda t, n: [call(t.levels(n, 3, 8), t.scales(n, 3, 1)), call(t.levels(n, 8), t.scales(n, 1), dtype=t.dtype)],
        dequantize,
        fixed=frozenset({(1, -1)}),
    ),
    "segment_reduce": Operator(
        lambda t, n: [call(t(n, 3), t.offsets(4, n), kind) for kind in ("sum", "mean", "max", "min")]
        + [call(t(7), t.offsets(n, 7)), call(t(7, 2, 2), t.offsets(3, 7))],
        segment_reduce,
        finite=lambda t, n: [call(t(2 * n, 3), torch.tensor([0, 2, 3, 2 * n]), kind) for kind in ("sum", "mean", "max", "min")]
        + [call(t(7, 2, 2), t.offsets(n, 7))],
    ),
    "box_iou": Operator(lambda t, n: [call(t.boxes(n), t.boxes(4))], box_iou, fixed=frozenset({(0, 1), (1, 1)})),
    "nms": Operator(
        lambda t, n: [call(t.boxes(4 * n).detach(), t.plain(4 * n), 0.3)], nms, fixed=frozenset({(0, 1)})
    ),
    "ema_update_": Operator(ema_samples, ema_update, zero_dim=lambda t: call([t.plain()], [t.plain()], 0.5), mutates=(0,)),
    "ema_update": Operator(ema_samples, ema_update, zero_dim=lambda t: call([t.plain()], [t.plain()], 0.5)),
    "ema_update.out": Operator(ema_samples, ema_update, zero_dim=lambda t: call([t.plain()], [t.plain()], 0.5)),
    "global_norm": Operator(
        lambda t, n: [call([t(n, 3), t(4)]), call([t(n, 3)], 1.0), call([t(n, 3), t(2), t(5, 1)], p=3.0)],
        global_norm,
        zero_dim=lambda t: call([t(), t()]),
    ),
    "seeded_dropout": Operator(
        lambda t, n: [call(t(n, 30), 0.3, generator=t.generator()), call(t(n, 3), 0.3, False), call(t(n, 3), 1.0)],
        seeded_dropout,
        zero_dim=lambda t: call(t(), 0.5, generator=t.generator()),
    ),
    "pad_to_multiple": Operator(
        lambda t, n: [call(t(n, 3, 5), 4), call(t(n, 3, 5), 3, 0, -1.5), call(t(n, 4), 4)], pad_to_multiple
    ),
}

if STABLE:
    OPERATORS = {name: operator for name, operator in OPERATORS.items() if name.partition(".")[0] not in NOT_STABLE}

for name, operator in OPERATORS.items():
    base, _, overload = name.partition(".")
    operator.overload = getattr(getattr(opkit, base), overload or "default")


def functional(name: str) -> str:
    """The operator that returns the values that this out variant writes."""
    return name.removesuffix(".out")


def empty_out(args: tuple):
    """Outputs for an out variant to resize: one tensor, or as many as the first argument has."""
    if isinstance(args[0], list):
        return [torch.empty(0, dtype=tensor.dtype) for tensor in args[0]]
    return torch.empty(0, dtype=args[0].dtype)


def flat(result) -> list[torch.Tensor]:
    """The tensors of a result, in order."""
    if isinstance(result, torch.Tensor):
        return [result]
    return [tensor for part in result or () for tensor in flat(part)]


def widened(value):
    """Floating-point tensors as doubles, so that formulas do not add rounding errors; descends into lists and scalars."""
    if isinstance(value, torch.Tensor):
        return value.detach().double() if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return type(value)(widened(part) for part in value)
    if isinstance(value, dict):
        return {key: widened(part) for key, part in value.items()}
    return value


def registered() -> set[str]:
    """The schemas that the library registered."""
    return {name.removeprefix("opkit::") for name in torch._C._dispatch_get_all_op_names() if name.startswith("opkit::")}
