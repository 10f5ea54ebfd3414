"""A program that uses the installed package; `mypy --strict` accepts it."""

import torch
import visionkit
from visionkit import visionkit_image
from visionkit.boxes import batched_nms
from visionkit.layers import DeformConv2d, RoIAlign


def detect(features: torch.Tensor, boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    kept: torch.Tensor = visionkit.nms(boxes, scores, iou_threshold=0.5)
    rois = torch.cat([torch.zeros(len(kept), 1), boxes[kept]], 1)
    align: RoIAlign = RoIAlign((2, 2), spatial_scale=1.0, sampling_ratio=2)
    pooled: torch.Tensor = align(features, rois)
    return pooled


def main() -> None:
    boxes = torch.tensor([[0.0, 0, 4, 4], [0, 0, 4, 5], [3, 3, 7, 7]])
    scores = torch.tensor([0.5, 0.9, 0.1])
    features = torch.ones(1, 2, 8, 8, requires_grad=True)
    pooled = detect(features, boxes, scores)
    torch.testing.assert_close(pooled, torch.ones(2, 2, 2, 2))
    (grad,) = torch.autograd.grad(pooled.sum(), features)
    assert grad.sum().item() == 16
    assert batched_nms(boxes, scores, torch.tensor([0, 1, 0]), 0.5).tolist() == [1, 0, 2]

    # Without offsets, it is an ordinary convolution.
    layer = DeformConv2d(2, 3, kernel=3, padding=1)
    x = torch.randn(1, 2, 5, 5)
    expected = torch.nn.functional.conv2d(x, layer.weight, layer.bias, padding=1)
    torch.testing.assert_close(layer(x, torch.zeros(1, 18, 5, 5)), expected)

    image: torch.Tensor = torch.arange(24, dtype=torch.uint8).reshape(3, 2, 4)
    encoded: torch.Tensor = visionkit_image.encode_image(image)
    assert visionkit_image.decode_image(encoded, 0).equal(image)
    turbo: bool = visionkit_image._is_compiled_against_turbo()
    assert not turbo
    print(visionkit.__file__)


if __name__ == "__main__":
    main()
