"""What each operator computes, composed of PyTorch's own operators: slices, reductions and
`grid_sample`. Nothing here is shared with the kernels."""

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
