"""out= resizes and checks as ATen does, and operators that write increment versions."""

import unittest
import warnings
from contextlib import nullcontext

import torch

from operators import OPERATORS, Tensors, flat, functional, opkit

# torch.ops of torch 2.14 and before prints the warnings of C++, and does not always make them Python's.
CPP_WARNS = tuple(map(int, torch.__version__.split(".")[:2])) > (2, 14)

# Operators that write one tensor.
OUT = [name for name in OPERATORS if name.endswith(".out") and name != "ema_update.out"]


class Variants(unittest.TestCase):
    def sample(self, name):
        args, kwargs = OPERATORS[functional(name)].samples(Tensors(), 3)[0]
        return OPERATORS[name].overload, args, kwargs, OPERATORS[functional(name)].overload(*args, **kwargs)

    def test_out_is_resized_when_empty(self):
        for name in OUT:
            with self.subTest(operator=name), warnings.catch_warnings():
                warnings.simplefilter("error")
                op, args, kwargs, expected = self.sample(name)
                out = torch.empty(0)
                self.assertIs(op(*args, **kwargs, out=out), out)
                self.assertTrue(torch.equal(out, expected))

    def test_out_of_another_size_is_resized_with_a_warning(self):
        for name in OUT:
            with self.subTest(operator=name):
                op, args, kwargs, expected = self.sample(name)
                out = torch.empty(7)
                with self.assertWarnsRegex(UserWarning, "was resized since it had shape") if CPP_WARNS else nullcontext():
                    op(*args, **kwargs, out=out)
                self.assertTrue(torch.equal(out, expected))

    def test_out_keeps_its_memory_and_strides(self):
        for name in OUT:
            with self.subTest(operator=name):
                op, args, kwargs, expected = self.sample(name)
                out = Tensors(layout="gaps").laid_out(torch.zeros_like(expected))
                strides, address, version = out.stride(), out.data_ptr(), out._version
                op(*args, **kwargs, out=out)
                self.assertEqual((out.stride(), out.data_ptr()), (strides, address))
                self.assertGreater(out._version, version)
                self.assertTrue(torch.equal(out, expected))

    def test_out_of_another_kind_is_refused(self):
        for name in OUT:
            op, args, kwargs, _ = self.sample(name)
            with self.subTest(operator=name, of="dtype"), self.assertRaisesRegex(RuntimeError, "dtype|can't be cast"):
                op(*args, **kwargs, out=torch.empty(0, dtype=torch.long))
            with self.subTest(operator=name, of="device"), self.assertRaisesRegex((RuntimeError, NotImplementedError), "device|on meta"):
                op(*args, **kwargs, out=torch.empty(0, device="meta"))

    def test_lists_of_out_are_resized_and_checked(self):
        shadow, values = [torch.randn(3), torch.randn(2, 2)], [torch.randn(3), torch.randn(2, 2)]
        out = [torch.empty(0), torch.empty(0)]
        opkit.ema_update(shadow, values, 0.9, out=out)
        for actual, expected in zip(out, opkit.ema_update(shadow, values, 0.9), strict=True):
            self.assertTrue(torch.equal(actual, expected))
            self.assertGreaterEqual(actual._version, 1)
        with self.assertRaisesRegex(RuntimeError, "Expected 2 out tensors, but got 1|needs 2 elements, not 1"):
            opkit.ema_update(shadow, values, 0.9, out=out[:1])

    def test_changed_arguments_have_new_versions(self):
        for name, operator in OPERATORS.items():
            if not operator.mutates:
                continue
            with self.subTest(operator=name):
                args, kwargs = operator.samples(Tensors(), 3)[0]
                versions = {id(t): t._version for a in args if isinstance(a, (torch.Tensor, list)) for t in flat(a)}
                operator.overload(*args, **kwargs)
                for index, argument in enumerate(args):
                    for tensor in flat(argument) if isinstance(argument, (torch.Tensor, list)) else []:
                        changed = tensor._version > versions[id(tensor)]
                        self.assertEqual(changed, index in operator.mutates, f"argument {index}")


if __name__ == "__main__":
    unittest.main()
