"""Arguments for each operator: `CASES[name](random, dtype)` is a list of calls."""

import torch

visionkit = torch.ops.visionkit


class Tensors:
    """Random tensors of one type. Every second one has gaps between its elements."""

    def __init__(self, dtype=torch.float64, seed=0):
        self.dtype, self.random, self.made = dtype, torch.Generator().manual_seed(seed), 0

    def laid_out(self, values):
        self.made += 1
        if self.made % 2:
            return values.clone()
        return torch.stack([values, values + 7], -1)[..., 0]

    def __call__(self, *shape):
        return self.laid_out(torch.randn(shape, dtype=torch.float64, generator=self.random).to(self.dtype))

    def uniform(self, *shape):
        return torch.rand(shape, dtype=torch.float64, generator=self.random)

    def boxes(self, count, extent=10.0):
        corner, size = self.uniform(2, count, 2)
        return self.laid_out((torch.cat([corner, corner + size + 0.05], 1) * extent).to(self.dtype))

    def rois(self, count, images, extent=10.0):
        image = torch.randint(images, (count, 1), generator=self.random)
        return self.laid_out(torch.cat([image, self.boxes(count, extent)], 1).to(self.dtype))


def nms(t):
    few = t.boxes(3), t(3)
    ties = t.boxes(6, 3.0), torch.zeros(6, dtype=t.dtype)
    return [(*few, 0.5), (*ties, 0.2), (t.boxes(40), t(40), 0.3), (t.boxes(0), t(0), 0.5)]


def roi_align(t):
    return [
        (t(2, 3, 7, 6), t.rois(4, 2), 0.5, 2, 3, 2, False),
        (t(2, 3, 7, 6), t.rois(4, 2), 0.5, 3, 2, 0, True),
        (t(1, 2, 5, 4), t.rois(2, 1, 20.0), 0.25, 2, 2, -1, False),
        (t(1, 2, 5, 4), t.rois(0, 1), 1.0, 2, 2, 1, True),
    ]


def roi_pool(t):
    return [
        (t(2, 3, 7, 6), t.rois(4, 2), 0.5, 2, 3),
        (t(1, 2, 5, 4), t.rois(3, 1, 30.0), 0.25, 4, 2),
        (t(1, 2, 5, 4), t.rois(0, 1), 1.0, 2, 2),
    ]


def ps_roi_align(t):
    return [
        (t(2, 12, 7, 6), t.rois(4, 2), 0.5, 2, 3, 2),
        (t(1, 8, 5, 4), t.rois(3, 1, 20.0), 0.25, 2, 2, 0),
        (t(1, 8, 5, 4), t.rois(0, 1), 1.0, 2, 2, 1),
    ]


def ps_roi_pool(t):
    return [
        (t(2, 12, 7, 6), t.rois(4, 2), 0.5, 2, 3),
        (t(1, 8, 5, 4), t.rois(3, 1, 14.0), 0.25, 2, 4),
        (t(1, 8, 5, 4), t.rois(0, 1), 1.0, 2, 2),
    ]


def deform_conv2d(t):
    def call(images, channels, out, kernel, size, stride, pad, dilation, groups, offset_groups, use_mask):
        extent = [(s + 2 * p - d * (k - 1) - 1) // r + 1 for s, k, r, p, d in zip(size, kernel, stride, pad, dilation)]
        moved = offset_groups * kernel[0] * kernel[1]
        mask = t(images, moved, *extent) if use_mask else torch.zeros(images, 1, dtype=t.dtype)
        tensors = t(images, channels, *size), t(out, channels // groups, *kernel), t(images, 2 * moved, *extent), mask, t(out)
        return *tensors, *stride, *pad, *dilation, groups, offset_groups, use_mask

    return [
        call(2, 4, 4, (3, 2), (5, 6), (2, 1), (1, 2), (1, 2), 2, 2, True),
        call(1, 2, 3, (2, 2), (4, 4), (1, 1), (0, 0), (1, 1), 1, 1, False),
    ]


CASES = {
    "nms": nms,
    "roi_align": roi_align,
    "roi_pool": roi_pool,
    "ps_roi_align": ps_roi_align,
    "ps_roi_pool": ps_roi_pool,
    "deform_conv2d": deform_conv2d,
}


def backward(name, arguments):
    """The call of `_{name}_backward` for a gradient of ones, or none if there is no such operator."""
    if not hasattr(visionkit, f"_{name}_backward"):
        return None
    results = getattr(visionkit, name)(*arguments)
    output, *saved = results if isinstance(results, (tuple, list)) else [results]
    if name == "deform_conv2d":
        return torch.ones_like(output), *arguments
    input, rois, scale, rows, columns, *rest = arguments
    # The schemas differ in where the number of samples is.
    options = (*rest, *input.shape) if name == "ps_roi_align" else (*input.shape, *rest)
    return torch.ones_like(output), rois, *saved, scale, rows, columns, *options


def all_calls(dtype=torch.float64):
    """Each operator of the namespace with all of its arguments."""
    for name, samples in CASES.items():
        for arguments in samples(Tensors(dtype)):
            yield getattr(visionkit, name).default, arguments
            others = backward(name, arguments)
            if others is not None:
                yield getattr(visionkit, f"_{name}_backward").default, others
