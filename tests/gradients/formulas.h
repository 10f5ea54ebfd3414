// Functions that formulas of random libraries call; formulas.py has the same in Python. Each
// library has them in its own namespace.
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/FunctionsManual.h>

namespace random_library {

using at::Tensor;
using MaybeTensors = c10::List<std::optional<at::Tensor>>;

// The sum of gradients that may be undefined.
inline Tensor added(const Tensor& one, const Tensor& other) {
  if (!one.defined() || !other.defined()) {
    return one.defined() ? one : other;
  }
  return one + other;
}

// The gradient of the output of an operator that returns a list: it, and twice it.
inline Tensor joined(at::TensorList grads) {
  return added(grads[0], grads[1].defined() ? 2 * grads[1] : Tensor());
}

inline std::tuple<Tensor, Tensor> product_backward(
    const Tensor& grad,
    const std::optional<Tensor>& one,
    const std::optional<Tensor>& other,
    std::array<bool, 2> mask) {
  return {mask[0] ? grad * *other : Tensor(), mask[1] ? grad * *one : Tensor()};
}

inline std::vector<Tensor> spread(const Tensor& grad, int64_t count) {
  return std::vector<Tensor>(static_cast<size_t>(count), grad);
}

inline std::vector<Tensor> doubled(const Tensor& grad, at::TensorList tensors) {
  std::vector<Tensor> grads;
  for (const Tensor& tensor : tensors) {
    grads.push_back(grad.defined() ? grad * 2 * tensor : Tensor());
  }
  return grads;
}

inline std::vector<Tensor> spread_some(const Tensor& grad, const MaybeTensors& tensors) {
  std::vector<Tensor> grads;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::optional<Tensor> tensor = tensors[i];
    grads.push_back(tensor.has_value() && tensor->defined() ? grad : Tensor());
  }
  return grads;
}

inline Tensor summed(at::TensorList tensors) {
  Tensor sum = tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i) {
    sum = sum + tensors[i];
  }
  return sum;
}

inline Tensor summed_squares(at::TensorList tensors) {
  Tensor sum = tensors[0] * tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i) {
    sum = sum + tensors[i] * tensors[i];
  }
  return sum;
}

inline Tensor summed_some(const MaybeTensors& tensors) {
  Tensor sum;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::optional<Tensor> tensor = tensors[i];
    sum = added(sum, tensor.value_or(Tensor()));
  }
  return sum;
}

// ---- In formulas for tangents, lists have the tensors with their tangents.

inline Tensor primal_of(const Tensor& tensor) {
  return torch::autograd::generated::details::toNonOptPrimal(tensor);
}

inline Tensor tangent_of(const Tensor& tensor) {
  const Tensor tangent = torch::autograd::generated::details::toNonOptFwGrad(tensor);
  return tangent.defined() ? tangent : at::zeros_like(primal_of(tensor));
}

inline Tensor primal_sum(at::TensorList tensors) {
  Tensor sum;
  for (const Tensor& tensor : tensors) {
    sum = added(sum, primal_of(tensor));
  }
  return sum;
}

inline Tensor tangent_sum(at::TensorList tensors) {
  Tensor sum;
  for (const Tensor& tensor : tensors) {
    sum = added(sum, tangent_of(tensor));
  }
  return sum;
}

inline Tensor primal_squares(at::TensorList tensors) {
  Tensor sum;
  for (const Tensor& tensor : tensors) {
    sum = added(sum, primal_of(tensor) * primal_of(tensor));
  }
  return sum;
}

inline Tensor tangent_squares(at::TensorList tensors) {
  Tensor sum;
  for (const Tensor& tensor : tensors) {
    sum = added(sum, 2 * primal_of(tensor) * tangent_of(tensor));
  }
  return sum;
}

inline Tensor primal_some(const MaybeTensors& tensors) {
  Tensor sum;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::optional<Tensor> tensor = tensors[i];
    if (tensor.has_value() && tensor->defined()) {
      sum = added(sum, primal_of(*tensor));
    }
  }
  return sum;
}

inline Tensor tangent_some(const MaybeTensors& tensors) {
  Tensor sum;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::optional<Tensor> tensor = tensors[i];
    if (tensor.has_value() && tensor->defined()) {
      sum = added(sum, tangent_of(*tensor));
    }
  }
  return sum;
}

} // namespace random_library
