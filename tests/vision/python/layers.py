"""The operators as modules."""

import torch
from torch import Tensor, nn

from .visionkit import deform_conv2d, roi_align


class RoIAlign(nn.Module):
    """`roi_align` with an output size and a scale."""

    def __init__(self, output_size: tuple[int, int], spatial_scale: float, sampling_ratio: int = 0, aligned: bool = True) -> None:
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale
        self.sampling_ratio, self.aligned = sampling_ratio, aligned

    def forward(self, input: Tensor, rois: Tensor) -> Tensor:
        rows, columns = self.output_size
        return roi_align(input, rois, self.spatial_scale, rows, columns, self.sampling_ratio, self.aligned)


class DeformConv2d(nn.Module):
    """`deform_conv2d` with a square kernel and its weight."""

    def __init__(self, channels: int, out_channels: int, kernel: int, padding: int = 0, groups: int = 1) -> None:
        super().__init__()
        self.padding, self.groups = padding, groups
        self.weight = nn.Parameter(torch.empty(out_channels, channels // groups, kernel, kernel))
        self.bias = nn.Parameter(torch.zeros(out_channels))
        nn.init.kaiming_uniform_(self.weight)

    def forward(self, input: Tensor, offset: Tensor, mask: Tensor | None = None) -> Tensor:
        given = mask if mask is not None else input.new_zeros(input.shape[0], 1)
        offset_groups = offset.shape[1] // (2 * self.weight.shape[2] * self.weight.shape[3])
        padding = self.padding, self.padding
        return deform_conv2d(
            input, self.weight, offset, given, self.bias, 1, 1, *padding, 1, 1, self.groups, offset_groups, mask is not None
        )
