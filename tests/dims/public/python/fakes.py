"""What compilers know of results whose sizes depend on data, or that are rounded up."""

import torch


def scaled_fp4_quant(input, input_scale, is_sf_swizzled_layout):
    m, n = input.shape
    rows, columns = (-(-m // 128) * 128, -(-(n // 16) // 4) * 4) if is_sf_swizzled_layout else (m, n // 16)
    return input.new_empty(m, n // 2, dtype=torch.uint8), input.new_empty(rows, columns, dtype=torch.float8_e4m3fn)


def scatter_sum(src, index, dim, dim_size):
    sizes = list(src.shape)
    sizes[dim] = torch.library.get_ctx().new_dynamic_size() if dim_size is None else dim_size
    return src.new_empty(sizes)


def nms(dets, scores, iou_threshold):
    return dets.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.int64)


def jagged_to_padded_dense(values, offsets, max_lengths, padding_value):
    return values.new_empty(offsets[0].shape[0] - 1, *max_lengths, values.shape[1])
