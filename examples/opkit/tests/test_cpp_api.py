"""What only the library on libtorch's C++ API has: views, inplace operators with gradients, and graphs of C++ nodes."""

import unittest

import torch

from operators import opkit
import test_compile


class InPlace(unittest.TestCase):
    def test_in_place_returns_its_argument(self):
        x = torch.randn(3)
        self.assertIs(opkit.soft_cap_(x, 2.0), x)

    def test_in_place(self):
        x = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
        function = lambda x: opkit.soft_cap_(x.clone(), 0.7)
        torch.autograd.gradcheck(function, (x,), check_forward_ad=True)
        torch.autograd.gradgradcheck(function, (x,))
        with self.assertRaisesRegex(RuntimeError, "a leaf Variable that requires grad"):
            opkit.soft_cap_(x, 0.7)

    def test_in_place_on_what_was_saved(self):
        x = torch.randn(3, requires_grad=True)
        y = opkit.soft_cap(x.clone(), 0.7)
        y.mul_(2)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()


class Views(unittest.TestCase):
    def check_view(self, view, base):
        self.assertTrue(view._is_view())
        self.assertIs(view._base, base)
        before, version = base.detach().clone(), base._version
        view.mul_(3)
        self.assertGreater(base._version, version)
        self.assertEqual(view._version, base._version)
        changed = (base != before).sum().item()
        self.assertEqual(changed, view.numel())

    def test_views(self):
        self.check_view(opkit.split_heads((x := torch.randn(3, 8)), 4), x)
        for index in range(2):
            self.check_view(opkit.split_gates((x := torch.randn(3, 8)))[index], x)

    def test_views_of_views(self):
        x = torch.randn(3, 8)
        heads = opkit.split_heads(opkit.split_gates(x)[1], 2)
        self.check_view(heads, x)
        self.assertEqual(heads.shape, (3, 2, 2))

    def test_gradients_of_complex_views(self):
        x = torch.randn(2, 4, dtype=torch.cdouble, requires_grad=True)
        torch.autograd.gradcheck(lambda x: opkit.split_heads(x, 2), (x,), check_forward_ad=True)
        torch.autograd.gradcheck(lambda x: tuple(opkit.split_gates(x)), (x,), check_forward_ad=True)

    def test_views_follow_their_base(self):
        x = torch.randn(3, 8)
        view = opkit.split_heads(x, 2)
        x.zero_()
        self.assertEqual(view.abs().sum(), 0)

    def test_in_place_through_a_view(self):
        for make in (lambda b: opkit.split_heads(b, 2), lambda b: opkit.split_heads(b, 2)[:, 1]):
            x = torch.randn(3, 8, dtype=torch.double, requires_grad=True)

            def function(x):
                base = x * 2
                opkit.soft_cap_(make(base), 0.7)
                return base

            torch.autograd.gradcheck(function, (x,))

    def test_in_place_through_one_of_several_views(self):
        x = torch.randn(3, 8, requires_grad=True)
        base = x * 2
        gate, _ = opkit.split_gates(base)
        with self.assertRaisesRegex(RuntimeError, "output of a function that returns multiple views"):
            gate.mul_(2)


class Compiled(unittest.TestCase):
    assert_same = test_compile.Compile.assert_same

    def test_compile_mutation_through_views(self):
        def heads(x):
            x = x * 1
            opkit.split_heads(x, 2).mul_(3)
            return x

        def gates(x):
            x = x * 1
            opkit.split_gates(x)[1].mul_(3)
            return x

        def in_place(x):
            x = x * 1
            opkit.soft_cap_(opkit.split_heads(opkit.split_gates(x)[0], 2)[:, 1], 0.5)
            return x

        for function in (heads, gates, in_place):
            with self.subTest(function=function.__name__):
                torch._dynamo.reset()
                x = torch.randn(3, 8)
                self.assert_same(torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=True)(x), function(x))

    def test_compiled_gradients(self):
        def in_place(x):
            return opkit.soft_cap_(x.clone(), 0.7)

        def through_view(x):
            x = x.clone()
            opkit.soft_cap_(opkit.split_heads(x, 2), 0.7)
            return x

        cases = [(in_place, (torch.randn(3, 4, requires_grad=True),)), (through_view, (torch.randn(3, 4, requires_grad=True),))]
        test_compile.check_compiled_gradients(self, cases)

    def test_compiled_autograd(self):
        x, w = torch.randn(3, 6, requires_grad=True), torch.randn(6, requires_grad=True)

        def loss():
            return opkit.silu_and_mul(opkit.soft_cap(opkit.rms_norm(x, w), 0.7)).sum()

        expected = torch.autograd.grad(loss(), (x, w))
        torch._dynamo.reset()
        with torch._dynamo.compiled_autograd._enable(torch.compile(backend="aot_eager", fullgraph=True)):
            actual = torch.autograd.grad(loss(), (x, w))
        self.assert_same(actual, expected)


if __name__ == "__main__":
    unittest.main()
