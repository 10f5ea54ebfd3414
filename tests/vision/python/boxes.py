"""Functions on boxes that are composed of the library's operators."""

import torch
from torch import Tensor

from .visionkit import nms


def batched_nms(boxes: Tensor, scores: Tensor, groups: Tensor, iou_threshold: float) -> Tensor:
    """Non-maximum suppression in which only boxes of the same group suppress each other.

    Each group is moved to a place of its own.
    """
    if boxes.numel() == 0:
        return torch.empty(0, dtype=torch.int64, device=boxes.device)
    apart = groups.to(boxes.dtype) * (boxes.max() - boxes.min() + 1)
    return nms(boxes + apart[:, None], scores, iou_threshold)
