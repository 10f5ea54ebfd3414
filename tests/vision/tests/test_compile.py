"""What torch.compile and torch.export require: opcheck, graphs without breaks, dynamic sizes."""

import unittest

import torch
from torch.export import Dim
from torch.library import opcheck

import visionkit
from cases import CASES, Tensors, all_calls

WITHOUT_DERIVATIVE = (torch.ops.visionkit.nms.default, torch.ops.visionkit._deform_conv2d_backward.default)

torch._dynamo.config.capture_dynamic_output_shape_ops = True


def detect(features, boxes, scores):
    """Two operators of which the first has an output whose size depends on data."""
    kept = visionkit.nms(boxes, scores, 0.4)
    rois = torch.cat([torch.zeros_like(boxes[kept, :1]), boxes[kept]], 1)
    return kept, visionkit.roi_align(features, rois, 0.5, 3, 3, 2, True).sum((2, 3))


class Detect(torch.nn.Module):
    def forward(self, features, boxes, scores):
        return detect(features, boxes, scores)


def inputs(count, seed=0):
    t = Tensors(torch.float32, seed)
    return t(1, 3, 8, 8).contiguous(), t.boxes(count).contiguous(), t(count).contiguous()


class Compile(unittest.TestCase):
    def assert_same(self, actual, expected):
        for a, e in zip(actual, expected, strict=True):
            torch.testing.assert_close(a, e)

    def test_opcheck(self):
        for operator, arguments in all_calls():
            with self.subTest(operator=operator):
                first = arguments[0].clone().requires_grad_(operator not in WITHOUT_DERIVATIVE)
                opcheck(operator, (first, *arguments[1:]))

    def test_compile_without_graph_breaks(self):
        compiled = torch.compile(detect, fullgraph=True, backend="aot_eager", dynamic=True)
        for count in (5, 9):
            self.assert_same(compiled(*inputs(count)), detect(*inputs(count)))

    def test_compile_gradients(self):
        arguments = CASES["roi_align"](Tensors())[0]

        def loss(x):
            return visionkit.roi_align(x, *arguments[1:]).square().sum()

        compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
        grads = [torch.autograd.grad(f(x), x)[0] for f in (loss, compiled) for x in [arguments[0].clone().requires_grad_()]]
        self.assert_same(grads[:1], grads[1:])
        self.assertGreater(grads[0].abs().sum(), 0)

    def test_export(self):
        boxes = Dim("boxes", min=2)
        program = torch.export.export(
            Detect(), inputs(5), dynamic_shapes={"features": None, "boxes": {0: boxes}, "scores": {0: boxes}}
        )
        called = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
        self.assertLessEqual({"visionkit.nms.default", "visionkit.roi_align.default"}, called)
        for count in (5, 30):
            self.assert_same(program.module()(*inputs(count)), detect(*inputs(count)))


if __name__ == "__main__":
    unittest.main()
