// What the kernels of tests/gpu/library need of CUDA, on the CPU: tests/torch/gpu.rs compiles them with this in place of
// nvcc's headers, and a launch as an object of class Launch. The threads of a block are threads, and blocks run one after
// the other, so that barriers and what a block shares mean the same.
#pragma once

#include <barrier>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

using std::sqrt;

#define __global__
#define __device__
// One for all threads, since one block runs at a time.
#define __shared__ static

struct Index {
  unsigned x;
};

namespace host {

inline thread_local Index block{0};
inline thread_local Index thread{0};
inline thread_local std::barrier<>* barrier = nullptr;

} // namespace host

#define blockIdx host::block
#define threadIdx host::thread

struct BlockSize {
  unsigned x;
};
inline thread_local BlockSize blockDim{0};

inline void __syncthreads() {
  host::barrier->arrive_and_wait();
}

using cudaStream_t = void*;
using cudaError_t = int;

inline cudaError_t cudaGetLastError() {
  return 0;
}

// Torch's functions, which a torch without CUDA lacks.
inline int aoti_torch_get_current_cuda_stream(int32_t, void** stream) {
  *stream = nullptr;
  return 0;
}
inline void torch_c10_cuda_check_msg(int32_t, const char*, const char*, uint32_t, bool, char**) {}
inline void torch_c10_cuda_free_error_msg(char*) {}

namespace host {

// `kernel<<<blocks, threads, memory, stream>>>(…)` is `Launch{blocks, threads, memory, stream}.run([&] { kernel(…); })`.
struct Launch {
  unsigned blocks;
  unsigned threads;
  unsigned memory;
  cudaStream_t stream;

  template <typename Kernel>
  void run(const Kernel& kernel) const {
    std::barrier<> all(threads);
    std::vector<std::thread> running;
    for (unsigned number = 0; number < threads; ++number) {
      running.emplace_back([&, number] {
        host::thread.x = number;
        blockDim.x = threads;
        host::barrier = &all;
        for (unsigned at = 0; at < blocks; ++at) {
          host::block.x = at;
          kernel();
          all.arrive_and_wait();
        }
      });
    }
    for (std::thread& one : running) {
      one.join();
    }
  }
};

} // namespace host
