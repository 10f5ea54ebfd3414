"""Each operator computes what `reference.py` says, for both types and for strided inputs."""

import unittest

import torch
import visionkit

import reference
from cases import CASES, Tensors


def flat(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


class Values(unittest.TestCase):
    def test_reference(self):
        for name, samples in CASES.items():
            for dtype in (torch.float32, torch.float64):
                for index, arguments in enumerate(samples(Tensors(dtype))):
                    with self.subTest(operator=name, dtype=dtype, sample=index):
                        # The package's function, and the operator that it calls.
                        actual = flat(getattr(visionkit, name)(*arguments))
                        expected = flat(getattr(reference, name)(*arguments))
                        for a, e in zip(actual, expected, strict=True):
                            torch.testing.assert_close(a, e)

    def test_cases_are_not_trivial(self):
        kept = [len(visionkit.nms(*arguments)) for arguments in CASES["nms"](Tensors())]
        self.assertTrue(1 < kept[2] < 40, kept)
        for name in CASES.keys() - {"nms"}:
            results = [flat(getattr(visionkit, name)(*arguments))[0] for arguments in CASES[name](Tensors())]
            self.assertTrue(all(result.std() > 0.02 for result in results if result.numel()), name)

    def test_wrong_arguments(self):
        with self.assertRaisesRegex(RuntimeError, r"boxes should be \[N, 4\]"):
            visionkit.nms(torch.zeros(3, 5), torch.zeros(3), 0.5)
        with self.assertRaisesRegex(IndexError, "a region is in image 2 of 1"):
            visionkit.roi_align(torch.zeros(1, 1, 4, 4), torch.tensor([[2.0, 0, 0, 1, 1]]), 1.0, 1, 1, 1, True)


if __name__ == "__main__":
    unittest.main()
