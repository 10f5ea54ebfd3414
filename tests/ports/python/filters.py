"""Filters and their gradients. Coefficients are (channel, order), the first one of `a` is 1."""

import torch


def _delayed(x, by):
    return torch.nn.functional.pad(x, (by, 0))[..., : x.shape[-1]]


def fir_apply(waveform, b_coeffs):
    return sum(b_coeffs[:, i, None] * _delayed(waveform, i) for i in range(b_coeffs.shape[1]))


def fir_backward(grad_output, waveform, b_coeffs):
    of_waveform = fir_apply(grad_output.flip(-1), b_coeffs).flip(-1)
    of_b = [(grad_output * _delayed(waveform, i)).sum((0, 2)) for i in range(b_coeffs.shape[1])]
    return of_waveform, torch.stack(of_b, 1)


def iir_backward(grad_output, a_coeffs_normalized, output):
    reverse = torch.ops.ports._differentiable_iir_apply.default(grad_output.flip(-1), a_coeffs_normalized)
    of_waveform = reverse.flip(-1)
    of_a = [-(of_waveform * _delayed(output, i)).sum((0, 2)) for i in range(1, a_coeffs_normalized.shape[1])]
    return of_waveform, torch.stack([torch.zeros_like(of_a[0]), *of_a], 1)
