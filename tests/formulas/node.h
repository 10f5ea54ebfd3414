// What formulas see in a node: names with the types that nodes save, and torch's helpers. Each
// formula is a function of `Formulas`, which tests/support/formulas/cxx.rs writes.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/FunctionsManual.h>
#include <torch/library.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace looked::autograd {

using at::ArrayRef;
using at::GradMode;
using at::IntArrayRef;
using at::Scalar;
using at::ScalarType;
using at::SymIntArrayRef;
using at::Tensor;
using at::TensorGeometry;
using at::TensorList;
using at::TensorOptions;
using c10::SymInt;
using torch::autograd::generated::details::any_variable_defined;
using torch::autograd::generated::details::apply_loss_reduction;
using torch::autograd::generated::details::copy_range;
using torch::autograd::generated::details::copysign_tensor_self_backward;
using torch::autograd::generated::details::not_implemented;
using torch::autograd::generated::details::not_implemented_list;
using torch::autograd::generated::details::toNonOptFwGrad;
using torch::autograd::generated::details::toNonOptPrimal;
using torch::autograd::generated::details::toNonOptTensor;
using torch::autograd::generated::details::update_wrapped_number;
using torch::autograd::generated::details::wrap_opt_if;

struct Node {
  std::vector<Tensor> grads;
  Tensor grad;
  Tensor grad_first;
  Tensor grad_second;
  Tensor self;
  Tensor other;
  Tensor maybe;
  std::vector<Tensor> tensors;
  int64_t k = 0;
  int64_t n = 0;
  SymInt m;
  double x = 0;
  double y = 0;
  bool b = false;
  bool c = false;
  std::optional<int64_t> ki;
  std::optional<double> xf;
  std::optional<bool> bf;
  std::vector<int64_t> ks;
  std::vector<SymInt> ms;
  std::string text;
  std::optional<ScalarType> dtype;
  Tensor result;
  Tensor first;
  Tensor second;
  bool any_grad_defined = true;
};

// Gradients are tensors, or tensors that may be missing, as `copy_range` takes them.
inline Tensor returned(const Tensor& gradient) {
  return gradient;
}
inline Tensor returned(const std::optional<Tensor>& gradient) {
  return gradient.value_or(Tensor());
}

// The formula of a number, which tests/support/formulas/cxx.rs writes.
Tensor computed(Node& node, int64_t number);

inline Tensor call(
    int64_t number,
    const Tensor& first_grad,
    const std::optional<Tensor>& second_grad,
    const Tensor& first,
    const Tensor& second,
    const Tensor& self,
    const Tensor& other,
    const std::optional<Tensor>& maybe,
    at::TensorList tensors,
    int64_t k,
    int64_t n,
    SymInt m,
    double x,
    double y,
    bool b,
    bool c,
    std::optional<int64_t> ki,
    std::optional<double> xf,
    std::optional<bool> bf,
    at::IntArrayRef ks,
    c10::SymIntArrayRef ms,
    c10::string_view text,
    std::optional<ScalarType> dtype) {
  Node node;
  node.grads = {first_grad, second_grad.value_or(Tensor())};
  node.grad = node.grad_first = node.grads[0];
  node.grad_second = node.grads[1];
  node.self = self;
  node.other = other;
  node.maybe = maybe.value_or(Tensor());
  node.tensors = tensors.vec();
  node.k = k;
  node.n = n;
  node.m = std::move(m);
  node.x = x;
  node.y = y;
  node.b = b;
  node.c = c;
  node.ki = ki;
  node.xf = xf;
  node.bf = bf;
  node.ks = ks.vec();
  node.ms = ms.vec();
  node.text = std::string(text);
  node.dtype = dtype;
  node.result = node.first = first;
  node.second = second;
  return computed(node, number);
}

TORCH_LIBRARY(looked_cpp, library) {
  library.def(
      "call(int number, Tensor first_grad, Tensor? second_grad, Tensor first, Tensor second, Tensor self, Tensor other, Tensor? maybe, Tensor[] tensors, "
      "int k, int n, SymInt m, float x, float y, bool b, bool c, int? ki, float? xf, bool? bf, int[] ks, "
      "SymInt[] ms, str text, ScalarType? dtype) -> Tensor");
  library.impl("call", c10::DispatchKey::CompositeExplicitAutograd, TORCH_FN(call));
}

} // namespace looked::autograd
