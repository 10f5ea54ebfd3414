"""The operators as modules."""

from torch import Tensor, nn

from ._ops import roi_align


class RoIAlign(nn.Module):
    """`roi_align` with an output size and a scale."""

    def __init__(self, output_size: tuple[int, int], spatial_scale: float, sampling_ratio: int = 0, aligned: bool = True) -> None:
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale
        self.sampling_ratio, self.aligned = sampling_ratio, aligned

    def forward(self, input: Tensor, rois: Tensor) -> Tensor:
        rows, columns = self.output_size
        return roi_align(input, rois, self.spatial_scale, rows, columns, self.sampling_ratio, self.aligned)
