// Sizes and types of results.
#pragma once

#include "values.h"

namespace torchgen_support::shape {

inline Sizes all_dims(int64_t rank) {
  Sizes dims(static_cast<std::size_t>(rank));
  for (int64_t dim = 0; dim < rank; ++dim) {
    dims[static_cast<std::size_t>(dim)] = dim;
  }
  return dims;
}

/// Several dimensions in ascending order; none means all.
inline Sizes wrap(at::IntArrayRef dims, int64_t rank, const char* name) {
  if (dims.empty()) {
    return all_dims(rank);
  }
  Sizes wrapped;
  for (const int64_t dim : dims) {
    wrapped.push_back(wrap(dim, rank, name));
  }
  std::sort(wrapped.begin(), wrapped.end());
  TORCH_CHECK(
      std::adjacent_find(wrapped.begin(), wrapped.end()) == wrapped.end(), name, " appears multiple times in the list of dims");
  if (rank == 0) {
    wrapped.clear();
  }
  return wrapped;
}
inline Sizes wrap(at::OptionalIntArrayRef dims, int64_t rank, const char* name) {
  return dims.has_value() ? wrap(*dims, rank, name) : all_dims(rank);
}
inline Sizes wrap(std::optional<int64_t> dim, int64_t rank, const char* name) {
  return dim.has_value() ? wrap(at::IntArrayRef(&*dim, 1), rank, name) : all_dims(rank);
}

// ---- sizes

inline Sizes broadcast(at::IntArrayRef a, at::IntArrayRef b) {
  const auto sizes = at::infer_size(a, b);
  return {sizes.begin(), sizes.end()};
}

inline void broadcast_into(Sizes& sizes, const at::Tensor& tensor) { sizes = broadcast(sizes, tensor.sizes()); }
inline void broadcast_into(Sizes& sizes, const std::optional<at::Tensor>& tensor) {
  if (tensor.has_value()) {
    broadcast_into(sizes, *tensor);
  }
}

/// The sizes that all tensors expand to.
template <class... Tensors>
Sizes broadcast_of(const Tensors&... tensors) {
  Sizes sizes;
  (broadcast_into(sizes, tensors), ...);
  return sizes;
}

/// A product of matrices, of stacks of them, or of vectors, as in torch.matmul.
inline Sizes matmul(at::IntArrayRef a, at::IntArrayRef b) {
  TORCH_CHECK(!a.empty() && !b.empty(), "both arguments to matmul need to be at least 1D");
  const int64_t inner = b.size() == 1 ? b[0] : b[b.size() - 2];
  TORCH_CHECK(
      a.back() == inner, "mat1 and mat2 shapes cannot be multiplied (", a, " and ", b, ")");
  Sizes sizes = broadcast(
      a.slice(0, a.size() < 2 ? 0 : a.size() - 2), b.slice(0, b.size() < 2 ? 0 : b.size() - 2));
  if (a.size() > 1) {
    sizes.push_back(a[a.size() - 2]);
  }
  if (b.size() > 1) {
    sizes.push_back(b.back());
  }
  return sizes;
}

inline Sizes transpose(at::IntArrayRef sizes, int64_t a, int64_t b) {
  Sizes swapped = sizes.vec();
  if (!swapped.empty()) {
    std::swap(swapped.at(static_cast<std::size_t>(a)), swapped.at(static_cast<std::size_t>(b)));
  }
  return swapped;
}

inline Sizes reduced(at::IntArrayRef sizes, const Sizes& dims, bool keepdim) {
  Sizes kept;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    const bool gone = std::find(dims.begin(), dims.end(), static_cast<int64_t>(dim)) != dims.end();
    if (!gone) {
      kept.push_back(sizes[dim]);
    } else if (keepdim) {
      kept.push_back(1);
    }
  }
  return kept;
}
inline Sizes reduced(at::IntArrayRef sizes, int64_t dim, bool keepdim) { return reduced(sizes, Sizes{dim}, keepdim); }

inline Sizes concat(const std::vector<at::Tensor>& tensors, int64_t dim) {
  const auto at = static_cast<std::size_t>(dim);
  // An empty vector fits everything, as it always has.
  const auto counts = [](const at::Tensor& tensor) { return !(tensor.dim() == 1 && tensor.size(0) == 0); };
  Sizes sizes;
  bool first = true;
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.dim() != 0, "zero-dimensional tensors cannot be concatenated");
    if (!counts(tensor)) {
      continue;
    }
    Sizes next = tensor.sizes().vec();
    if (first) {
      sizes = next;
      first = false;
      continue;
    }
    TORCH_CHECK(next.size() == sizes.size(), "Tensors must have same number of dimensions: got ", sizes.size(), " and ", next.size());
    const int64_t sum = sizes.at(at) + next.at(at);
    sizes.at(at) = next.at(at);
    TORCH_CHECK(sizes == next, "Sizes of tensors must match except in dimension ", dim);
    sizes.at(at) = sum;
  }
  return first ? Sizes{0} : sizes;
}

