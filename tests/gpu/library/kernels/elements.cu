// Kernels of one thread for each element.

#include <gpu_checks/NativeFunctions.h>

#include "launch.h"

namespace gpu_checks {
namespace {

template <typename scalar_t>
__global__ void soft_threshold_kernel(
    const scalar_t* from, const scalar_t* other, scalar_t* to, double by, int64_t count) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    const double value = static_cast<double>(from[i]);
    const double left = value > by ? value - by : value < -by ? value + by : 0.0;
    to[i] = static_cast<scalar_t>(left * static_cast<double>(other[i]));
  }
}

template <typename scalar_t>
__global__ void add_scaled_kernel(scalar_t* self, const scalar_t* other, double by, int64_t count) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    self[i] = static_cast<scalar_t>(static_cast<double>(self[i]) + static_cast<double>(other[i]) * by);
  }
}

} // namespace

Tensor native::soft_threshold_cuda(const Tensor& self, const Tensor& other, double by) {
  const Tensor from = torch::stable::contiguous(self);
  const Tensor factor = torch::stable::contiguous(other);
  STD_TORCH_CHECK(from.sizes().equals(factor.sizes()), "soft_threshold: sizes differ");
  STD_TORCH_CHECK(from.scalar_type() == factor.scalar_type(), "soft_threshold: dtypes differ");
  Tensor to = torch::stable::empty_like(from);
  const int64_t count = from.numel();
  if (count == 0) {
    return to;
  }
  GPU_CHECKS_DISPATCH_FLOATING_AND_HALF(from.scalar_type(), "soft_threshold", [&] {
    soft_threshold_kernel<<<blocks_for(count), kThreads, 0, stream_of(from)>>>(
        from.const_data_ptr<scalar_t>(), factor.const_data_ptr<scalar_t>(),
        to.mutable_data_ptr<scalar_t>(), by, count);
    STD_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return to;
}

Tensor& native::add_scaled_cuda_(Tensor& self, const Tensor& other, double by) {
  const Tensor from = torch::stable::contiguous(other);
  STD_TORCH_CHECK(self.is_contiguous(), "add_scaled_: self is not contiguous");
  STD_TORCH_CHECK(self.sizes().equals(from.sizes()), "add_scaled_: sizes differ");
  STD_TORCH_CHECK(self.scalar_type() == from.scalar_type(), "add_scaled_: dtypes differ");
  const int64_t count = self.numel();
  if (count == 0) {
    return self;
  }
  GPU_CHECKS_DISPATCH_FLOATING_AND_HALF(self.scalar_type(), "add_scaled_", [&] {
    add_scaled_kernel<<<blocks_for(count), kThreads, 0, stream_of(self)>>>(
        self.mutable_data_ptr<scalar_t>(), from.const_data_ptr<scalar_t>(), by, count);
    STD_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return self;
}

} // namespace gpu_checks
