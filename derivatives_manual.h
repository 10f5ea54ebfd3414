// Functions that the formulas of derivatives.yaml call. They consist of differentiable operators, so
// that gradients can be differentiated again, and take symbolic sizes, so that they can be compiled
// for unknown sizes.
#pragma once

#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/OpMathType.h>
#include <torch/csrc/autograd/FunctionsManual.h>

#include <opkit/Functions.h>

namespace opkit {

// The type in which norms compute: float for half precision.
inline at::Tensor to_opmath(const at::Tensor& x) {
  return x.to(at::toOpMathType(x.scalar_type()));
}

// ---- rms_norm

inline at::Tensor inverse_rms(const at::Tensor& x, double eps) {
  return x.pow(2).mean(-1, true).add(eps).rsqrt();
}

inline std::tuple<at::Tensor, at::Tensor> rms_norm_backward(
    const at::Tensor& grad,
    const at::Tensor& input,
    const at::Tensor& weight,
    double eps,
    std::array<bool, 2> mask) {
  at::Tensor grad_input, grad_weight;
  if (!grad.defined()) {
    return {grad_input, grad_weight};
  }
  const auto x = to_opmath(input);
  const auto r = inverse_rms(x, eps);
  const auto g = to_opmath(grad);
  if (mask[0]) {
    const auto gw = g * weight;
    grad_input = (r * gw - x * r.pow(3) * (gw * x).mean(-1, true)).to(input.scalar_type());
  }
  if (mask[1]) {
    grad_weight = (g * x * r).sum_to_size_symint(weight.sym_sizes()).to(weight.scalar_type());
  }
  return {grad_input, grad_weight};
}

inline at::Tensor rms_norm_jvp(
    const at::Tensor& input_t,
    const at::Tensor& input_p,
    const at::Tensor& weight_t,
    const at::Tensor& weight_p,
    double eps) {
  const auto x = to_opmath(input_p);
  const auto r = inverse_rms(x, eps);
  const auto r_t = r.pow(3) * (x * input_t).mean(-1, true).neg();
  return ((input_t * r + x * r_t) * weight_p + x * r * weight_t).to(input_p.scalar_type());
}

// ---- l2_normalize

// The derivative at self. It is symmetric, so backward and forward mode are the same. Below eps the
// divisor is constant.
inline at::Tensor l2_normalize_linear(const at::Tensor& x, const at::Tensor& self, const at::Tensor& result, int64_t dim, double eps) {
  const auto norm = at::linalg_vector_norm(self, 2, dim, true);
  const auto along = at::where(norm > eps, (x * result).sum(dim, true), at::zeros({}, norm.options()));
  return (x - result * along) / norm.clamp_min(eps);
}

// ---- silu_and_mul

// silu'
inline at::Tensor silu_slope(const at::Tensor& x) {
  const auto s = at::sigmoid(x);
  return s * (1 + x * (1 - s));
}

inline at::Tensor silu_and_mul_backward(const at::Tensor& grad, const at::Tensor& input) {
  const auto parts = input.chunk(2, -1);
  return at::cat({grad * parts[1] * silu_slope(parts[0]), grad * at::silu(parts[0])}, -1);
}

inline at::Tensor silu_and_mul_jvp(const at::Tensor& input_t, const at::Tensor& input_p) {
  const auto p = input_p.chunk(2, -1), t = input_t.chunk(2, -1);
  return t[0] * p[1] * silu_slope(p[0]) + at::silu(p[0]) * t[1];
}

// ---- rotary_embedding

inline std::tuple<at::Tensor, at::Tensor> rotary_embedding_backward(
    const at::Tensor& grad_query,
    const at::Tensor& grad_key,
    c10::SymIntArrayRef query_sizes,
    c10::SymIntArrayRef key_sizes,
    const at::Tensor& positions,
    const at::Tensor& cos_sin_cache,
    bool interleaved) {
  if (!grad_query.defined() && !grad_key.defined()) {
    return {};
  }
  const auto options = (grad_query.defined() ? grad_query : grad_key).options();
  const auto query = grad_query.defined() ? grad_query : at::zeros_symint(query_sizes, options);
  const auto key = grad_key.defined() ? grad_key : at::zeros_symint(key_sizes, options);
  const auto parts = cos_sin_cache.chunk(2, -1);
  return opkit::rotary_embedding(query, key, positions, at::cat({parts[0], -parts[1]}, -1), interleaved);
}

// ---- split_gates

inline at::Tensor split_gates_backward(const at::Tensor& grad_gate, const at::Tensor& grad_value) {
  if (!grad_gate.defined() && !grad_value.defined()) {
    return {};
  }
  const auto gate = grad_gate.defined() ? grad_gate : at::zeros_like(grad_value);
  const auto value = grad_value.defined() ? grad_value : at::zeros_like(grad_gate);
  return at::cat({gate, value}, -1);
}

// ---- topk_gating

inline at::Tensor topk_gating_backward(
    const at::Tensor& grad,
    const at::Tensor& logits,
    const at::Tensor& weights,
    const at::Tensor& indices,
    bool renormalize) {
  const auto places = indices.to(at::kLong);
  const auto zeros = at::zeros_like(logits, logits.options().dtype(weights.scalar_type()));
  at::Tensor result;
  if (renormalize) {
    // The weights are the softmax of the chosen logits.
    result = zeros.scatter(-1, places, weights * (grad - (grad * weights).sum(-1, true)));
  } else {
    const auto p = at::softmax(logits, -1, weights.scalar_type());
    const auto g = zeros.scatter(-1, places, grad);
    result = p * (g - (g * p).sum(-1, true));
  }
  return result.to(logits.scalar_type());
}

inline at::Tensor topk_gating_jvp(
    const at::Tensor& logits_t,
    const at::Tensor& logits_p,
    const at::Tensor& weights,
    const at::Tensor& indices,
    bool renormalize) {
  const auto places = indices.to(at::kLong);
  const auto t = logits_t.to(weights.scalar_type());
  if (renormalize) {
    const auto chosen = t.gather(-1, places);
    return weights * (chosen - (weights * chosen).sum(-1, true));
  }
  const auto p = at::softmax(logits_p, -1, weights.scalar_type());
  return (p * (t - (p * t).sum(-1, true))).gather(-1, places);
}

// ---- segment_reduce

// The segment of each row, counted from 1. Rows before the first segment get 0, and rows after the last
// one get the number of segments plus 1.
inline at::Tensor segments_of_rows(const at::Tensor& data, const at::Tensor& offsets) {
  const auto rows = at::arange(data.sym_size(0), offsets.options());
  return at::bucketize(rows, offsets, /*out_int32=*/false, /*right=*/true);
}

// The value of each row's segment; zero outside of segments.
inline at::Tensor spread_over_rows(const at::Tensor& x, const at::Tensor& segments) {
  auto sizes = x.sym_sizes().vec();
  sizes[0] = 1;
  const auto outside = at::zeros_symint(sizes, x.options());
  return at::cat({outside, x, outside}).index_select(0, segments);
}

// A factor for each element: its share in the result.
inline at::Tensor segment_shares(
    const at::Tensor& data,
    const at::Tensor& segments,
    const at::Tensor& offsets,
    std::string_view reduce,
    const at::Tensor& result) {
  if (reduce == "sum") {
    return at::ones_like(data);
  }
  if (reduce == "mean") {
    std::vector<c10::SymInt> sizes(data.dim(), 1);
    sizes[0] = data.sym_size(0);
    const auto lengths = spread_over_rows(offsets.diff(), segments).clamp_min(1);
    return at::ones_like(data) / lengths.to(data.scalar_type()).view_symint(sizes);
  }
  // Equal elements share the gradient.
  const auto is_result = (data == spread_over_rows(result, segments)).to(data.scalar_type());
  auto sizes = result.sym_sizes().vec();
  sizes[0] = sizes[0] + 2;
  const auto counts = at::zeros_symint(sizes, data.options()).index_add(0, segments, is_result);
  return is_result / counts.index_select(0, segments).clamp_min(1);
}

inline at::Tensor segment_reduce_backward(
    const at::Tensor& grad,
    const at::Tensor& data,
    const at::Tensor& offsets,
    std::string_view reduce,
    const at::Tensor& result) {
  const auto segments = segments_of_rows(data, offsets);
  return spread_over_rows(grad, segments) * segment_shares(data, segments, offsets, reduce, result);
}

inline at::Tensor segment_reduce_jvp(
    const at::Tensor& data_t,
    const at::Tensor& data_p,
    const at::Tensor& offsets,
    std::string_view reduce,
    const at::Tensor& result) {
  const auto segments = segments_of_rows(data_p, offsets);
  const auto shares = segment_shares(data_p, segments, offsets, reduce, result);
  return opkit::segment_reduce(data_t * shares, offsets, "sum");
}

// ---- box_iou

// The gradient of the first boxes.
inline at::Tensor box_iou_backward(const at::Tensor& grad, const at::Tensor& boxes, const at::Tensor& others) {
  const auto zero = at::zeros({}, boxes.options());
  const auto low = boxes.slice(-1, 0, 2).unsqueeze(1), high = boxes.slice(-1, 2, 4).unsqueeze(1);
  const auto other_low = others.slice(-1, 0, 2).unsqueeze(0), other_high = others.slice(-1, 2, 4).unsqueeze(0);
  const auto overlap = at::maximum(at::minimum(high, other_high) - at::maximum(low, other_low), zero);
  const auto size = high - low;
  const auto intersection = overlap.select(-1, 0) * overlap.select(-1, 1);
  const auto other_size = other_high - other_low;
  const auto total = size.select(-1, 0) * size.select(-1, 1) + other_size.select(-1, 0) * other_size.select(-1, 1) - intersection;
  // Boxes without an area have no union.
  const auto scaled = at::where(total > 0, grad / at::where(total > 0, total, at::ones_like(total)), zero);
  const auto ratio = at::where(total > 0, intersection / at::where(total > 0, total, at::ones_like(total)), zero);
  const auto of_intersection = (scaled * (1 + ratio)).unsqueeze(-1);
  const auto of_area = (scaled * ratio).neg().unsqueeze(-1);
  // In a product of width and height, each is the gradient of the other.
  const auto of_overlap = at::where(overlap > 0, of_intersection * overlap.flip(-1), zero);
  const auto of_size = of_area * size.flip(-1);
  const auto of_low = (of_overlap * (low > other_low) + of_size).sum(1).neg();
  const auto of_high = (of_overlap * (high < other_high) + of_size).sum(1);
  return at::cat({of_low, of_high}, -1);
}

// ---- global_norm

// The gradient of the norm with respect to one tensor, for an incoming gradient of one.
inline at::Tensor norm_slope(const at::Tensor& x, const at::Tensor& norm, double p) {
  const auto zero = at::zeros({}, norm.options());
  const auto is_zero = norm == 0;
  const auto divisor = at::where(is_zero, at::ones_like(norm), norm);
  if (p == std::numeric_limits<double>::infinity()) {
    return x.sgn() * (x.abs() == norm);
  }
  if (p == 1.0) {
    return x.sgn();
  }
  if (p == 2.0) {
    return at::where(is_zero, zero, x / divisor);
  }
  return at::where(is_zero, zero, x.sgn() * (x.abs() / divisor).pow(p - 1));
}

inline std::vector<at::Tensor> global_norm_backward(
    const at::Tensor& grad,
    at::TensorList tensors,
    const at::Tensor& norm,
    double p) {
  std::vector<at::Tensor> grads;
  grads.reserve(tensors.size());
  for (const auto& x : tensors) {
    grads.push_back(grad.defined() ? grad * norm_slope(x, norm, p) : at::Tensor());
  }
  return grads;
}

// Also called outside of forward mode, where there is no tangent, because the tangents of lists are
// looked up here.
inline at::Tensor global_norm_jvp(at::TensorList tensors, const at::Tensor& norm, double p) {
  at::Tensor tangent;
  for (const auto& x : tensors) {
    const auto t = torch::autograd::generated::details::toNonOptFwGrad(x);
    if (t.defined()) {
      const auto value = torch::autograd::generated::details::toNonOptPrimal(x);
      const auto part = (norm_slope(value, norm, p) * t).sum();
      tangent = tangent.defined() ? tangent + part : part;
    }
  }
  return tangent;
}

} // namespace opkit
