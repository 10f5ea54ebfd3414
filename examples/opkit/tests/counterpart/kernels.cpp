// Kernels of operators that have opkit's names but compute other values.
#include <cmath>

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>

#include <counterpart/NativeFunctions.h>

namespace counterpart {

void meta::structured_soft_cap::meta(const at::Tensor& self, const at::Scalar& /*cap*/) {
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

namespace native {

// cap * x / (cap + |x|)
void structured_soft_cap_out::impl(const at::Tensor& /*self*/, const at::Scalar& cap, const at::Tensor& /*out*/) {
  AT_DISPATCH_FLOATING_TYPES(common_dtype(), "soft_cap", [&] {
    const auto limit = cap.to<scalar_t>();
    at::native::cpu_kernel(*this, [limit](scalar_t x) -> scalar_t { return limit * x / (limit + std::abs(x)); });
  });
}

// Not a norm.
at::Tensor rms_norm(const at::Tensor& input, const at::Tensor& weight, double /*eps*/) {
  return input * weight;
}

// [..., size * heads] as [..., heads, size]
at::Tensor split_heads_symint(const at::Tensor& self, c10::SymInt num_heads) {
  auto sizes = self.sym_sizes().vec();
  sizes.back() = sizes.back() / num_heads;
  sizes.push_back(num_heads);
  return self.view_symint(sizes).transpose(-1, -2);
}

// The mask of the later positions.
at::Tensor causal_mask_symint(
    c10::SymInt size, std::optional<c10::SymInt> /*window*/, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
    std::optional<at::Device> device, std::optional<bool> pin_memory) {
  const auto options = at::TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
  return at::ones_symint({size, size}, options).triu(1);
}

} // namespace native
} // namespace counterpart
