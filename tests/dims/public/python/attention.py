"""Kernels for attention and its caches: pages of keys and values, and sequences one after the other."""

import torch


def _attended(q, k, v, scale):
    """One sequence: `q` is [queries, (h g), d], `k` and `v` [keys, h, d]. Also logarithms of sums, [(h g), queries]."""
    group = q.shape[1] // k.shape[1] if k.shape[1] else 0
    k, v = (each.repeat_interleave(group, 1) for each in (k, v))
    scores = torch.einsum("qhd,khd->hqk", q, k) * scale
    if k.shape[0] == 0:
        return torch.zeros_like(q), torch.full(scores.shape[:2], float("inf"), dtype=q.dtype)
    return torch.einsum("hqk,khd->qhd", scores.softmax(-1), v), scores.logsumexp(-1)


def merge_attn_states(
    output, output_lse, prefix_output, prefix_lse, suffix_output, suffix_lse, prefill_tokens_with_context, output_scale
):
    weights = torch.stack([prefix_lse, suffix_lse]).softmax(0).transpose(1, 2).unsqueeze(-1)
    merged, lse = weights[0] * prefix_output + weights[1] * suffix_output, torch.logaddexp(prefix_lse, suffix_lse)
    if prefill_tokens_with_context is not None:
        # Tokens from this one on have no prefix.
        is_alone = torch.arange(output.shape[0]) >= prefill_tokens_with_context
        merged = torch.where(is_alone[:, None, None], suffix_output, merged)
        lse = torch.where(is_alone, suffix_lse, lse)
    output.copy_(merged if output_scale is None else (merged / output_scale).to(torch.float8_e4m3fn))
    if output_lse is not None:
        output_lse.copy_(lse)


def _slots(cache, slot_mapping):
    """Pages and places of slots, and which tokens have one."""
    tokens = (slot_mapping >= 0).nonzero()[:, 0]
    slots = slot_mapping[tokens]
    return slots // cache.shape[1], slots % cache.shape[1], tokens


def reshape_and_cache_flash(key, value, key_cache, value_cache, slot_mapping, k_scale, v_scale):
    for x, cache, scale in ((key, key_cache, k_scale), (value, value_cache, v_scale)):
        pages, places, tokens = _slots(cache, slot_mapping)
        cache[pages, places] = (x[tokens] / (scale[:, None] if scale.dim() else scale)).to(cache.dtype)


def concat_and_cache_mla(kv_c, k_pe, kv_cache, slot_mapping, scale):
    pages, places, tokens = _slots(kv_cache, slot_mapping)
    kv_cache[pages, places] = torch.cat([kv_c, k_pe], 1)[tokens] / scale


def gather_and_maybe_dequant_cache(src_cache, dst, block_table, cu_seq_lens, token_to_seq, num_tokens, scale, seq_starts):
    sequences = token_to_seq[:num_tokens]
    at = torch.arange(num_tokens) - cu_seq_lens[sequences]
    if seq_starts is not None:
        at = at + seq_starts[sequences]
    size = src_cache.shape[1]
    dst[:num_tokens] = src_cache[block_table[sequences, at // size], at % size] * scale


def paged_attention(out, query, key_cache, value_cache, num_kv_heads, scale, block_tables, seq_lens, query_start_loc):
    bounds = range(len(seq_lens) + 1) if query_start_loc is None else query_start_loc.tolist()
    # [pages, heads, d / x, size, x] and [pages, heads, d, size] become [pages, size, heads, d].
    keys = key_cache.permute(0, 3, 1, 2, 4).flatten(3)
    values = value_cache.permute(0, 3, 1, 2)
    for i, length in enumerate(seq_lens.tolist()):
        k, v = (each[block_tables[i]].flatten(0, 1)[:length] for each in (keys, values))
        queries = slice(bounds[i], bounds[i + 1])
        out[queries] = _attended(query[queries], k, v, scale)[0]


def varlen_fwd(q, k, v, out, cu_seqlens_q, cu_seqlens_k, block_table, scale):
    result, lse = torch.empty_like(q), q.new_empty(q.shape[1], q.shape[0])
    for i in range(len(cu_seqlens_q) - 1):
        queries, keys = slice(*cu_seqlens_q[i : i + 2].tolist()), slice(*cu_seqlens_k[i : i + 2].tolist())
        if block_table is None:
            own = k[keys], v[keys]
        else:
            own = (each[block_table[i]].flatten(0, 1)[: keys.stop - keys.start] for each in (k, v))
        result[queries], lse[:, queries] = _attended(q[queries], *own, scale)
    if out is not None:
        out.copy_(result)
    return result, lse


def fwd_kvcache(q, kcache, vcache, seqlens_k, block_table, scale):
    out, lse = torch.empty_like(q), q.new_empty(q.shape[0], q.shape[2], q.shape[1])
    for i in range(q.shape[0]):
        own = (each[i] if block_table is None else each[block_table[i]].flatten(0, 1) for each in (kcache, vcache))
        length = None if seqlens_k is None else int(seqlens_k[i])
        out[i], lse[i] = _attended(q[i], *(each[:length] for each in own), scale)
    return out, lse
