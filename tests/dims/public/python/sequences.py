"""Kernels for sequences of sounds, ragged rows, and what ranks exchange."""

import torch


def all_reduce(fa, inp, out, reg_buffer):
    """With one rank, the sum over ranks is the tensor."""
    out.copy_(inp)


def jagged_to_padded_dense(values, offsets, max_lengths, padding_value):
    rows = torch.arange(len(offsets[0]) - 1)
    is_there = torch.ones(len(rows), dtype=torch.bool)
    for bounds, most in zip(offsets, max_lengths):
        start, end = bounds[rows].unsqueeze(-1), bounds[rows + 1].unsqueeze(-1)
        next_rows = start + torch.arange(most)
        is_there = is_there.unsqueeze(-1) & (next_rows < end)
        rows = next_rows.clamp(max=max(len(bounds) - 1, 0)) if bounds is not offsets[-1] else next_rows
        rows = torch.where(is_there, rows, 0)
    return torch.where(is_there.unsqueeze(-1), values[rows], padding_value)


def _costs(logits, targets, frames, labels, blank):
    """The costs and gradients of one sequence, whose logits are [frames, labels + 1, words]."""
    words = logits.log_softmax(-1)
    none = words[..., blank]
    one = words[:, :labels].gather(-1, targets[:labels].long().expand(frames, -1).unsqueeze(-1)).squeeze(-1)
    lowest = torch.tensor(float("-inf"), dtype=logits.dtype)
    alpha, beta = torch.full_like(none, float("-inf")), torch.full_like(none, float("-inf"))
    for t in range(frames):
        for u in range(labels + 1):
            before = alpha[t - 1, u] + none[t - 1, u] if t else lowest
            beside = alpha[t, u - 1] + one[t, u - 1] if u else lowest
            alpha[t, u] = torch.logaddexp(before, beside) if t or u else 0.0
    for t in reversed(range(frames)):
        for u in reversed(range(labels + 1)):
            is_last = t == frames - 1 and u == labels
            after = beta[t + 1, u] + none[t, u] if t < frames - 1 else lowest
            beside = beta[t, u + 1] + one[t, u] if u < labels else lowest
            beta[t, u] = none[t, u] if is_last else torch.logaddexp(after, beside)
    cost = -beta[0, 0]
    grad = words.exp() * (alpha + beta + cost).exp().unsqueeze(-1)
    following = torch.cat([beta[1:], torch.full_like(beta[:1], float("-inf"))])
    following[-1, labels] = 0.0
    grad[..., blank] -= (alpha + none + following + cost).exp()
    emitted = (alpha[:, :labels] + one + beta[:, 1:] + cost).exp()
    grad[:, :labels].scatter_add_(-1, targets[:labels].long().expand(frames, -1).unsqueeze(-1), -emitted.unsqueeze(-1))
    return cost, grad


def rnnt_loss_forward(logits, targets, logit_lengths, target_lengths, blank, clamp):
    costs, grads = logits.new_empty(logits.shape[0]), torch.zeros_like(logits)
    for i in range(logits.shape[0]):
        t, u = int(logit_lengths[i]), int(target_lengths[i])
        costs[i], grad = _costs(logits[i, :t, : u + 1], targets[i], t, u, blank)
        grads[i, :t, : u + 1] = grad.clamp(-clamp, clamp) if clamp > 0 else grad
    return costs, grads


def forced_align(log_probs, targets, input_lengths, target_lengths, blank):
    words, frames, labels = log_probs[0], int(input_lengths[0]), int(target_lengths[0])
    states = torch.full((2 * labels + 1,), blank, dtype=torch.int64)
    states[1::2] = targets[0, :labels]
    scores, back = torch.full((len(states),), float("-inf"), dtype=words.dtype), []
    scores[:2] = words[0, states[:2]]
    # A label may follow another one without a blank between them.
    skips = torch.zeros(len(states), dtype=torch.bool)
    skips[3::2] = states[3::2] != states[1:-2:2]
    for t in range(1, frames):
        one = torch.cat([scores[:1] - float("inf"), scores])[: len(states)]
        two = torch.cat([torch.full((2,), float("-inf"), dtype=words.dtype), scores])[: len(states)]
        best = torch.stack([scores, one, two.masked_fill(~skips, float("-inf"))])
        scores, steps = best.max(0)
        back.append(steps)
        scores = scores + words[t, states]
    at = len(states) - 1 if labels == 0 or scores[-1] > scores[-2] else len(states) - 2
    path = [at]
    for steps in reversed(back):
        path.append(path[-1] - int(steps[path[-1]]))
    return states[torch.tensor(path[::-1])].to(targets.dtype)[None], log_probs.clone()
