// seeded_dropout. The stable ABI has Generator since torch 2.13.
#include "../common.h"

namespace opkit::native {

std::tuple<Tensor, Tensor> seeded_dropout_meta(const Tensor& self, double p, bool /*train*/, std::optional<at::Generator> /*generator*/) {
  TORCH_CHECK(at::isFloatingType(self.scalar_type()), "seeded_dropout: self must be floating point, is ", self.scalar_type());
  TORCH_CHECK(p >= 0 && p <= 1, "seeded_dropout: p must be between 0 and 1, is ", p);
  return {at::empty_symint(self.sym_sizes(), self.options()), at::empty_symint(self.sym_sizes(), self.options().dtype(at::kBool))};
}

std::tuple<Tensor, Tensor> seeded_dropout_cpu(const Tensor& self, double p, bool train, std::optional<at::Generator> generator) {
  auto [output, mask] = seeded_dropout_meta(self, p, train, generator);
  if (!train) {
    output.copy_(self);
    mask.fill_(true);
    return {output, mask};
  }
  mask.bernoulli_(1 - p, std::move(generator));
  at::mul_out(output, self, mask);
  output.mul_(p == 1 ? 0.0 : 1 / (1 - p));
  return {output, mask};
}

} // namespace opkit::native
