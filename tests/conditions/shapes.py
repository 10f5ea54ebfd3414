"""The outputs of operators without data."""

import torch


def faked(self: torch.Tensor) -> torch.Tensor:
    return self.new_empty(())
