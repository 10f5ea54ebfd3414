"""Kernels that need Triton."""

import torch
import triton
import triton.language as tl
from torch.library import wrap_triton


@triton.jit
def _silu_mul(gate, up, out, limit, count, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = place < count
    x, y = tl.load(gate + place, here).to(tl.float32), tl.load(up + place, here).to(tl.float32)
    y = tl.minimum(tl.maximum(y, -limit), limit)
    tl.store(out + place, x * tl.sigmoid(x) * y, here)


def silu_mul(gate, up, *, limit):
    gate, up = gate.contiguous(), up.contiguous()
    out = torch.empty_like(gate)
    wrap_triton(_silu_mul)[(triton.cdiv(out.numel(), 1024),)](gate, up, out, limit, out.numel(), 1024)
    return out
