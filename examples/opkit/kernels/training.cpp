// ema_update_, global_norm, seeded_dropout.
#include "common.h"

namespace opkit::native {

void ema_update_(at::TensorList self, at::TensorList values, double decay) {
  TORCH_CHECK(self.size() == values.size(), "ema_update_: ", self.size(), " tensors to update, but ", values.size(), " values");
  for (size_t i = 0; i < self.size(); ++i) {
    self[i].lerp_(values[i], 1 - decay);
  }
}

Tensor global_norm(at::TensorList tensors, double p) {
  TORCH_CHECK(!tensors.empty(), "global_norm: there must be one tensor at least");
  std::vector<Tensor> norms;
  norms.reserve(tensors.size());
  for (const auto& tensor : tensors) {
    norms.push_back(at::linalg_vector_norm(tensor, p));
  }
  return at::linalg_vector_norm(at::stack(norms), p);
}

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
