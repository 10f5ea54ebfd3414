"""Compares kernels with those of the libraries that are installed."""

from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import torch

_MOST = 20


def _load(package, file):
    """Loads the operators of a library, without its modules; whether it is installed."""
    found = find_spec(package)
    if found is not None:
        torch.ops.load_library(Path(found.origin).parent / file)
    return found is not None


def _theirs():
    """For each operator here what calls the published one with the same arguments."""
    found = {}
    if _load("torchvision", "_C_stable.so"):
        vision = torch.ops.torchvision
        found["vision_nms"] = vision.nms
        found["vision_roi_align"] = vision.roi_align
        found["vision_roi_align_backward"] = vision._roi_align_backward
        found["vision_deform_conv2d"] = lambda *a: vision.deform_conv2d(*a[:5], 1, 1, 0, 0, 1, 1, *a[5:], True)
    if _load("torchaudio", "lib/libtorchaudio.abi3.so"):
        audio = torch.ops.torchaudio
        found["audio_rnnt_loss_forward"] = lambda x, *rest: _as_single(audio.rnnt_loss_forward, x, rest)
        found["audio_forced_align"] = audio.forced_align
    return found


def _as_single(function, x, rest):
    costs, grads = function(x.float(), *rest, True)
    return costs.double(), grads.double()


def compare(operator_of):
    """How many calls of how many operators are the same; raises for another one."""
    calls, theirs = 0, _theirs()
    for name, function in theirs.items():
        operator = operator_of(name)
        own = getattr(torch.ops.public_ops, name)
        for _, arguments, _ in islice(operator.all(), _MOST):
            if any(isinstance(x, torch.Tensor) and x.numel() == 0 for x in arguments.values()):
                continue
            torch.testing.assert_close(own(*arguments.values()), function(*arguments.values()), rtol=1e-5, atol=1e-5)
            calls += 1
    return f"{calls} calls of {len(theirs)} operators are those of installed libraries"
