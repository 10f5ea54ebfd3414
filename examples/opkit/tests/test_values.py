"""Every operator computes what a plain formula does, whatever the layout, size and type of its arguments."""

import unittest

import torch

from operators import OPERATORS, STABLE, Tensors, empty_out, flat, opkit, package, registered, widened

# Relative and absolute tolerance for each type of output.
TOLERANCES = {
    torch.float64: (1e-11, 1e-12),
    torch.float32: (2e-5, 2e-6),
    torch.float16: (4e-3, 2e-3),
    torch.bfloat16: (3e-2, 1.6e-2),
}

# On the stable ABI before torch 2.13, an operator that calls another one does not get the text of its errors.
LOST = "libtorch wrote the reason to the standard error stream"

LAYOUTS = [("contiguous", 3), ("gaps", 3), ("contiguous", 0), ("gaps", 0)]


class Values(unittest.TestCase):
    def assert_close(self, actual, expected):
        actual, expected = flat(actual), flat(expected)
        self.assertEqual(len(actual), len(expected))
        for a, e in zip(actual, expected):
            if not a.dtype.is_floating_point:
                self.assertEqual(a.dtype, e.dtype)
                self.assertTrue(torch.equal(a, e), f"{a}\nis not\n{e}")
                continue
            rtol, atol = TOLERANCES[a.dtype]
            torch.testing.assert_close(a, e.to(a.dtype), rtol=rtol, atol=atol, equal_nan=True)

    def check(self, operator, arguments, again):
        """Calls the operator with the arguments, and the formula with the same ones, widened to doubles."""
        args, kwargs = arguments
        if operator.overload._overloadname == "out":
            kwargs["out"] = empty_out(args)
        result = operator.overload(*args, **kwargs)
        if not operator.overload._schema.returns:
            result = kwargs.get("out")
        kwargs = {key: value for key, value in again[1].items() if key != "out"}
        expected = operator.formula(*widened(again[0]), **widened(kwargs))
        if operator.mutates:
            returned = flat(result)
            self.assertTrue(not returned or returned[0] is args[operator.mutates[0]])
            result = [args[index] for index in operator.mutates]
        self.assert_close(result, expected)
        for tensor in flat(result):
            if tensor.is_floating_point() and operator.overload._schema.name != "opkit::quantize_per_token_int8":
                floating = [t.dtype for t in flat([a for a in args if isinstance(a, (torch.Tensor, list))]) if t.is_floating_point()]
                self.assertEqual(tensor.dtype, arguments[1].get("dtype") or (floating + [torch.float32])[0])

    def test_all_operators_are_here(self):
        self.assertEqual(set(OPERATORS), registered())
        self.assertGreaterEqual(len({name.partition(".")[0].removesuffix("_") for name in OPERATORS}), 18 if STABLE else 24)

    def test_the_package_has_them_as_functions(self):
        for name, operator in OPERATORS.items():
            with self.subTest(operator=name):
                (args, kwargs), again = operator.samples(Tensors(), 3)[0], operator.samples(Tensors(), 3)[0]
                base, _, overload = name.partition(".")
                if overload == "out":
                    kwargs["out"], again[1]["out"] = empty_out(args), empty_out(args)
                result = getattr(package, base)(*args, **kwargs)
                expected = operator.overload(*again[0], **again[1])
                self.assertTrue(all(map(torch.equal, flat(result), flat(expected))))

    def test_values(self):
        for name, operator in OPERATORS.items():
            for dtype in operator.dtypes:
                for layout, n in LAYOUTS:
                    make = lambda: operator.samples(Tensors(dtype, layout), n)
                    for index, (arguments, again) in enumerate(zip(make(), make())):
                        with self.subTest(operator=name, dtype=dtype, layout=layout, n=n, sample=index):
                            self.check(operator, arguments, again)

    def test_tensors_without_dimensions(self):
        for name, operator in OPERATORS.items():
            with self.subTest(operator=name):
                if callable(operator.zero_dim):
                    self.check(operator, operator.zero_dim(Tensors()), operator.zero_dim(Tensors()))
                elif operator.zero_dim is not None:
                    args, kwargs = operator.samples(Tensors(), 3)[0]
                    args = tuple(torch.zeros((), dtype=a.dtype) if isinstance(a, torch.Tensor) else a for a in args)
                    if operator.overload._overloadname == "out":
                        kwargs["out"] = torch.empty(0)
                    with self.assertRaisesRegex((RuntimeError, IndexError), f"{operator.zero_dim}|{LOST}"):
                        operator.overload(*args, **kwargs)

    def test_what_is_refused(self):
        x, boxes = torch.randn(2, 6), torch.rand(3, 4)
        cases = [
            ("rms_norm", r"weight has 5 elements, rows of input have 6", lambda: opkit.rms_norm(x, torch.ones(5))),
            ("rms_norm", r"weight is Double, input is Float", lambda: opkit.rms_norm(x, torch.ones(6, dtype=torch.double))),
            ("rms_norm", r"must be floating point, is Long", lambda: opkit.rms_norm(x.long(), torch.ones(6).long())),
            ("fused_add_rms_norm", r"same shape", lambda: opkit.fused_add_rms_norm(x, torch.randn(3, 6), torch.ones(6))),
            ("fused_add_rms_norm", r"single memory location", lambda: opkit.fused_add_rms_norm(x, x, torch.ones(6))),
            ("silu_and_mul", r"the last dimension must be even, is 5", lambda: opkit.silu_and_mul(x[:, :5])),
            ("soft_cap", r"cap must be a positive number, is 0", lambda: opkit.soft_cap(x, 0)),
            ("soft_cap_", r"result type Float can't be cast", lambda: opkit.soft_cap_(torch.ones(2, dtype=torch.long), 2)),
            ("masked_softmax", r"mask must be bool", lambda: opkit.masked_softmax(x, x)),
            ("causal_mask", r"size must not be negative", lambda: opkit.causal_mask(-1)),
            ("causal_mask", r"window must be positive", lambda: opkit.causal_mask(3, 0)),
            ("split_heads", r"6 elements do not make 4 heads", lambda: opkit.split_heads(x, 4)),
            ("topk_gating", r"k is 7, but there are 6 experts", lambda: opkit.topk_gating(x, 7)),
            ("expert_offsets", r"there is no expert 9", lambda: opkit.expert_offsets(torch.tensor([9]), 3)),
            ("dequantize_per_token_int8", r"one scale for each row", lambda: opkit.dequantize_per_token_int8(x.char(), torch.ones(3, 1))),
            ("segment_reduce", r"reduce must be sum, mean, max or min, is prod", lambda: opkit.segment_reduce(x, torch.tensor([0, 2]), "prod")),
            ("segment_reduce", r"offsets must not fall", lambda: opkit.segment_reduce(x, torch.tensor([0, 3]))),
            ("nms", r"one score for each box", lambda: opkit.nms(boxes, torch.rand(2), 0.5)),
            ("ema_update_", r"1 tensors to update, but 0 values", lambda: opkit.ema_update_([x], [])),
            ("global_norm", r"one tensor at least", lambda: opkit.global_norm([])),
            ("seeded_dropout", r"p must be between 0 and 1", lambda: opkit.seeded_dropout(x, 1.5)),
            ("pad_to_multiple", r"multiple must be positive", lambda: opkit.pad_to_multiple(x, 0)),
            (
                "rotary_embedding",
                r"position 9 is outside of cos_sin_cache",
                lambda: opkit.rotary_embedding(x.view(1, 2, 6), x.view(1, 2, 6), torch.tensor([9]), torch.rand(4, 6)),
            ),
        ]
        for name, message, refused in cases:
            if name not in OPERATORS:
                continue
            with self.subTest(message=message), self.assertRaisesRegex((RuntimeError, IndexError, ValueError), message):
                refused()


if __name__ == "__main__":
    unittest.main()
