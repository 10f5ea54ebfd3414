"""Gradients, checked against finite differences in double precision: backward, forward, and second order."""

import unittest

import torch
from torch.autograd import forward_ad
from torch.utils._pytree import tree_flatten, tree_unflatten

from operators import OPERATORS, Tensors, flat, opkit

# What each differentiable operator supports besides backward: forward mode, second derivatives.
DIFFERENTIABLE = {
    "rms_norm": {"forward", "second"},
    "l2_normalize": {"forward", "second"},
    "silu_and_mul": {"forward", "second"},
    "gelu_tanh_and_mul": {"forward", "second"},
    "soft_cap": {"forward", "second"},
    "swish": {"forward", "second"},
    "rotary_embedding": {"forward", "second"},
    "masked_softmax": {"forward", "second"},
    "split_heads": {"forward", "second"},
    "split_gates": {"forward", "second"},
    "topk_gating": {"forward", "second"},
    "moe_sum": {"forward", "second"},
    "dequantize_per_token_int8": {"forward", "second"},
    "segment_reduce": {"forward", "second"},
    "box_iou": {"second"},
    "global_norm": {"forward", "second"},
    "seeded_dropout": {"forward", "second"},
    "pad_to_multiple": {"forward", "second"},
}

DIFFERENTIABLE = {name: has for name, has in DIFFERENTIABLE.items() if name in OPERATORS}

# Outputs without a gradient, by their place.
NOT_DIFFERENTIABLE = {
    "topk_gating": {1},
    "seeded_dropout": {1},
    "quantize_per_token_int8": {0, 1},
    "expert_offsets": {0, 1},
    "nms": {0},
}


def double_samples(name: str, layout: str):
    """Arguments whose floating-point tensors require a gradient."""
    source = Tensors(torch.float64, layout, grad=True)
    operator = OPERATORS[name]
    for args, kwargs in (operator.finite or operator.samples)(source, 3):
        leaves, spec = tree_flatten((args, kwargs))
        if name == "dequantize_per_token_int8":
            leaves = [leaf.double().requires_grad_() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf for leaf in leaves]
        where = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]

        def function(*tensors, leaves=leaves, spec=spec, where=where, op=operator.overload):
            given = list(leaves)
            for i, tensor in zip(where, tensors):
                given[i] = tensor
            args, kwargs = tree_unflatten(given, spec)
            if kwargs.get("generator") is not None:
                kwargs["generator"].manual_seed(11)
            outputs = flat(op(*args, **kwargs))
            return tuple(output for output in outputs if output.is_floating_point())

        yield function, tuple(leaves[i] for i in where)


class Gradients(unittest.TestCase):
    def test_gradients(self):
        for name, has in DIFFERENTIABLE.items():
            for layout in ("contiguous", "gaps"):
                for index, (function, tensors) in enumerate(double_samples(name, layout)):
                    with self.subTest(operator=name, layout=layout, sample=index):
                        self.assertTrue(tensors)
                        forward = "forward" in has
                        torch.autograd.gradcheck(function, tensors, check_forward_ad=forward)
                    if "second" in has and layout == "contiguous":
                        with self.subTest(operator=name, sample=index, second=True):
                            torch.autograd.gradgradcheck(function, tensors)

    def test_without_a_formula_forward_mode_says_so(self):
        for name, has in DIFFERENTIABLE.items():
            if "forward" in has:
                continue
            function, tensors = next(double_samples(name, "contiguous"))
            with self.subTest(operator=name), self.assertRaisesRegex(NotImplementedError, "forward AD|forward-mode"):
                with forward_ad.dual_level():
                    function(*(forward_ad.make_dual(tensor, tensor) for tensor in tensors))

    def test_outputs_that_are_not_differentiable(self):
        for name, places in NOT_DIFFERENTIABLE.items():
            if name not in OPERATORS:
                continue
            args, kwargs = OPERATORS[name].samples(Tensors(grad=True), 3)[0]
            args = tuple(a.requires_grad_() if isinstance(a, torch.Tensor) and a.is_floating_point() else a for a in args)
            outputs = flat(OPERATORS[name].overload(*args, **kwargs))
            for place, output in enumerate(outputs):
                with self.subTest(operator=name, output=place):
                    self.assertEqual(output.requires_grad, place not in places)

    def test_out_does_not_record(self):
        x = torch.randn(3, 4, requires_grad=True)
        with self.assertRaisesRegex(RuntimeError, "don't support automatic differentiation|autograd does not support"):
            opkit.silu_and_mul(x, out=torch.empty(3, 2))

    def test_mutation_without_a_derivative(self):
        x, residual = torch.randn(2, 6, requires_grad=True), torch.randn(2, 6, requires_grad=True)
        a, b = x.clone(), residual.clone()
        with self.assertRaisesRegex(RuntimeError, "not implemented|has no derivative"):
            opkit.fused_add_rms_norm(a, b, torch.ones(6))
            a.sum().backward()

    def test_gradients_in_half_precision(self):
        for name in ("rms_norm", "silu_and_mul", "masked_softmax", "topk_gating"):
            for dtype in (torch.float16, torch.bfloat16):
                with self.subTest(operator=name, dtype=dtype):
                    grads = []
                    for kind in (dtype, torch.float64):
                        args, kwargs = OPERATORS[name].samples(Tensors(dtype, grad=True), 3)[0]
                        args = tuple(a.detach().to(kind).requires_grad_() if isinstance(a, torch.Tensor) else a for a in args)
                        flat(OPERATORS[name].overload(*args, **kwargs))[0].sin().sum().backward()
                        grads.append([a.grad for a in args if isinstance(a, torch.Tensor)])
                    for low, high in zip(*grads):
                        self.assertEqual(low.dtype, dtype)
                        torch.testing.assert_close(low, high.to(dtype), rtol=6e-2, atol=3e-2)


if __name__ == "__main__":
    unittest.main()
