"""Checks what the operators of torchvision's wheel get, and that its own gradients and fakes stay."""

import adopted_vision as vision
import torch
from torch.library import opcheck

assert vision._registrations.differences() == [], vision._registrations.differences()

torch.manual_seed(0)
boxes = torch.rand(4, 5) * 10 + 1
others = torch.rand(3, 5) * 10 + 1

# torchvision has no fake for this one.
overlap = vision.box_iou_rotated(boxes, others)
compiled = torch.compile(vision.box_iou_rotated, backend="aot_eager", fullgraph=True, dynamic=True)
torch.testing.assert_close(compiled(boxes, others), overlap)
torch.testing.assert_close(compiled(others, boxes), vision.box_iou_rotated(others, boxes))
results = opcheck(torch.ops.torchvision.box_iou_rotated.default, (boxes, others))
assert set(results.values()) == {"SUCCESS"}, results

# These have torchvision's own gradients and fakes.
image = torch.rand(1, 2, 8, 8, dtype=torch.double, requires_grad=True)
regions = torch.tensor([[0.0, 1.0, 1.0, 6.0, 6.0]], dtype=torch.double)
assert torch.autograd.gradcheck(lambda x: vision.roi_align(x, regions, 1.0, 2, 2, 2, True), image)
assert torch.autograd.gradcheck(lambda x: vision.roi_pool(x, regions, 1.0, 2, 2)[0], image)
align = torch.compile(lambda x: vision.roi_align(x, regions, 1.0, 2, 2, 2, True), backend="aot_eager", fullgraph=True)
torch.testing.assert_close(align(image), vision.roi_align(image, regions, 1.0, 2, 2, 2, True))
results = opcheck(torch.ops.torchvision.roi_align.default, (image, regions, 1.0, 2, 2, 2, True))
assert set(results.values()) == {"SUCCESS"}, results
assert vision._registrations.lacks_fake("torchvision::box_iou_rotated", False) is False
print("torchvision ok")