inline Sizes stack(const std::vector<at::Tensor>& tensors, int64_t dim) {
  Sizes sizes = tensors.at(0).sizes().vec();
  for (const at::Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.sizes() == at::IntArrayRef(sizes), "stack expects each tensor to be equal size");
  }
  sizes.insert(sizes.begin() + dim, static_cast<int64_t>(tensors.size()));
  return sizes;
}

// ---- types

inline void promote(at::native::ResultTypeState& state, const at::Tensor& tensor) {
  state = at::native::update_result_type_state(tensor, state);
}
inline void promote(at::native::ResultTypeState& state, const std::optional<at::Tensor>& tensor) {
  if (tensor.has_value()) {
    promote(state, *tensor);
  }
}
inline void promote(at::native::ResultTypeState& state, const at::Scalar& value) {
  at::Tensor tensor = at::scalar_to_tensor(value);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  promote(state, tensor);
}
inline void promote(at::native::ResultTypeState& state, const std::optional<at::Scalar>& value) {
  if (value.has_value()) {
    promote(state, *value);
  }
}
inline void promote(at::native::ResultTypeState& state, const at::ITensorListRef& tensors) {
  for (const at::Tensor& tensor : tensors) {
    promote(state, tensor);
  }
}
inline void promote(at::native::ResultTypeState& state, at::TensorList tensors) {
  promote(state, at::ITensorListRef(tensors));
}

/// The type that all of these have in common.
template <class... Values>
at::ScalarType promoted(const Values&... values) {
  at::native::ResultTypeState state{};
  (promote(state, values), ...);
  return at::native::result_type(state);
}

inline at::ScalarType floating(at::ScalarType type) {
  return c10::isIntegralType(type, /*includeBool=*/true) ? c10::typeMetaToScalarType(c10::get_default_dtype()) : type;
}

inline at::ScalarType summed(at::ScalarType type) {
  return c10::isIntegralType(type, /*includeBool=*/true) ? at::kLong : type;
}

/// The type that a factory function is asked for, or that its numbers have.
template <class... Scalars>
at::ScalarType option(std::optional<at::ScalarType> dtype, const Scalars&... values) {
  const auto standard = c10::typeMetaToScalarType(c10::get_default_dtype());
  if (dtype.has_value()) {
    return *dtype;
  }
  if constexpr (sizeof...(values) == 0) {
    return standard;
  } else {
    if ((values.isBoolean() && ...)) {
      return at::kBool;
    }
    return (values.isIntegral(/*includeBool=*/true) && ...) ? at::kLong : standard;
  }
}

/// A number that is not greater than any of the type.
inline double lowest(at::ScalarType type) {
  return c10::isFloatingType(type) ? -std::numeric_limits<double>::infinity()
                                   : static_cast<double>(std::numeric_limits<int64_t>::lowest());
}
/// A number that is not less than any of the type.
inline double highest(at::ScalarType type) {
  return c10::isFloatingType(type) ? std::numeric_limits<double>::infinity()
                                   : static_cast<double>(std::numeric_limits<int64_t>::max());
}

/// A number as a tensor without dimensions.
inline at::Tensor as_tensor(const at::Scalar& value, at::ScalarType type, at::Device device) {
  return at::scalar_tensor(value, at::TensorOptions().dtype(type)).to(device);
}

// ---- tensors without data, for `shape: meta`

inline at::Tensor to_meta(const at::Tensor& tensor) {
  return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta));
}
inline std::optional<at::Tensor> to_meta(const std::optional<at::Tensor>& tensor) {
  return tensor.has_value() ? std::optional<at::Tensor>(to_meta(*tensor)) : std::nullopt;
}
inline std::vector<at::Tensor> to_meta(const at::ITensorListRef& tensors) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& tensor : tensors) {
    all.push_back(to_meta(tensor));
  }
  return all;
}
inline std::vector<at::Tensor> to_meta(at::TensorList tensors) { return to_meta(at::ITensorListRef(tensors)); }

inline std::vector<c10::SymInt> symbolic(at::IntArrayRef values) { return {values.begin(), values.end()}; }
inline std::optional<std::vector<c10::SymInt>> symbolic(at::OptionalIntArrayRef values) {
  return values.has_value() ? std::optional<std::vector<c10::SymInt>>(symbolic(*values)) : std::nullopt;
}

} // namespace torchgen_support::shape
