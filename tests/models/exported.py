"""What torch.onnx.export writes of the operators of two libraries."""

import sys

import carried
import silent
import torch

assert not {"carried.onnx", "silent.onnx"} & {*sys.modules}

import carried.onnx
import silent.onnx

assert "onnx" not in sys.modules

import onnx
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun


class Model(torch.nn.Module):
    def forward(self, x, y):
        both = carried.scale(x, 3.0) + silent.times(x, by=0.5)
        first, second = carried.exported(
            both, None, y, 4, dtype=torch.float16, dims=[5, 6], weights=[7.5], flags=[True, False], words=["a", "b"],
            more=[x, y],
        )
        return first, second


TABLE = {**carried.onnx.table(), **silent.onnx.table()}


def exported(model, *inputs, **options):
    options = {"dynamo": True, "custom_translation_table": TABLE, "verbose": False, **options}
    found = torch.onnx.export(model, inputs, **options).model_proto
    onnx.checker.check_model(found)
    return found


x, y = torch.rand(2, 3), torch.rand(3)
found = exported(Model(), x, y)
nodes = {node.op_type: node for node in found.graph.node}
assert nodes["Scale"].domain == "test.carried" and nodes["Times"].domain == "test.silent"
node = nodes["Exported"]
names = [value.name for value in found.graph.input]
assert [*node.input] == [nodes["Add"].output[0], "", names[1], *names], node.input
assert len(node.output) == 2
attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
assert attributes == {
    "n": 4, "by": 2.0, "mode": b"plain", "dtype": onnx.TensorProto.FLOAT16, "dims": [5, 6], "weights": [7.5],
    "flags": [1, 0], "words": [b"a", b"b"], "last": 1,
}, attributes


# Kernels of another runtime.
class Scale(OpRun):
    op_domain = "test.carried"

    def _run(self, values, by):
        return (values * by,)


class Times(OpRun):
    op_domain = "test.silent"

    def _run(self, values, by):
        return (values * by,)


class Exported(OpRun):
    op_domain = "test.carried"

    def _run(self, values, *more, **attributes):
        return values, values


session = ReferenceEvaluator(found, new_ops=[Scale, Times, Exported])
results = session.run(None, dict(zip(names, [x.numpy(), y.numpy()])))
torch.testing.assert_close(torch.from_numpy(results[0]), 3.5 * x)


class Varies(torch.nn.Module):
    def forward(self, x):
        return carried.exported(x, None, None, x.shape[0], dtype=torch.float16, dims=[], weights=[], flags=[True, True], words=[], more=[])


try:
    exported(Varies(), x, dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
except Exception as error:
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__
    assert any("carried::exported: `n` is" in text for text in texts), texts
else:
    raise AssertionError("a size that varies is an attribute")
print("models ok")
