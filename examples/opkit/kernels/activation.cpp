// gelu_tanh_and_mul, swish.
#include "gating.h"

namespace opkit::native {

Tensor gelu_tanh_and_mul_meta(const Tensor& input) {
  return make_empty(gated_sizes(input, "gelu_tanh_and_mul"), input);
}

Tensor gelu_tanh_and_mul_cpu(const Tensor& input) {
  auto out = gelu_tanh_and_mul_meta(input);
  gate(input, out, [](auto x) { return gelu_tanh(x); });
  return out;
}

Tensor swish(const Tensor& self, const std::optional<Tensor>& beta) {
  return aten::mul(self, aten::sigmoid(beta.has_value() ? aten::mul(self, *beta) : self));
}

} // namespace opkit::native
