// The autograd of deformable convolution, written by hand.
#include <visionkit/ops/_deform_conv2d_backward.h>
#include <visionkit/ops/deform_conv2d.h>
#include <visionkit/ops/deform_conv2d_native.h>

#include <torch/csrc/autograd/custom_function.h>

namespace visionkit::native {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct DeformConv2d : torch::autograd::Function<DeformConv2d> {
  static at::Tensor forward(
      AutogradContext * context, const at::Tensor & input, const at::Tensor & weight, const at::Tensor & offset,
      const at::Tensor & mask, const at::Tensor & bias, const std::array<c10::SymInt, 8> & options, bool use_mask) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({input, weight, offset, mask, bias});
    for (size_t i = 0; i < options.size(); i++) {
      context->saved_data[std::to_string(i)] = options[i];
    }
    context->saved_data["use_mask"] = use_mask;
    const auto & [stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups] = options;
    return visionkit::deform_conv2d_symint(
        input, weight, offset, mask, bias, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups,
        offset_groups, use_mask);
  }

  static variable_list backward(AutogradContext * context, const variable_list & grads) {
    const auto saved = context->get_saved_variables();
    const auto option = [&](const char * name) { return context->saved_data[name].toSymInt(); };
    const auto [input, weight, offset, mask, bias] = visionkit::_deform_conv2d_backward_symint(
        grads[0], saved[0], saved[1], saved[2], saved[3], saved[4], option("0"), option("1"), option("2"), option("3"),
        option("4"), option("5"), option("6"), option("7"), context->saved_data["use_mask"].toBool());
    return {input, weight, offset, mask, bias, at::Tensor(), at::Tensor()};
  }
};

} // namespace

at::Tensor deform_conv2d_autograd_symint(
    const at::Tensor & input, const at::Tensor & weight, const at::Tensor & offset, const at::Tensor & mask,
    const at::Tensor & bias, c10::SymInt stride_h, c10::SymInt stride_w, c10::SymInt pad_h, c10::SymInt pad_w,
    c10::SymInt dilation_h, c10::SymInt dilation_w, c10::SymInt groups, c10::SymInt offset_groups, bool use_mask) {
  return DeformConv2d::apply(
      input, weight, offset, mask, bias,
      std::array<c10::SymInt, 8>{stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, offset_groups}, use_mask);
}

} // namespace visionkit::native
