"""Kernels for norms, activations, scans and penalties of logits."""

import torch
import torch.nn.functional as F


def silu_and_mul(out, input):
    d = out.shape[-1]
    out.copy_(F.silu(input[..., :d]) * input[..., d:])


def _normed(x, weight, epsilon):
    y = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + epsilon)
    return y if weight is None else y * weight


def rms_norm(out, input, weight, epsilon):
    out.copy_(_normed(input, weight, epsilon))


def fused_add_rms_norm(input, residual, weight, epsilon):
    residual.add_(input)
    input.copy_(_normed(residual, weight, epsilon))


def rotary_embedding(positions, query, key, head_size, cos_sin_cache, is_neox):
    cos, sin = cos_sin_cache[positions].unsqueeze(-2).chunk(2, -1)
    rotated = cos_sin_cache.shape[1]
    for x in (query, key):
        if x is None:
            continue
        heads = x if x.dim() > positions.dim() + 1 else x.unflatten(-1, (x.shape[-1] // head_size, head_size))
        heads = heads[..., :rotated]
        one, two = heads.chunk(2, -1) if is_neox else (heads[..., ::2], heads[..., 1::2])
        first, second = one * cos - two * sin, two * cos + one * sin
        one.copy_(first)
        two.copy_(second)


def apply_repetition_penalties_(logits, prompt_mask, output_mask, repetition_penalties):
    penalties = torch.where(prompt_mask | output_mask, repetition_penalties[:, None], 1)
    logits.copy_(torch.where(logits > 0, logits / penalties, logits * penalties))


def selective_scan_fwd(u, delta, A, B, C, D, delta_bias, delta_softplus, query_start_loc, ssm_states):
    """Writes what comes out to `delta`, and the last states."""
    if query_start_loc is None:
        sequences = [(i, (i,), slice(None)) for i in range(u.shape[0])]
    else:
        bounds = query_start_loc.tolist()
        sequences = [(i, (), slice(*pair)) for i, pair in enumerate(zip(bounds, bounds[1:]))]
    for i, at, steps in sequences:
        x, step, b, c = (each[at][..., steps] for each in (u, delta, B, C))
        if delta_bias is not None:
            step = step + delta_bias[:, None]
        if delta_softplus:
            step = F.softplus(step)
        # The channels of a group have the same B and C.
        each = x.shape[0] // b.shape[0] if b.shape[0] else 0
        b, c = (one.repeat_interleave(each, 0) for one in (b, c))
        state, out = ssm_states[i].clone(), torch.empty_like(x)
        for t in range(x.shape[-1]):
            state = state * torch.exp(step[:, t, None] * A) + step[:, t, None] * b[..., t] * x[:, t, None]
            out[:, t] = (state * c[..., t]).sum(-1)
        if D is not None:
            out += D[:, None] * x
        ssm_states[i].copy_(state)
        delta[at][..., steps].copy_(out)


def causal_conv1d_update_cpu(x, conv_states, weight, bias, silu, conv_state_indices):
    length = weight.shape[1] - 1
    indices = torch.arange(x.shape[0]) if conv_state_indices is None else conv_state_indices
    new = x[..., None] if x.dim() == 2 else x
    seen = torch.cat([conv_states[indices][..., :length], new], -1)
    conv_states[indices, :, :length] = seen[..., seen.shape[-1] - length :]
    out = (seen.unfold(-1, length + 1, 1) * weight[:, None]).sum(-1)
    if bias is not None:
        out = out + bias[:, None]
    out = F.silu(out) if silu else out
    return out.reshape(x.shape).contiguous()
