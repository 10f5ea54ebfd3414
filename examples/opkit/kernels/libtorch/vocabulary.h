// What kernels need of torch beyond the generated Portable.h, with libtorch's C++ API. Sizes may be
// symbolic.
#pragma once

#include <ATen/MemoryOverlap.h>

#include <opkit/NativeFunctions.h>
#include <opkit/Portable.h>
#include <opkit/ops.h>

#define OPKIT_CHECK_INDEX TORCH_CHECK_INDEX
#define OPKIT_CHECK_VALUE TORCH_CHECK_VALUE
#define OPKIT_SYM_CHECK TORCH_SYM_CHECK

namespace opkit::native {

using at::TensorList;
using Int = c10::SymInt;

inline Int dim_size(const Tensor& t, int64_t dim) {
  return t.sym_size(dim);
}

inline std::vector<Int> dim_sizes(const Tensor& t) {
  return t.sym_sizes().vec();
}

inline Int elements(const Tensor& t) {
  return t.sym_numel();
}

// Comparisons of sizes.
inline c10::SymBool equal(const Int& a, const Int& b) {
  return a.sym_eq(b);
}

inline c10::SymBool at_most(const Int& a, const Int& b) {
  return a.sym_le(b);
}

inline c10::SymBool positive(const Int& a) {
  return a.sym_gt(0);
}

// t += (to - t) * weight
inline void move_towards(const Tensor& t, const Tensor& to, double weight) {
  t.lerp_(to, weight);
}

inline Tensor expanded(const Tensor& t, const std::vector<Int>& sizes) {
  return t.expand_symint(sizes);
}

// A contiguous tensor of a size, with the device of another.
inline Tensor make_empty(const std::vector<Int>& sizes, const Tensor& like, ScalarType type) {
  return at::empty_symint(sizes, like.options().dtype(type));
}

inline Tensor make_zeros(
    const std::vector<Int>& sizes, std::optional<ScalarType> type, std::optional<Layout> layout, std::optional<Device> device,
    std::optional<bool> pin_memory) {
  return at::zeros_symint(sizes, type, layout, device, pin_memory);
}

inline Tensor lower_triangle(const Tensor& t) {
  return t.tril();
}

inline Tensor upper_triangle(const Tensor& t, const Int& diagonal) {
  return t.triu_symint(diagonal);
}

// A tensor without dimensions.
inline Tensor number(double value, const Tensor& like) {
  return at::full({}, value, like.options());
}

inline Tensor norm_along(const Tensor& t, int64_t dim) {
  return at::linalg_vector_norm(t, 2, dim, /*keepdim=*/true);
}

inline Tensor vector_norm(const Tensor& t, double p) {
  return at::linalg_vector_norm(t, p);
}

// Refuses to write tensors whose elements share memory.
inline void check_memory(const Tensor& a, const Tensor& b) {
  at::assert_no_internal_overlap(a);
  at::assert_no_internal_overlap(b);
  at::assert_no_overlap(a, b);
}

// A CPU tensor over the memory of a PrivateUse1 tensor. The CPU must be able to read it, as with
// simulators and the backend of the tests.
inline Tensor as_cpu(const Tensor& t) {
  return at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

} // namespace opkit::native
