"""Kernels for pictures: boxes, regions of interest, and deformable convolution."""

import torch


def nms(dets, scores, iou_threshold):
    order, kept = scores.argsort(descending=True, stable=True), []
    areas = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
    while order.numel() > 0:
        first, order = order[0], order[1:]
        kept.append(first)
        low, high = torch.maximum(dets[first, :2], dets[order, :2]), torch.minimum(dets[first, 2:], dets[order, 2:])
        common = (high - low).clamp(min=0).prod(-1)
        order = order[common / (areas[first] + areas[order] - common) <= iou_threshold]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)


def _corners(y, x, height, width):
    """The four places around each point, with their weights; points more than one outside have none."""
    inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    y, x = y.clamp(min=0), x.clamp(min=0)
    top, left = y.floor().long().clamp(max=height - 1), x.floor().long().clamp(max=width - 1)
    bottom, right = (top + 1).clamp(max=height - 1), (left + 1).clamp(max=width - 1)
    down = torch.where(top >= height - 1, 0, y - top)
    along = torch.where(left >= width - 1, 0, x - left)
    weights = [(1 - down) * (1 - along), (1 - down) * along, down * (1 - along), down * along]
    places = [top * width + left, top * width + right, bottom * width + left, bottom * width + right]
    return places, [weight * inside for weight in weights]


def _points(roi, scale, pooled, sampling_ratio, aligned, size):
    """The places and weights of the points in each bin of a region, [4, bins, points], whose mean it has."""
    shift = 0.5 if aligned else 0.0
    x1, y1, x2, y2 = (value * scale - shift for value in roi[1:].unbind())
    sides = [y2 - y1, x2 - x1] if aligned else [(y2 - y1).clamp(min=1), (x2 - x1).clamp(min=1)]
    axes = []
    for start, side, count in zip((y1, x1), sides, pooled):
        bin_size = side / count
        points = sampling_ratio if sampling_ratio > 0 else int(bin_size.ceil())
        at = (torch.arange(points, dtype=roi.dtype) + 0.5) * bin_size / max(points, 1)
        axes.append(start + torch.arange(count, dtype=roi.dtype)[:, None] * bin_size + at)
    y, x = axes
    shape = y.shape[0], x.shape[0], y.shape[1], x.shape[1]
    y, x = y[:, None, :, None].expand(shape).flatten(2), x[None, :, None, :].expand(shape).flatten(2)
    places, weights = _corners(y, x, *size)
    return torch.stack(places).flatten(1, 2), torch.stack(weights).flatten(1, 2) / max(y.shape[-1], 1)


def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    out = input.new_zeros(rois.shape[0], input.shape[1], pooled_height, pooled_width)
    for i, roi in enumerate(rois):
        places, weights = _points(roi, spatial_scale, (pooled_height, pooled_width), sampling_ratio, aligned, input.shape[2:])
        picture = input[int(roi[0])].flatten(1)
        out[i] = (picture[:, places] * weights).sum((1, 3)).view(out.shape[1:])
    return out


def roi_align_backward(
    grad, rois, spatial_scale, pooled_height, pooled_width, batch_size, channels, height, width, sampling_ratio, aligned
):
    out = grad.new_zeros(batch_size, channels, height * width)
    for i, roi in enumerate(rois):
        places, weights = _points(roi, spatial_scale, (pooled_height, pooled_width), sampling_ratio, aligned, (height, width))
        parts = grad[i].flatten(1)[:, None, :, None] * weights
        out[int(roi[0])].index_add_(1, places.flatten(), parts.flatten(1))
    return out.view(batch_size, channels, height, width)


def _inner_corners(y, x, height, width):
    """The four places around each point, with their weights; those outside have none."""
    for down in (0, 1):
        for along in (0, 1):
            row, column = y.floor() + down, x.floor() + along
            weight = (1 - (y - row).abs()) * (1 - (x - column).abs())
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            yield (row.clamp(0, height - 1) * width + column.clamp(0, width - 1)).long(), weight * inside


def deform_conv2d(input, weight, offset, mask, bias, groups, offset_groups):
    """Steps of one, and no padding."""
    batch, channels, height, width = input.shape
    outputs, _, i, j = weight.shape
    y, x = offset.shape[2:]
    offset, mask = offset.view(batch, offset_groups, i * j, 2, y, x), mask.view(batch, offset_groups, 1, i * j, y, x)
    rows = torch.arange(y)[:, None] + torch.arange(i).repeat_interleave(j)[:, None, None]
    columns = torch.arange(x) + torch.arange(j).repeat(i)[:, None, None]
    picture = input.view(batch, offset_groups, channels // offset_groups, height * width)
    sampled = 0
    for place, own in _inner_corners(rows + offset[:, :, :, 0], columns + offset[:, :, :, 1], height, width):
        at = place.flatten(2).unsqueeze(2).expand(-1, -1, picture.shape[2], -1)
        sampled = sampled + picture.gather(3, at).view(*picture.shape[:3], i * j, y, x) * own.unsqueeze(2)
    sampled = (sampled * mask).view(batch, groups, channels // groups * i * j, y * x)
    weight = weight.view(groups, outputs // groups, -1)
    return (weight @ sampled).view(batch, outputs, y, x) + bias[:, None, None]
