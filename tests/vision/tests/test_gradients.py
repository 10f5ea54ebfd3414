"""Gradients agree with finite differences: backward, forward mode, and twice."""

import unittest

import torch
from torch.autograd import gradcheck, gradgradcheck

import visionkit
from cases import CASES, Tensors


def pooled(name, arguments):
    """The first result as a function of the feature map. The others are indices."""
    input, *rest = arguments

    def function(x):
        result = getattr(visionkit, name)(x, *rest)
        return result[0] if isinstance(result, tuple) else result

    return function, input.detach().clone().requires_grad_()


class Gradients(unittest.TestCase):
    def test_pooling(self):
        for name in CASES.keys() & {"roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool"}:
            for index, arguments in enumerate(CASES[name](Tensors())):
                with self.subTest(operator=name, sample=index):
                    function, x = pooled(name, arguments)
                    self.assertTrue(gradcheck(function, x, check_forward_ad=True, check_batched_grad=False))
                    self.assertTrue(gradgradcheck(function, x))

    def test_deformable_convolution(self):
        """The autograd that is written by hand, for all five tensors."""
        for index, (*tensors, mask, bias, a, b, c, d, e, f, g, h, use_mask) in enumerate(CASES["deform_conv2d"](Tensors())):
            with self.subTest(sample=index):
                tensors = [x.detach().clone().requires_grad_() for x in (*tensors, mask, bias)]
                tensors[3].requires_grad_(use_mask)

                def function(*tensors):
                    return visionkit.deform_conv2d(*tensors, a, b, c, d, e, f, g, h, use_mask)

                self.assertTrue(gradcheck(function, tensors))

    def test_deformable_convolution_only_once(self):
        *tensors, a, b, c, d, e, f, g, h, use_mask = CASES["deform_conv2d"](Tensors())[0]
        x = tensors[0].clone().requires_grad_()
        output = visionkit.deform_conv2d(x, *tensors[1:], a, b, c, d, e, f, g, h, use_mask)
        (grad,) = torch.autograd.grad(output.sum(), x, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "not implemented"):
            grad.sum().backward()

    def test_no_gradient(self):
        boxes, scores, threshold = CASES["nms"](Tensors())[0]
        self.assertFalse(visionkit.nms(boxes.requires_grad_(), scores, threshold).requires_grad)
        input, rois, *rest = CASES["roi_align"](Tensors())[0]
        self.assertFalse(visionkit.roi_align(input, rois.requires_grad_(), *rest).requires_grad)


if __name__ == "__main__":
    unittest.main()
