"""What each operator computes, composed of PyTorch's own operators: slices, reductions and
`grid_sample`. Nothing here is shared with the kernels."""

import math

import torch
import torch.nn.functional as F


def nms(dets, scores, iou_threshold):
    width, height = (torch.min(dets[:, None, 2:], dets[:, 2:]) - torch.max(dets[:, None, :2], dets[:, :2])).clamp_min(0).unbind(-1)
    area = (dets[:, 2:] - dets[:, :2]).prod(1)
    overlap = width * height / (area[:, None] + area - width * height)
    left = scores.sort(descending=True, stable=True).indices
    kept = []
    while len(left):
        kept.append(left[0])
        left = left[1:][overlap[left[0], left[1:]] <= iou_threshold]
    return torch.stack(kept) if kept else left


def at_points(planes, y, x, padding_mode):
    """Bilinear samples of [C, H, W] at points: [C, *shape of y and x]."""
    height, width = planes.shape[-2:]
    grid = torch.stack([2 * x / (width - 1) - 1, 2 * y / (height - 1) - 1], -1).reshape(1, 1, -1, 2)
    values = F.grid_sample(planes[None], grid, mode="bilinear", padding_mode=padding_mode, align_corners=True)
    return values.reshape(-1, *y.shape)


def grid_samples(image, start, size, cells, ratio):
    """The samples in each cell of a region: [C, rows, samples, columns, samples]."""
    points = []
    for begin, length, count in zip(start, size, cells):
        samples = ratio if ratio > 0 else int((length / count).ceil())
        steps = (torch.arange(count * samples, dtype=image.dtype) + 0.5) / samples
        points.append((begin + steps * length / count, count, samples))
    (y, rows, samples_y), (x, columns, samples_x) = points
    y, x = torch.meshgrid(y, x, indexing="ij")
    inside = (y >= -1) & (y <= image.shape[1]) & (x >= -1) & (x <= image.shape[2])
    values = at_points(image, y, x, "border") * inside
    return values.reshape(-1, rows, samples_y, columns, samples_x)


def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    results = [input.new_empty(0, input.shape[1], pooled_height, pooled_width)]
    for roi in rois:
        x1, y1, x2, y2 = roi[1:] * spatial_scale - (0.5 if aligned else 0)
        size = torch.stack([y2 - y1, x2 - x1])
        size = size if aligned else size.clamp_min(1)
        samples = grid_samples(input[int(roi[0])], (y1, x1), size, (pooled_height, pooled_width), sampling_ratio)
        results.append(samples.mean((2, 4))[None])
    return torch.cat(results)


def ps_roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio):
    cells = pooled_height * pooled_width
    results = [input.new_empty(0, input.shape[1] // cells, pooled_height, pooled_width)]
    for roi in rois:
        x1, y1, x2, y2 = roi[1:] * spatial_scale - 0.5
        size = torch.stack([y2 - y1, x2 - x1])
        samples = grid_samples(input[int(roi[0])], (y1, x1), size, (pooled_height, pooled_width), sampling_ratio)
        means = samples.mean((2, 4)).unflatten(0, (-1, pooled_height, pooled_width))
        # Of the planes (c, i, j), cell (i, j) reads the one with its own place.
        results.append(torch.einsum("cijij->cij", means)[None])
    return with_planes(torch.cat(results))


def with_planes(output):
    planes = torch.arange(output[:1].numel() if len(output) else output.shape[1:].numel(), dtype=torch.int32)
    return output, planes.reshape(1, *output.shape[1:]).expand_as(output)


def cells(roi, spatial_scale, pooled_height, pooled_width, beyond):
    """The slices of the cells of a region whose coordinates are rounded."""
    # Halves are rounded away from zero.
    x1, y1, x2, y2 = ((roi[1:] * spatial_scale).abs() + 0.5).floor().mul(roi[1:].sign()).tolist()
    height, width = max(y2 - y1 + beyond, 1), max(x2 - x1 + beyond, 1)

    def part(start, length, index, count):
        begin, end = start + math.floor(index * length / count), start + math.ceil((index + 1) * length / count)
        return slice(int(max(begin, 0)), int(max(end, 0)))

    for i in range(pooled_height):
        for j in range(pooled_width):
            yield i, j, part(y1, height, i, pooled_height), part(x1, width, j, pooled_width)


def roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    output = input.new_zeros(len(rois), input.shape[1], pooled_height, pooled_width)
    argmax = torch.full_like(output, -1, dtype=torch.int32)
    indices = torch.arange(input.shape[2] * input.shape[3], dtype=torch.int32).reshape(input.shape[2:])
    for k, roi in enumerate(rois):
        for i, j, rows, columns in cells(roi, spatial_scale, pooled_height, pooled_width, 1):
            cell = input[int(roi[0]), :, rows, columns].flatten(1)
            if cell.numel():
                output[k, :, i, j], at = cell.max(1)
                argmax[k, :, i, j] = indices[rows, columns].flatten()[at]
    return output, argmax


def ps_roi_pool(input, rois, spatial_scale, pooled_height, pooled_width):
    channels = input.shape[1] // (pooled_height * pooled_width)
    output = input.new_zeros(len(rois), channels, pooled_height, pooled_width)
    for k, roi in enumerate(rois):
        planes = input[int(roi[0])].unflatten(0, (channels, pooled_height, pooled_width))
        for i, j, rows, columns in cells(roi, spatial_scale, pooled_height, pooled_width, 0):
            cell = planes[:, i, j, rows, columns].flatten(1)
            if cell.numel():
                output[k, :, i, j] = cell.mean(1)
    return with_planes(output)


def deform_conv2d(
    input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups, use_mask
):
    kernel = weight.shape[2:]
    rows, columns = offset.shape[2:]
    moves = offset.unflatten(1, (offset_groups, *kernel, 2))
    shares = mask.unflatten(1, (offset_groups, *kernel)) if use_mask else None
    images = []
    for n, image in enumerate(input):
        y, x = torch.meshgrid(
            torch.arange(rows, dtype=input.dtype) * stride_h - pad_h, torch.arange(columns, dtype=input.dtype) * stride_w - pad_w, indexing="ij"
        )
        total = bias[:, None, None].expand(-1, rows, columns)
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                parts = []
                for g, planes in enumerate(image.chunk(offset_groups)):
                    down, across = moves[n, g, i, j]
                    part = at_points(planes, y + i * dilation_h + down, x + j * dilation_w + across, "zeros")
                    parts.append(part * shares[n, g, i, j] if use_mask else part)
                # A convolution with one kernel element multiplies the channels.
                total = total + F.conv2d(torch.cat(parts)[None], weight[:, :, i : i + 1, j : j + 1], groups=groups)[0]
        images.append(total)
    return torch.stack(images)
