#include <visionkit/ops/_cuda_version_native.h>

namespace visionkit::native {

// The library has no kernels for CUDA.
int64_t cuda_version() {
  return -1;
}

} // namespace visionkit::native
