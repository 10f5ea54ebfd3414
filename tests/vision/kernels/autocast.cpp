// Autocast: tensors are cast to float, since the kernels have no half precision, and the result has
// the type of the input.
#include <visionkit/Functions.h>
#include <visionkit/NativeFunctions.h>

#include <ATen/autocast_mode.h>

namespace visionkit::native {
namespace {

template <c10::DeviceType device>
struct Autocast {
  c10::impl::ExcludeDispatchKeyGuard without{at::autocast::get_autocast_dispatch_key_from_device_type(device)};

  at::Tensor operator()(const at::Tensor & x) const { return at::autocast::cached_cast(at::kFloat, x, device); }
};

using Cpu = Autocast<at::kCPU>;
using Cuda = Autocast<at::kCUDA>;

template <typename Cast>
at::Tensor cast_nms(const at::Tensor & dets, const at::Tensor & scores, double iou_threshold) {
  const Cast cast;
  return visionkit::nms(cast(dets), cast(scores), iou_threshold);
}

template <typename Cast, typename... Options>
at::Tensor cast_roi_align(const at::Tensor & input, const at::Tensor & rois, Options &&... options) {
  const Cast cast;
  return visionkit::roi_align_symint(cast(input), cast(rois), options...).to(input.scalar_type());
}

} // namespace

at::Tensor nms_autocast_cpu(const at::Tensor & dets, const at::Tensor & scores, double iou_threshold) {
  return cast_nms<Cpu>(dets, scores, iou_threshold);
}

at::Tensor nms_autocast_cuda(const at::Tensor & dets, const at::Tensor & scores, double iou_threshold) {
  return cast_nms<Cuda>(dets, scores, iou_threshold);
}

at::Tensor roi_align_autocast_cpu_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width, int64_t sampling_ratio, bool aligned) {
  return cast_roi_align<Cpu>(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned);
}

at::Tensor roi_align_autocast_cuda_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width, int64_t sampling_ratio, bool aligned) {
  return cast_roi_align<Cuda>(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned);
}

} // namespace visionkit::native
