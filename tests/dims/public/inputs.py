"""What the lines of the forty operators do not say: values of arguments, and sizes that go together.

A function makes a tensor of a shape, always the same one.
"""

import torch


def fixed(*values, dtype=torch.int64):
    """A tensor of these values, or of the first ones."""
    whole = torch.tensor(values, dtype=dtype)
    return lambda shape: whole[: shape[0]].clone()


def below(limit, dtype=torch.int64):
    """Numbers from 0 to a limit."""

    def make(shape):
        count = torch.Size(shape).numel()
        return (torch.arange(count) * 7 % limit).to(dtype).view(shape)

    return make


def made(kind, dtype=torch.float64):
    """Random values, by `torch.rand` or `torch.randn`."""
    return lambda shape: kind(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64).to(dtype)


def packed(shape):
    """Eight numbers of four bits in each."""
    return torch.randint(-(2**31), 2**31, shape, generator=torch.Generator().manual_seed(2)).to(torch.int32)


def mask(shape):
    return below(2)(shape).bool()


def bounds(rows):
    """Where segments of so many rows begin, and the end."""
    return lambda shape: torch.linspace(0, rows, shape[0]).long() if shape[0] else torch.empty(0, dtype=torch.int64)


def boxes(shape):
    corner = made(torch.rand)((shape[0], 2)) * 4
    return torch.cat([corner, corner + 1 + made(torch.rand)((shape[0], 2)) * 3], 1)


def regions(shape):
    """Boxes in the first two pictures."""
    return torch.cat([below(2, torch.float64)((shape[0], 1)), boxes((shape[0], 4))], 1)


def jagged(shape):
    """Offsets of two lists: the first one has three, the second four."""
    return {3: torch.tensor([0, 1, 3]), 4: torch.tensor([0, 2, 2, 5])}[shape[0]]


