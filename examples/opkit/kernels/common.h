// Helpers that several kernels use.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <c10/util/accumulate.h>

#include <opkit/NativeFunctions.h>
#include <opkit/ops.h>

// Instantiates the body for the floating-point types that every kernel supports, as `scalar_t`.
#define OPKIT_DISPATCH(TYPE, NAME, ...) AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, TYPE, NAME, __VA_ARGS__)

namespace opkit::native {

using at::Tensor;

// The number of rows: the product of all dimensions but the last.
inline int64_t row_count(const Tensor& t) {
  return c10::multiply_integers(t.sizes().slice(0, t.dim() - 1));
}

// The least number of rows for one thread.
inline int64_t row_grain(int64_t width) {
  return std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(1, width));
}

// A CPU tensor over the memory of a PrivateUse1 tensor. The CPU must be able to read it, as with
// simulators and the backend of the tests.
inline Tensor as_cpu(const Tensor& t) {
  return at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

} // namespace opkit::native
