// In the style of torchvision's operators: fragments beside the functions, selective names, kernels
// in the unnamed namespace of another file.

#include <torch/library.h>

namespace pictures {
namespace ops {

at::Tensor nms(const at::Tensor& dets, const at::Tensor& scores, double iou_threshold);

TORCH_LIBRARY_FRAGMENT(pictures, m) {
  m.set_python_module("pictures._meta_registrations");
  m.def(TORCH_SELECTIVE_SCHEMA(
      "pictures::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor"));
  m.def(TORCH_SELECTIVE_SCHEMA(
      "pictures::roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width, int sampling_ratio, bool aligned) -> Tensor"));
  m.def(
      torch::schema("pictures::_cuda_version() -> int", c10::AliasAnalysisKind::FROM_SCHEMA),
      torch::dispatch(c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(cuda_version)));
  m.def("decode(Tensor data, int mode=0) -> Tensor", &pictures::image::decode);
}

TORCH_LIBRARY_IMPL(pictures, Autograd, m) {
  m.impl(TORCH_SELECTIVE_NAME("pictures::roi_align"), TORCH_FN(roi_align_autograd));
}

TORCH_LIBRARY_IMPL(pictures, AutocastCPU, m) {
  m.impl(TORCH_SELECTIVE_NAME("pictures::nms"), TORCH_FN(nms_autocast));
}

} // namespace ops

namespace image {

static auto registry =
    torch::RegisterOperators("pictures::read_file(str filename) -> Tensor", &read_file)
        .op("pictures::decode_png(Tensor data, int mode, bool apply_exif_orientation=False) -> Tensor",
            &decode_png);

} // namespace image

namespace {

at::Tensor nms_kernel(const at::Tensor& dets, const at::Tensor& scores, double iou_threshold) {
  return ops::nms(dets, scores, iou_threshold);
}

} // namespace

TORCH_LIBRARY_IMPL(pictures, CPU, m) {
  m.impl(TORCH_SELECTIVE_NAME("pictures::nms"), TORCH_FN(nms_kernel));
  m.impl(TORCH_SELECTIVE_NAME("pictures::roi_align"), TORCH_FN(ops::roi_align_kernel));
}

} // namespace pictures