positive = made(torch.rand)
VALUES = {
    "vllm_rms_norm": {"epsilon": 1e-5},
    "vllm_fused_add_rms_norm": {"epsilon": 1e-5},
    "vllm_rotary_embedding": {
        "positions": below(8),
        "sizes": {"p": (8,), "r": (4, 2), "head_size": (4, 8)},
    },
    "vllm_merge_attn_states": {"prefill_tokens_with_context": 2, "output_scale": torch.tensor([0.5], dtype=torch.float64)},
    "vllm_awq_dequantize": {"kernel": packed, "zeros": packed},
    "vllm_awq_gemm": {"kernel": packed, "zeros": packed},
    "vllm_marlin_gemm": {
        "b_q_weight": packed((2, 16)),
        "scales": lambda shape: positive((2, shape[1])),
        "workspace": torch.zeros(4, dtype=torch.int32),
        "sizes": {"size_k": (32,), "size_n": (8,)},
    },
    "vllm_cutlass_scaled_mm": {"a_scales": positive, "b_scales": positive},
    "vllm_scaled_fp4_quant": {"input_scale": torch.ones(1, dtype=torch.float64), "sizes": {"n": (16, 32, 48)}},
    "vllm_selective_scan_fwd": {
        "A": lambda shape: -positive(shape),
        "query_start_loc": fixed(0, 2, 5),
        "sizes": {"t": (5,), "q": (2,), "c": (2, 3)},
    },
    "vllm_causal_conv1d_update_cpu": {
        "conv_state_indices": fixed(4, 0, 3, 2, 1, 5, 6, 7),
        "sizes": {"w": (4,), "w1": (3,), "c": (8,)},
    },
    "vllm_topk_softmax": {"sizes": {"k": (2, 1), "e": (4, 8)}},
    "vllm_moe_align_block_size": {
        "topk_ids": below(4),
        "num_experts": 4,
        "block_size": 2,
        "expert_map": fixed(3, 1, 0, 2),
        "sizes": {"t": (3, 2, 0), "k": (2, 1), "s": (12,), "q": (6,), "e": (4,)},
    },
    "vllm_reshape_and_cache_flash": {
        "slot_mapping": fixed(5, -1, 0),
        "k_scale": positive,
        "v_scale": positive,
        "sizes": {"t": (3, 4), "p": (4,), "q": (2,), "s": (3, 2, 1)},
    },
    "vllm_concat_and_cache_mla": {
        "slot_mapping": fixed(5, -1, 0),
        "scale": torch.tensor(0.5, dtype=torch.float64),
        "sizes": {"t": (3, 4), "p": (4,), "q": (2,), "s": (3, 2, 1)},
    },
    "vllm_gather_and_maybe_dequant_cache": {
        "block_table": below(4),
        "cu_seq_lens": fixed(0, 3, 5),
        "token_to_seq": fixed(0, 0, 0, 1, 1),
        "num_tokens": 5,
        "scale": torch.tensor(0.5, dtype=torch.float64),
        "seq_starts": fixed(0, 2),
        "sizes": {"p": (4,), "q": (3,), "t": (5,), "b": (2,), "c": (2,)},
    },
    "vllm_paged_attention": {
        "block_tables": below(4),
        "seq_lens": fixed(3, 1, 4),
        "query_start_loc": fixed(0, 1, 2, 3),
        "sizes": {"s": (3,), "p": (4,), "q": (2,), "n": (3,), "c": (2,)},
    },
    "vllm_apply_repetition_penalties_": {"prompt_mask": mask, "output_mask": mask, "repetition_penalties": positive},
    "vllm_grouped_topk": {
        "scores": positive,
        "n_group": 4,
        "topk_group": 2,
        "sizes": {"e": (8, 16), "topk": (2, 3)},
    },
    "flash_varlen_fwd": {
        "cu_seqlens_q": fixed(0, 2, 5),
        "cu_seqlens_k": fixed(0, 3, 4),
        "block_table": below(4),
        "sizes": {"t": (5,), "u": (4,), "b": (2,), "p": (4,), "s": (2,), "c": (2,)},
    },
    "flash_fwd_kvcache": {
        "seqlens_k": fixed(3, 1, 4, 2, 4, 3, 2, 1),
        "block_table": below(4),
        "sizes": {"t": (4,), "p": (4,), "r": (2,), "c": (2,)},
    },
    "pyg_segment_matmul": {"ptr": bounds(6), "sizes": {"n": (6,), "e": (3, 1, 5)}},
    "pyg_scatter_sum": {"index": below(3)},
    "pyg_random_walk": {
        "rowptr": fixed(0, 2, 3, 5, 6, 8),
        "col": fixed(1, 2, 0, 3, 1, 2, 0, 3),
        "seed": below(5),
        "sizes": {"v": (5,), "m": (8,)},
    },
    "vision_nms": {"dets": boxes, "scores": positive},
    "vision_roi_align": {
        "rois": regions,
        "sampling_ratio": 2,
        "sizes": {"b": (2,), "h": (8, 5), "w": (8, 6), "pooled_height": (2, 3), "pooled_width": (2, 1)},
    },
    "vision_deform_conv2d": {
        "mask": positive,
        "sizes": {
            "h": (4,),
            "w": (5,),
            "y": (3,),
            "x": (4,),
            "i": (2,),
            "j": (2,),
            "groups": (2, 1),
            "offset_groups": (2, 1),
            "c": (2,),
            "o": (4, 2),
        },
    },
    "vision_roi_align_backward": {
        "rois": regions,
        "sampling_ratio": 2,
        "sizes": {
            "batch_size": (2,),
            "height": (8, 5),
            "width": (8, 6),
            "pooled_height": (2, 3),
            "pooled_width": (2, 1),
        },
    },
    "fbgemm_jagged_to_padded_dense": {
        "offsets": jagged,
        "padding_value": 0.25,
        "sizes": {"t": (5,), "o": (3,), "max_lengths": ((2, 3),)},
    },
    "fbgemm_f8f8bf16": {
        "XQ": made(torch.rand, torch.bfloat16),
        "WQ": made(torch.rand, torch.bfloat16),
        "scale": torch.tensor(0.5),
    },
    "fbgemm_FloatToFused8BitRowwiseQuantized": {"t": made(torch.randn, torch.float32)},
    "audio_rnnt_loss_forward": {
        "targets": below(2, torch.int32),
        "logit_lengths": fixed(4, 3, 4, 2, 1, 4, 3, 2, dtype=torch.int32),
        "target_lengths": fixed(2, 1, 0, 2, 1, 2, 0, 1, dtype=torch.int32),
        "blank": 2,
        "clamp": -1.0,
        "sizes": {"t": (4,), "u": (3,), "v": (3, 5)},
    },
    "audio_forced_align": {
        "targets": lambda shape: 1 + below(2)(shape),
        "input_lengths": fixed(6),
        "target_lengths": fixed(2),
        "blank": 0,
        "sizes": {"t": (6,), "c": (3, 4), "l": (2,)},
    },
}
