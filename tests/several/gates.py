"""Kernels in Python."""

import torch

calls: list[str] = []


def gated(self: torch.Tensor, gate: torch.Tensor, scale: float) -> torch.Tensor:
    calls.append(type(self).__name__)
    return self * gate.sigmoid() * scale
