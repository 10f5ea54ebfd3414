"""A device under the key PrivateUse1 runs the structured operators with the library's kernels: values and gradients are the CPU's."""

import unittest

import torch

from simulator import DEVICE, fallen_back, moved

from operators import OPERATORS, Tensors, flat, opkit

STRUCTURED = ("rms_norm", "silu_and_mul", "soft_cap")


class PrivateUse1(unittest.TestCase):
    def check(self, check, dtype=torch.float32, **options):
        """Iterates over the samples of all structured operators."""
        for name in STRUCTURED:
            for layout in ("contiguous", "gaps"):
                for n in (3, 0):
                    for args, kwargs in OPERATORS[name].samples(Tensors(dtype, layout, **options), n):
                        with self.subTest(operator=name, dtype=dtype, layout=layout, n=n):
                            check(OPERATORS[name].overload, OPERATORS[name + ".out"].overload, args, kwargs)

    def check_own_kernel(self, op):
        self.assertNotIn(op._schema.name, fallen_back())

    def test_kernels_are_registered(self):
        for name in STRUCTURED:
            for overload in (f"opkit::{name}", f"opkit::{name}.out"):
                self.assertTrue(torch._C._dispatch_has_kernel_for_dispatch_key(overload, "PrivateUse1"), overload)

    def test_values(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            self.check(self.check_values, dtype)

    def check_values(self, op, _, args, kwargs):
        fallen_back()
        result = op(*map(moved, args), **kwargs)
        self.check_own_kernel(op)
        self.assertEqual(result.device, DEVICE)
        expected = op(*args, **kwargs)
        self.assertEqual(result.stride(), expected.stride())
        self.assertTrue(torch.equal(result.cpu(), expected))

    def test_out(self):
        self.check(self.check_out)

    def check_out(self, op, out_op, args, kwargs):
        expected = op(*args, **kwargs)
        for out in (torch.empty(0), torch.zeros_like(expected), Tensors(layout="gaps").laid_out(torch.zeros_like(expected))):
            out = moved(out)
            fallen_back()
            self.assertIs(out_op(*map(moved, args), **kwargs, out=out), out)
            self.check_own_kernel(op)
            self.assertTrue(torch.equal(out.cpu(), expected))

    def test_in_place(self):
        x = torch.randn(3, 4)
        y = moved(x)
        fallen_back()
        self.assertIs(opkit.soft_cap_(y, 0.5), y)
        self.assertNotIn("opkit::soft_cap_", fallen_back())
        self.assertEqual(y._version, 2)
        self.assertTrue(torch.equal(y.cpu(), opkit.soft_cap(x, 0.5)))

    def test_gradients(self):
        self.check(self.check_gradients, torch.float64, grad=True)

    def check_gradients(self, op, _, args, kwargs):
        grads = []
        for given in (args, tuple(map(moved, args))):
            outputs = flat(op(*given, **kwargs))
            wanted = [a for a in given if isinstance(a, torch.Tensor)]
            grads.append(torch.autograd.grad([(o * o).sum() for o in outputs], wanted))
        for expected, actual in zip(*grads):
            self.assertEqual(actual.device, DEVICE)
            # The same formulas, but they may be vectorized differently.
            torch.testing.assert_close(actual.cpu(), expected, rtol=1e-13, atol=1e-14)

    def test_devices_do_not_mix(self):
        x, w = torch.randn(3, 6), torch.ones(6)
        with self.assertRaisesRegex(RuntimeError, "device"):
            opkit.rms_norm(moved(x), w)
        with self.assertRaisesRegex(RuntimeError, "device"):
            opkit.rms_norm.out(moved(x), moved(w), out=torch.empty(0))

    def test_operators_without_a_kernel_fall_back(self):
        x = torch.randn(3, 8)
        fallen_back()
        self.assertTrue(torch.equal(opkit.gelu_tanh_and_mul(moved(x)).cpu(), opkit.gelu_tanh_and_mul(x)))
        self.assertIn("opkit::gelu_tanh_and_mul", fallen_back())

    def test_factory(self):
        mask = opkit.causal_mask(4, device=DEVICE)
        self.assertEqual(mask.device, DEVICE)
        self.assertTrue(torch.equal(mask.cpu(), opkit.causal_mask(4)))

    def test_views(self):
        x = moved(torch.randn(3, 8))
        view = opkit.split_heads(x, 2)
        self.assertIs(view._base, x)
        view.zero_()
        self.assertEqual(x.cpu().abs().sum(), 0)


if __name__ == "__main__":
    unittest.main()
