// What kernels of random libraries read and make elements with, on either ABI.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#ifdef TORCH_TARGET_VERSION
#include <torch/csrc/stable/ops.h>
#else
#include <ATen/ATen.h>
#endif

namespace elementwise {

#ifdef TORCH_TARGET_VERSION
// Both ABIs are loaded in one process.
inline namespace of_stable {
using Tensor = torch::stable::Tensor;
using Scalars = torch::headeronly::ScalarType;

inline Tensor packed(const Tensor& tensor) {
  return torch::stable::contiguous(tensor);
}

inline Tensor made_like(const Tensor& tensor) {
  return torch::stable::empty_like(packed(tensor));
}

inline Tensor number_like(const Tensor& tensor) {
  return torch::stable::new_empty(tensor, {});
}
#else
using Tensor = at::Tensor;
using Scalars = at::ScalarType;

inline Tensor packed(const Tensor& tensor) {
  return tensor.contiguous();
}

inline Tensor made_like(const Tensor& tensor) {
  return at::empty_like(packed(tensor));
}

inline Tensor number_like(const Tensor& tensor) {
  return tensor.new_empty({});
}
#endif

using Complex = std::complex<double>;

// Elements are doubles, or complex.
inline bool has_complex_elements(const Tensor& tensor) {
  return tensor.scalar_type() != Scalars::Double;
}

// Through the pointer, so that only generated code can count the version.
template <class T>
void copy_elements(Tensor& to, const Tensor& from) {
  const Tensor source = packed(from);
  const T* values = static_cast<const T*>(source.const_data_ptr());
  T* data = static_cast<T*>(to.mutable_data_ptr());
  for (int64_t i = 0; i < to.numel(); ++i) {
    int64_t rest = i;
    int64_t offset = 0;
    for (int64_t dim = to.dim() - 1; dim >= 0; --dim) {
      offset += rest % to.size(dim) * to.stride(dim);
      rest /= to.size(dim);
    }
    data[offset] = values[i];
  }
}

inline void copy_into(Tensor& to, const Tensor& from) {
  if (has_complex_elements(to)) {
    copy_elements<Complex>(to, from);
  } else {
    copy_elements<double>(to, from);
  }
}

// The elements of a tensor, which are repeated if they are fewer than those of an output.
template <class T>
class ValuesOf {
 public:
  explicit ValuesOf(const Tensor& tensor)
      : tensor_(packed(tensor)), data_(static_cast<const T*>(tensor_.const_data_ptr())), count_(tensor_.numel()) {}

  T operator[](int64_t i) const {
    return data_[i % count_];
  }

 private:
  Tensor tensor_;
  const T* data_;
  int64_t count_;
};

using Values = ValuesOf<double>;

template <class T>
ValuesOf<T> values_of(const Tensor& tensor) {
  return ValuesOf<T>(tensor);
}

inline Values values(const Tensor& tensor) {
  return Values(tensor);
}

inline std::optional<Values> values(const std::optional<Tensor>& tensor) {
  return tensor.has_value() ? std::optional<Values>(Values(*tensor)) : std::nullopt;
}

// Those of a list that are given.
template <class List>
std::vector<Values> values(const List& list) {
  std::vector<Values> all;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::optional<Tensor> tensor = list[i];
    if (tensor.has_value()) {
      all.emplace_back(*tensor);
    }
  }
  return all;
}

// Those of a list that may be missing.
template <class List>
std::vector<Values> values_if_given(const List& list) {
  return list.has_value() ? values(*list) : std::vector<Values>();
}

inline double one_or(const std::optional<Values>& values, int64_t i) {
  return values.has_value() ? (*values)[i] : 1.0;
}

inline double sum(const std::vector<Values>& values, int64_t i) {
  double sum = 0;
  for (const Values& one : values) {
    sum += one[i];
  }
  return sum;
}

inline double squares(const std::vector<Values>& values, int64_t i) {
  double sum = 0;
  for (const Values& one : values) {
    sum += one[i] * one[i];
  }
  return sum;
}

#ifndef TORCH_TARGET_VERSION
inline double number(const at::Scalar& number) {
  return number.toDouble();
}
#endif

inline double number(double number) {
  return number;
}

// Whether an argument gives a result.
inline bool given(bool flag) {
  return flag;
}

inline bool given(const std::optional<Tensor>& tensor) {
  return tensor.has_value();
}

template <class T = double, class Function>
Tensor elements(const Tensor& like, Function function) {
  Tensor result = made_like(like);
  T* data = static_cast<T*>(result.mutable_data_ptr());
  for (int64_t i = 0; i < result.numel(); ++i) {
    data[i] = function(i);
  }
  return result;
}

inline Tensor twice(const Tensor& tensor) {
  const Values values(tensor);
  return elements(tensor, [&](int64_t i) { return 2 * values[i]; });
}

template <class T = double, class Function>
Tensor total(const Tensor& like, Function function) {
  T sum = 0;
  for (int64_t i = 0; i < like.numel(); ++i) {
    sum += function(i);
  }
  Tensor result = number_like(like);
  *static_cast<T*>(result.mutable_data_ptr()) = sum;
  return result;
}

// The mutation of all operators that mutate an argument.
inline void advance(Tensor& state) {
  const Values before(state);
  copy_into(state, elements(state, [&](int64_t i) { return 2 * before[i] + 1; }));
}

#ifdef TORCH_TARGET_VERSION
} // inline namespace of_stable
#endif
} // namespace elementwise
