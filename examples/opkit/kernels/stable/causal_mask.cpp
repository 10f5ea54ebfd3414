#include "../causal_mask.h"

namespace opkit {

Tensor native::causal_mask_symint(
    int64_t size, std::optional<int64_t> window, std::optional<ScalarType> dtype, std::optional<Layout> layout,
    std::optional<Device> device, std::optional<bool> pin_memory) {
  return mask_of_size(size, window, dtype, layout, device, pin_memory);
}

} // namespace opkit
