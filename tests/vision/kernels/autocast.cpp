// Autocast: tensors are cast to float, since the kernels have no half precision, and results have
// the type of the input.
#include <visionkit/Functions.h>
#include <visionkit/NativeFunctions.h>

#include <ATen/autocast_mode.h>

namespace visionkit::native {
namespace {

// Casts for the device of a tensor, and excludes autocast while it lives.
class Autocast {
 public:
  explicit Autocast(const at::Tensor & like)
      : type_(like.scalar_type()),
        device_(like.device().type()),
        without_(at::autocast::get_autocast_dispatch_key_from_device_type(device_)) {}

  at::Tensor operator()(const at::Tensor & x) const { return at::autocast::cached_cast(at::kFloat, x, device_); }

  // The results of an operator, where indices keep their type.
  at::Tensor back(const at::Tensor & x) const { return x.is_floating_point() ? x.to(type_) : x; }
  std::tuple<at::Tensor, at::Tensor> back(const std::tuple<at::Tensor, at::Tensor> & x) const {
    return {back(std::get<0>(x)), back(std::get<1>(x))};
  }

 private:
  at::ScalarType type_;
  c10::DeviceType device_;
  c10::impl::ExcludeDispatchKeyGuard without_;
};

} // namespace

at::Tensor nms_autocast(const at::Tensor & dets, const at::Tensor & scores, double iou_threshold) {
  const Autocast cast(dets);
  return visionkit::nms(cast(dets), cast(scores), iou_threshold);
}

at::Tensor roi_align_autocast_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width, int64_t sampling_ratio, bool aligned) {
  const Autocast cast(input);
  return cast.back(visionkit::roi_align_symint(
      cast(input), cast(rois), spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned));
}

std::tuple<at::Tensor, at::Tensor> roi_pool_autocast_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width) {
  const Autocast cast(input);
  return cast.back(visionkit::roi_pool_symint(cast(input), cast(rois), spatial_scale, pooled_height, pooled_width));
}

std::tuple<at::Tensor, at::Tensor> ps_roi_align_autocast_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width, int64_t sampling_ratio) {
  const Autocast cast(input);
  return cast.back(visionkit::ps_roi_align_symint(
      cast(input), cast(rois), spatial_scale, pooled_height, pooled_width, sampling_ratio));
}

std::tuple<at::Tensor, at::Tensor> ps_roi_pool_autocast_symint(
    const at::Tensor & input, const at::Tensor & rois, double spatial_scale, c10::SymInt pooled_height,
    c10::SymInt pooled_width) {
  const Autocast cast(input);
  return cast.back(visionkit::ps_roi_pool_symint(cast(input), cast(rois), spatial_scale, pooled_height, pooled_width));
}

at::Tensor deform_conv2d_autocast_symint(
    const at::Tensor & input, const at::Tensor & weight, const at::Tensor & offset, const at::Tensor & mask,
    const at::Tensor & bias, c10::SymInt stride_h, c10::SymInt stride_w, c10::SymInt pad_h, c10::SymInt pad_w,
    c10::SymInt dilation_h, c10::SymInt dilation_w, c10::SymInt groups, c10::SymInt offset_groups, bool use_mask) {
  const Autocast cast(input);
  return cast.back(visionkit::deform_conv2d_symint(
      cast(input), cast(weight), cast(offset), cast(mask), cast(bias), stride_h, stride_w, pad_h, pad_w, dilation_h,
      dilation_w, groups, offset_groups, use_mask));
}

} // namespace visionkit::native
