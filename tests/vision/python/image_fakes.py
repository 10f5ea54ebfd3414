"""Outputs without data, for operators on files."""

import torch


def read_file(filename: str) -> torch.Tensor:
    return torch.empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.uint8)


def write_file(filename: str, data: torch.Tensor) -> None:
    return None


def decode_image(data: torch.Tensor, mode: int, apply_exif_orientation: bool = False) -> torch.Tensor:
    size = torch.library.get_ctx().new_dynamic_size
    return data.new_empty(mode or size(), size(), size())


def encode_image(data: torch.Tensor) -> torch.Tensor:
    return data.new_empty(torch.library.get_ctx().new_dynamic_size())
