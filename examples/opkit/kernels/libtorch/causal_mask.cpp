#include "../causal_mask.h"

namespace opkit {

at::Tensor native::causal_mask_symint(
    c10::SymInt size, std::optional<c10::SymInt> window, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
    std::optional<at::Device> device, std::optional<bool> pin_memory) {
  return mask_of_size(size, window, dtype, layout, device, pin_memory);
}

} // namespace opkit
