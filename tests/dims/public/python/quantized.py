"""Kernels for quantized tensors: packed weights, scales, and products of them."""

import torch

_FP8_MOST = 448.0
# The place of each of eight columns in a number of AWQ.
_AWQ_SHIFTS = torch.tensor([0, 16, 4, 20, 8, 24, 12, 28])
# Numbers of four bits: a sign, two bits of exponent, one of mantissa.
_FP4 = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])


def _fp8(x):
    return x.clamp(-_FP8_MOST, _FP8_MOST).to(torch.float8_e4m3fn)


def _unpacked(x, shifts):
    return ((x.long().unsqueeze(-1) >> shifts) & 15).flatten(-2)


def awq_dequantize(kernel, scaling_factors, zeros):
    groups = scaling_factors.shape[0]
    rows = kernel.shape[0] // groups if groups else 0
    zeros, scales = (each.repeat_interleave(rows, 0) for each in (_unpacked(zeros, _AWQ_SHIFTS), scaling_factors))
    return (_unpacked(kernel, _AWQ_SHIFTS) - zeros) * scales


def awq_gemm(x, kernel, scaling_factors, zeros):
    return x @ awq_dequantize(kernel, scaling_factors, zeros)


def marlin_gemm(a, c, b_q_weight, bias, scales, a_scales, workspace, size_m, size_n, size_k):
    """Weights are tiles of 16 rows, in which each column has 16 numbers of four bits; 8 is zero."""
    tiles = _unpacked(b_q_weight, torch.arange(0, 32, 4)).view(size_k // 16, size_n, 16)
    weight = (tiles.transpose(1, 2).reshape(size_k, size_n) - 8) * scales.repeat_interleave(size_k // len(scales), 0)
    out = (a if a_scales is None else a * a_scales) @ weight
    out = out if bias is None else out + bias
    workspace.zero_()
    if c is not None:
        c.copy_(out)
    return out


def cutlass_scaled_mm(out, a, b, a_scales, b_scales, bias):
    a_scales = a_scales[:, None] if a_scales.dim() == 1 else a_scales
    product = (a.to(out.dtype) @ b.to(out.dtype)) * a_scales * b_scales
    out.copy_(product if bias is None else product + bias)


def dynamic_per_token_scaled_fp8_quant(result, input, scale, scale_ub):
    most = input.abs().amax(-1, keepdim=True)
    if scale_ub is not None:
        most = torch.minimum(most, scale_ub)
    scale.copy_((most / _FP8_MOST).clamp(min=1 / (_FP8_MOST * 512)))
    result.copy_(_fp8(input / scale))


def _up(size, unit):
    return -(-size // unit) * unit


def scaled_fp4_quant(input, input_scale, is_sf_swizzled_layout):
    m, n = input.shape
    blocks = input.view(m, n // 16, 16)
    scales = _fp8(blocks.abs().amax(-1) / 6 * input_scale)
    values = blocks * input_scale / scales.to(input.dtype).unsqueeze(-1)
    numbers = torch.bucketize(values.abs().nan_to_num(0).contiguous(), (_FP4[1:] + _FP4[:-1]).to(input.dtype) / 2)
    numbers = (numbers | ((values < 0).long() << 3)).view(m, n // 2, 2)
    packed = (numbers[..., 0] | (numbers[..., 1] << 4)).to(torch.uint8)
    if is_sf_swizzled_layout:
        padded = torch.zeros(_up(m, 128), _up(n // 16, 4), dtype=torch.float8_e4m3fn)
        padded[:m, : n // 16] = scales
        # Tiles of 128 rows and 4 columns, in which row 32*i + j is beside the others of the same j.
        tiles = padded.view(-1, 4, 32, padded.shape[1] // 4, 4)
        scales = tiles.permute(0, 3, 2, 1, 4).reshape(padded.shape)
    return packed, scales


def f8f8bf16(XQ, WQ, scale):
    return ((XQ.float() @ WQ.float().T) * scale.float()).to(torch.bfloat16)


def permute102_baddbmm_permute102(bias, A, B):
    return torch.baddbmm(bias[:, None], A.transpose(0, 1), B).transpose(0, 1).contiguous()


def fused_8_bit_rowwise(t):
    least, most = t.aminmax(dim=-1, keepdim=True)
    scale = (most - least) / 255
    numbers = ((t - least) * (255 / (most - least + 1e-8))).round().clamp(0, 255).to(torch.uint8)
    return torch.cat([numbers, *(x.float().clone(memory_format=torch.contiguous_format).view(torch.uint8) for x in (scale, least))], -1)
