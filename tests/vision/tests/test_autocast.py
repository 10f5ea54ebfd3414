"""Under autocast, operators take half floats and compute in float."""

import unittest

import torch

import visionkit
from cases import CASES, Tensors


class Autocast(unittest.TestCase):
    def test_cpu(self):
        for dtype in (torch.bfloat16, torch.float16):
            for name, samples in CASES.items():
                arguments = samples(Tensors(torch.float32))[0]
                halves = [x.to(dtype) if isinstance(x, torch.Tensor) else x for x in arguments]
                floats = [x.float() if isinstance(x, torch.Tensor) else x for x in halves]
                function = getattr(visionkit, name)
                with self.subTest(operator=name, dtype=dtype):
                    with self.assertRaisesRegex(RuntimeError, "not implemented for"):
                        function(*halves)
                    with torch.autocast("cpu", dtype=dtype):
                        actual = function(*halves)
                    for a, e in zip(self.flat(actual), self.flat(function(*floats)), strict=True):
                        self.assertEqual(a.dtype, dtype if e.is_floating_point() else e.dtype)
                        torch.testing.assert_close(a, e.to(a.dtype))

    def flat(self, result):
        return list(result) if isinstance(result, tuple) else [result]

    def test_gradient(self):
        arguments = CASES["roi_align"](Tensors(torch.float32))[0]
        input = arguments[0].bfloat16().requires_grad_()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            visionkit.roi_align(input, *arguments[1:]).sum().backward()
        self.assertEqual(input.grad.dtype, torch.bfloat16)
        self.assertGreater(input.grad.abs().sum(), 0)

    def test_cuda_is_registered(self):
        """Kernels for the autocast of CUDA need no CUDA."""
        for name in CASES:
            self.assertTrue(torch._C._dispatch_has_kernel_for_dispatch_key(f"visionkit::{name}", "AutocastCUDA"), name)


if __name__ == "__main__":
    unittest.main()
