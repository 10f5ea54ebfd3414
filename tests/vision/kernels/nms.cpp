// Greedy non-maximum suppression: boxes by falling score, each kept unless it overlaps one kept
// before by more than the threshold.
#include <visionkit/ops/nms_native.h>

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <vector>

namespace visionkit::native {

at::Tensor nms_cpu(const at::Tensor & dets, const at::Tensor & scores, double iou_threshold) {
  TORCH_CHECK(dets.dim() == 2 && dets.size(1) == 4, "boxes should be [N, 4], got ", dets.sizes());
  TORCH_CHECK(scores.dim() == 1 && scores.size(0) == dets.size(0), "scores should be [", dets.size(0), "], got ", scores.sizes());
  TORCH_CHECK(dets.scalar_type() == scores.scalar_type(), "boxes and scores should have the same type");
  const auto order = std::get<1>(scores.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true));
  const auto boxes = dets.index_select(0, order).contiguous();
  std::vector<int64_t> kept;
  AT_DISPATCH_FLOATING_TYPES(dets.scalar_type(), "nms", [&] {
    const scalar_t * box = boxes.const_data_ptr<scalar_t>();
    const auto area = [](const scalar_t * b) { return (b[2] - b[0]) * (b[3] - b[1]); };
    for (int64_t i = 0; i < boxes.size(0); i++) {
      const scalar_t * b = box + 4 * i;
      const bool overlaps = std::any_of(kept.begin(), kept.end(), [&](int64_t j) {
        const scalar_t * a = box + 4 * j;
        const scalar_t width = std::max<scalar_t>(0, std::min(a[2], b[2]) - std::max(a[0], b[0]));
        const scalar_t height = std::max<scalar_t>(0, std::min(a[3], b[3]) - std::max(a[1], b[1]));
        const scalar_t common = width * height;
        return common / (area(a) + area(b) - common) > iou_threshold;
      });
      if (!overlaps) {
        kept.push_back(i);
      }
    }
  });
  return order.index_select(0, at::tensor(kept, order.options()));
}

} // namespace visionkit::native
