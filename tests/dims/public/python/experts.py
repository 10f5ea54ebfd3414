"""Kernels for mixtures of experts: which tokens go where."""

import torch


def topk_softmax(topk_weights, topk_indices, token_expert_indices, gating_output, bias):
    """`token_expert_indices` counts through all choices of all tokens: it has another value in a part."""
    weights = gating_output.softmax(-1)
    indices = (weights if bias is None else weights + bias).topk(topk_weights.shape[1]).indices
    topk_weights.copy_(weights.gather(1, indices))
    topk_indices.copy_(indices)
    tokens, k = topk_indices.shape
    token_expert_indices.copy_(torch.arange(k) * tokens + torch.arange(tokens)[:, None])


def moe_align_block_size(topk_ids, num_experts, block_size, sorted_token_ids, experts_ids, num_tokens_post_pad, expert_map):
    flat = topk_ids.flatten()
    sorted_token_ids.fill_(flat.numel())
    experts_ids.fill_(-1)
    at = 0
    for expert in range(num_experts):
        own = (flat == expert).nonzero()[:, 0]
        blocks = -(-len(own) // block_size)
        sorted_token_ids[at : at + len(own)] = own
        first = at // block_size
        experts_ids[first : first + blocks] = expert if expert_map is None else expert_map[expert]
        at += blocks * block_size
    num_tokens_post_pad.fill_(at)


def moe_sum(input, output):
    output.copy_(input.sum(1))


def grouped_topk(scores, n_group, topk_group, topk, renormalize, bias):
    tokens, experts = scores.shape
    biased = scores + bias
    groups = biased.view(tokens, n_group, experts // n_group)
    best = groups.topk(min(2, experts // n_group)).values.sum(-1).topk(topk_group).indices
    is_chosen = torch.zeros(tokens, n_group, dtype=torch.bool).scatter_(1, best, True)
    biased = groups.masked_fill(~is_chosen[..., None], float("-inf")).view(tokens, experts)
    indices = biased.topk(topk).indices
    weights = scores.gather(1, indices)
    if renormalize:
        weights = weights / weights.sum(-1, keepdim=True)
    return weights, indices
