// What the kernels share: how they are launched, and the sum of a block.
#pragma once

#include <cuda_runtime.h>

#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/ops.h>

#include <gpu_checks/Portable.h>

namespace gpu_checks {
namespace {

constexpr unsigned kThreads = 256;

inline unsigned blocks_for(int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

// The stream that is current on the tensor's device, which the generated code made current.
inline cudaStream_t stream_of(const torch::stable::Tensor& tensor) {
  void* stream = nullptr;
  TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(tensor.get_device_index(), &stream));
  return static_cast<cudaStream_t>(stream);
}

// The sum of a value of each thread of the block, for all of them. `parts` has kThreads elements.
__device__ inline double sum_of_block(double value, double* parts) {
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    __syncthreads();
  }
  const double sum = parts[0];
  __syncthreads();
  return sum;
}

} // namespace
} // namespace gpu_checks
