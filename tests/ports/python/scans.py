"""The gradients of a selective scan."""

import torch


def selective_scan_backward(grad, u, delta, A, B, C, D, z, delta_bias, delta_softplus):
    raw = delta if delta_bias is None else delta + delta_bias[:, None]
    step = torch.nn.functional.softplus(raw) if delta_softplus else raw
    # By batch, dim, length and state.
    decay = torch.exp(step[..., None] * A[:, None])
    ins, outs = B.transpose(1, 2)[:, None], C.transpose(1, 2)[:, None]
    added = (step * u)[..., None] * ins
    length = u.shape[2]
    state, before, states = torch.zeros_like(added[:, :, 0]), [], []
    for t in range(length):
        before.append(state)
        state = decay[:, :, t] * state + added[:, :, t]
        states.append(state)
    before, states = torch.stack(before, 2), torch.stack(states, 2)
    of_z = None
    if z is not None:
        scanned = (states * outs).sum(-1) + (0 if D is None else D[:, None] * u)
        s = z.sigmoid()
        of_z = grad * scanned * s * (1 + z * (1 - s))
        grad = grad * z * s
    later, of_states = torch.zeros_like(state), []
    for t in reversed(range(length)):
        later = grad[:, :, t, None] * outs[:, :, t] + later
        of_states.append(later)
        later = later * decay[:, :, t]
    of_states = torch.stack(of_states[::-1], 2)
    of_exponent = of_states * before * decay
    of_added = (of_states * ins).sum(-1)
    of_delta = (of_exponent * A[:, None]).sum(-1) + of_added * u
    of_delta = of_delta * raw.sigmoid() if delta_softplus else of_delta
    of_u = of_added * step + (0 if D is None else D[:, None] * grad)
    return (
        of_u,
        of_delta,
        (of_exponent * step[..., None]).sum((0, 2)),
        (of_states * (step * u)[..., None]).sum(1).transpose(1, 2).contiguous(),
        (grad[..., None] * states).sum(1).transpose(1, 2).contiguous(),
        None if D is None else (grad * u).sum((0, 2)),
        of_z,
        None if delta_bias is None else of_delta.sum((0, 2)),
    )
