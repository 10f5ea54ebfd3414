"""Registers the test backend under the name `simulator`: `import simulator` loads the library that
the variable SIMULATOR names. Devices are `torch.device("simulator:0")`; `fallen_back()` names the
operators that ran on the CPU for lack of a kernel since it was called last.
"""

import os
import types

import torch

torch.utils.rename_privateuse1_backend("simulator")
_module = types.ModuleType("simulator")
_module.is_available = lambda: True
_module.device_count = lambda: 1
_module.current_device = lambda: 0
_module._is_in_bad_fork = lambda: False
_module.manual_seed_all = lambda seed: None
torch._register_device_module("simulator", _module)
torch.ops.load_library(os.environ["SIMULATOR"])

DEVICE = torch.device("simulator:0")


def fallen_back() -> set[str]:
    return set(torch.ops.simulator.fallen_back())


def moved(value, device=DEVICE):
    """The value on the device, with its strides, if it is a tensor; otherwise the value itself."""
    if not isinstance(value, torch.Tensor):
        return value
    copy = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=device)
    return copy.copy_(value.detach()).requires_grad_(value.requires_grad)
