// What the kernels share.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <c10/util/accumulate.h>

#include <opkit/NativeFunctions.h>
#include <opkit/ops.h>

// Instantiates the body for the floating-point types that every kernel takes; `scalar_t` is the type.
#define OPKIT_DISPATCH(TYPE, NAME, ...) AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, TYPE, NAME, __VA_ARGS__)

namespace opkit::native {

using at::Tensor;

// The number of rows that the dimensions before the last make.
inline int64_t row_count(const Tensor& t) {
  return c10::multiply_integers(t.sizes().slice(0, t.dim() - 1));
}

// How many rows one thread should take at least.
inline int64_t row_grain(int64_t width) {
  return std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(1, width));
}

// For the device of the same name: memory that the CPU can read, as simulators have it, and the backend of the tests.
inline Tensor as_cpu(const Tensor& t) {
  return at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

} // namespace opkit::native
