"""Every operator passes opcheck, is compiled without graph breaks, and is exported with every free dimension dynamic."""

import unittest

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

from exemptions import EXEMPTIONS, REASONS
from operators import OPERATORS, Tensors, functional, opkit
from test_gradients import DIFFERENTIABLE

# Operators that Inductor compiles too: structured, inplace, a view, and one that writes and returns nothing.
INDUCTOR = [name for name in ("rms_norm", "silu_and_mul", "soft_cap_", "split_heads", "fused_add_rms_norm") if name in OPERATORS]
if torch.__version__ < "2.15":
    # Each takes seconds of the C++ compiler: in an older torch, one shows that Inductor compiles them.
    INDUCTOR = INDUCTOR[:1]


def settings(name: str):
    return torch._dynamo.config.patch(capture_dynamic_output_shape_ops=EXEMPTIONS.get(name) == "dynamic_output_shape")


def samples(name: str, seed: int = 0, n: int = 3, grad: bool = False):
    """Argument lists for tracing. Mutated arguments do not require gradients."""
    operator = OPERATORS[name]
    grad = grad and name in DIFFERENTIABLE
    for args, kwargs in (operator.finite or operator.samples)(Tensors(grad=grad, seed=seed), n):
        if EXEMPTIONS.get(name) == "generator":
            kwargs.pop("generator", None)
        if name.endswith(".out"):
            expected = OPERATORS[functional(name)].overload(*args, **kwargs)
            kwargs["out"] = tree_map_only(torch.Tensor, torch.empty_like, expected)
        yield args, kwargs


def traced(name: str, args: tuple, kwargs: dict):
    """A function of the tensors among the arguments, and those tensors. It clones tensors that the operator changes."""
    operator = OPERATORS[name]
    if operator.traced is not None:
        return operator.traced, (torch.empty(3, 2),)
    returns = bool(operator.overload._schema.returns)
    keys = [key for key, value in kwargs.items() if isinstance(value, (torch.Tensor, list))]
    places = [i for i, value in enumerate(args) if isinstance(value, (torch.Tensor, list))]

    def function(*tensors):
        tensors = tree_map_only(torch.Tensor, torch.clone, tensors) if operator.mutates else tensors
        given, named = list(args), dict(kwargs)
        for place, value in zip(places, tensors):
            given[place] = value
        for key, value in zip(keys, tensors[len(places) :]):
            named[key] = tree_map_only(torch.Tensor, torch.empty_like, value)
        result = operator.overload(*given, **named)
        result = result if returns else named.get("out")
        return (result, [given[i] for i in operator.mutates]) if operator.mutates else result

    return function, tuple(args[i] for i in places) + tuple(kwargs[key] for key in keys)


class Exported(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, tensors):
        return self.function(*tensors)


def check_compiled_gradients(test, cases):
    """Compares the gradients of compiled functions of tensors with those of the functions."""
    for function, tensors in cases:
        with test.subTest(function=str(function)):
            torch._dynamo.reset()
            compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
            wanted = [t for t in tensors if t.requires_grad]
            if not wanted:
                continue
            grads = []
            for variant in (compiled, function):
                torch.manual_seed(0)
                outputs = [o for o in tree_leaves(variant(*tensors)) if o.requires_grad]
                grads.append(torch.autograd.grad([o.sin().sum() for o in outputs], wanted))
            test.assert_same(*grads)


class Compile(unittest.TestCase):
    def assert_same(self, actual, expected):
        actual, expected = tree_leaves(actual), tree_leaves(expected)
        self.assertEqual(len(actual), len(expected))
        for a, e in zip(actual, expected):
            if isinstance(e, torch.Tensor):
                self.assertEqual(a.stride(), e.stride())
                torch.testing.assert_close(a, e, equal_nan=True)

    def test_exemptions_have_their_reasons(self):
        expected = {}
        for name, operator in OPERATORS.items():
            schema = operator.overload._schema
            if any("Generator" in str(argument.type) for argument in schema.arguments):
                expected[name] = "generator"
            if torch.Tag.dynamic_output_shape in operator.overload.tags:
                expected[name] = "dynamic_output_shape"
        self.assertEqual({name: reason for name, reason in EXEMPTIONS.items() if name in OPERATORS}, expected)
        self.assertEqual(set(REASONS), set(EXEMPTIONS.values()))

    def test_opcheck(self):
        for name, operator in OPERATORS.items():
            for index, (args, kwargs) in enumerate(samples(name, grad=True)):
                with self.subTest(operator=name, sample=index), settings(name):
                    torch._dynamo.reset()
                    torch.library.opcheck(operator.overload, args, kwargs)

    def check_compiled(self, name, backend, index, args, kwargs):
        function, tensors = traced(name, args, kwargs)
        torch._dynamo.reset()
        compiled = torch.compile(function, fullgraph=True, backend=backend, dynamic=True)
        with self.subTest(operator=name, sample=index), settings(name):
            torch.manual_seed(0)
            actual = compiled(*tensors)
            torch.manual_seed(0)
            self.assert_same(actual, function(*tensors))

    def test_compile(self):
        for name in OPERATORS:
            for index, (args, kwargs) in enumerate(samples(name)):
                self.check_compiled(name, "aot_eager", index, args, kwargs)

    def test_compile_with_inductor(self):
        for name in INDUCTOR:
            self.check_compiled(name, "inductor", 0, *next(samples(name)))

    def test_compile_changes_arguments(self):
        for name, operator in OPERATORS.items():
            if not operator.mutates:
                continue
            with self.subTest(operator=name):
                torch._dynamo.reset()
                compiled = torch.compile(lambda *args, op=operator.overload: op(*args), fullgraph=True, backend="aot_eager")
                (args, _), (again, _) = next(samples(name)), next(samples(name))
                compiled(*args)
                operator.overload(*again)
                self.assert_same(args, again)

    def test_compiled_gradients(self):
        cases = []
        for name in DIFFERENTIABLE:
            args, kwargs = next(samples(name, grad=True))
            if not isinstance(args[0], list):
                function, tensors = traced(name, args, kwargs)
                cases.append((function, tensors))
        check_compiled_gradients(self, cases)

    def test_export(self):
        for name, operator in OPERATORS.items():
            with self.subTest(operator=name), settings(name):
                args, kwargs = next(samples(name, n=5))
                function, tensors = traced(name, args, kwargs)
                fixed = {(i, dim % args[i].dim()) for i, dim in operator.fixed}

                def free(tensor, place=None):
                    return {dim: torch.export.Dim.DYNAMIC for dim in range(tensor.dim()) if (place, dim) not in fixed}

                shapes = tuple([free(t) for t in v] if isinstance(v, list) else free(v, i) for i, v in enumerate(tensors))
                program = torch.export.export(Exported(function), (tensors,), dynamic_shapes=(shapes,))
                inputs = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"]
                wanted = [s for v in shapes for s in (v if isinstance(v, list) else [v])]
                for value, dims in zip(inputs, wanted, strict=True):
                    for dim in dims:
                        self.assertIsInstance(value.shape[dim], torch.SymInt)
                program.run_decompositions({})
                _, others = traced(name, *next(samples(name, seed=1, n=7)))
                torch.manual_seed(0)
                actual = program.module()(others)
                torch.manual_seed(0)
                self.assert_same(actual, function(*others))


if __name__ == "__main__":
    unittest.main()
