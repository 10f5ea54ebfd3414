"""Kernels for graphs: products of segments, sums at indices, and walks."""

import torch


def segment_matmul(input, ptr, other):
    out, bounds = input.new_empty(input.shape[0], other.shape[2]), ptr.tolist()
    for i, (start, end) in enumerate(zip(bounds, bounds[1:])):
        out[start:end] = input[start:end] @ other[i]
    return out


def grouped_matmul(input, other):
    return [x @ y for x, y in zip(input, other)]


def scatter_sum(src, index, dim, dim_size):
    sizes = list(src.shape)
    sizes[dim] = dim_size if dim_size is not None else int(index.max()) + 1 if index.numel() else 0
    return src.new_zeros(sizes).scatter_add_(dim, index, src)


def spline_weighting(x, weight, basis, weight_index):
    return torch.einsum("ei,esio,es->eo", x, weight[weight_index], basis)


def random_walk(rowptr, col, seed, walk_length):
    walk = [seed]
    for _ in range(walk_length):
        start, end = rowptr[walk[-1]], rowptr[walk[-1] + 1]
        degree = end - start
        step = start + (torch.rand(seed.shape) * degree).long()
        walk.append(torch.where(degree > 0, col[step.clamp(max=len(col) - 1)], walk[-1]))
    return torch.stack(walk, 1)
