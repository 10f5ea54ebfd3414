"""What operators return where there is no data. The generated package registers these functions, as `fake:` of the YAML says."""

import torch


def nms(boxes, scores, iou_threshold):
    kept = torch.library.get_ctx().new_dynamic_size()
    return boxes.new_empty(kept, dtype=torch.int64)
