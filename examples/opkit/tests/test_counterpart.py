"""Two generated libraries with the same operator names in one process do not interfere, in any mode."""

import os
import unittest

import torch

torch.ops.load_library(os.environ["OPKIT_COUNTERPART"])

from operators import opkit, soft_cap  # noqa: E402

counterpart = torch.ops.counterpart


def softsign(x, cap):
    return cap * x / (cap + x.abs())


class Counterpart(unittest.TestCase):
    def test_values(self):
        x, w = torch.randn(3, 8), torch.randn(8)
        torch.testing.assert_close(opkit.soft_cap(x, 2.0), soft_cap(x, 2.0))
        torch.testing.assert_close(counterpart.soft_cap(x, 2.0), softsign(x, 2.0))
        self.assertTrue(torch.equal(counterpart.rms_norm(x, w), x * w))
        self.assertFalse(torch.equal(opkit.rms_norm(x, w), x * w))
        self.assertTrue(torch.equal(counterpart.causal_mask(3), torch.ones(3, 3).triu(1)))
        self.assertTrue(torch.equal(opkit.causal_mask(3, dtype=torch.bool), torch.ones(3, 3, dtype=torch.bool).tril()))

    def test_in_place_and_out(self):
        x = torch.randn(3, 8)
        for library, formula in ((opkit, soft_cap), (counterpart, softsign)):
            torch.testing.assert_close(library.soft_cap_(x.clone(), 2.0), formula(x, 2.0))
            torch.testing.assert_close(library.soft_cap(x, 2.0, out=torch.empty(0)), formula(x, 2.0))

    def test_gradients(self):
        x, w = torch.randn(3, 8, dtype=torch.double, requires_grad=True), torch.randn(8, dtype=torch.double, requires_grad=True)
        for library in (opkit, counterpart):
            torch.autograd.gradcheck(lambda x: library.soft_cap(x, 2.0), (x,), check_forward_ad=True)
            torch.autograd.gradcheck(lambda x: library.soft_cap_(x.clone(), 2.0), (x,))
            torch.autograd.gradcheck(library.rms_norm, (x, w))
            torch.autograd.gradcheck(lambda x: library.split_heads(x, 2), (x,))
        # The classes of the nodes have the same name, in namespaces of their own.
        names = {library.soft_cap(x, 2.0).grad_fn.name() for library in (opkit, counterpart)}
        self.assertEqual(names, {"SoftCapBackward0"})

    def test_views(self):
        for library in (opkit, counterpart):
            x = torch.randn(3, 8)
            view = library.split_heads(x, 2)
            self.assertEqual(view.shape, (3, 2, 4))
            self.assertIs(view._base, x)
            view.zero_()
            self.assertEqual(x.abs().sum(), 0)
        x = torch.randn(3, 8)
        self.assertTrue(torch.equal(counterpart.split_heads(x, 2), x.view(3, 4, 2).transpose(1, 2)))

    def test_compile_both_in_one_graph(self):
        def function(x):
            x = x * 1
            opkit.soft_cap_(x, 2.0)
            counterpart.split_heads(x, 2).mul_(3)
            opkit.split_heads(x, 2)[:, 1].mul_(5)
            counterpart.soft_cap_(x, 4.0)
            return opkit.rms_norm(x, torch.ones(8)) + counterpart.rms_norm(x, torch.ones(8)) + counterpart.causal_mask(x.shape[1])[0]

        x = torch.randn(3, 8)
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=True)
        torch.testing.assert_close(compiled(x), function(x))

    def test_opcheck(self):
        x = torch.randn(3, 8)
        for op, args in (
            (counterpart.soft_cap.default, (x.clone().requires_grad_(), 2.0)),
            (counterpart.soft_cap_.default, (x.clone(), 2.0)),
            (counterpart.split_heads.default, (x.clone().requires_grad_(), 2)),
            (counterpart.causal_mask.default, (3,)),
        ):
            with self.subTest(operator=str(op)):
                torch.library.opcheck(op, args)


if __name__ == "__main__":
    unittest.main()
