// Kernels of one block for each sum.

#include <gpu_checks/NativeFunctions.h>

#include "launch.h"

namespace gpu_checks {
namespace {

template <typename scalar_t>
__global__ void row_norms_kernel(const scalar_t* from, scalar_t* to, double eps, int64_t columns) {
  __shared__ double parts[kThreads];
  const scalar_t* row = from + static_cast<int64_t>(blockIdx.x) * columns;
  double sum = 0;
  for (int64_t i = threadIdx.x; i < columns; i += kThreads) {
    const double value = static_cast<double>(row[i]);
    sum += value * value;
  }
  sum = sum_of_block(sum, parts);
  if (threadIdx.x == 0) {
    to[blockIdx.x] = static_cast<scalar_t>(sqrt(eps + sum));
  }
}

template <typename scalar_t>
__global__ void moments_kernel(const scalar_t* from, scalar_t* mean, scalar_t* variance, int64_t count) {
  __shared__ double parts[kThreads];
  double sum = 0;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    sum += static_cast<double>(from[i]);
  }
  const double middle = sum_of_block(sum, parts) / static_cast<double>(count);
  double squares = 0;
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    const double distance = static_cast<double>(from[i]) - middle;
    squares += distance * distance;
  }
  squares = sum_of_block(squares, parts);
  if (threadIdx.x == 0) {
    *mean = static_cast<scalar_t>(middle);
    *variance = static_cast<scalar_t>(squares / static_cast<double>(count));
  }
}

} // namespace

Tensor native::row_norms_cuda(const Tensor& self, double eps) {
  STD_TORCH_CHECK(self.dim() > 0, "row_norms: self has no rows");
  const Tensor from = torch::stable::contiguous(self);
  const auto sizes = from.sizes();
  const int64_t columns = sizes[sizes.size() - 1];
  Tensor to = torch::stable::new_empty(from, sizes.slice(0, sizes.size() - 1));
  const int64_t rows = to.numel();
  if (rows == 0) {
    return to;
  }
  GPU_CHECKS_DISPATCH_FLOATING_AND_HALF(from.scalar_type(), "row_norms", [&] {
    row_norms_kernel<<<static_cast<unsigned>(rows), kThreads, 0, stream_of(from)>>>(
        from.const_data_ptr<scalar_t>(), to.mutable_data_ptr<scalar_t>(), eps, columns);
    STD_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return to;
}

std::tuple<Tensor, Tensor> native::moments_cuda(const Tensor& self) {
  const Tensor from = torch::stable::contiguous(self);
  Tensor mean = torch::stable::new_empty(from, {});
  Tensor variance = torch::stable::new_empty(from, {});
  GPU_CHECKS_DISPATCH_FLOATING_AND_HALF(from.scalar_type(), "moments", [&] {
    moments_kernel<<<1, kThreads, 0, stream_of(from)>>>(
        from.const_data_ptr<scalar_t>(), mean.mutable_data_ptr<scalar_t>(),
        variance.mutable_data_ptr<scalar_t>(), from.numel());
    STD_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return {mean, variance};
}

} // namespace gpu_checks
