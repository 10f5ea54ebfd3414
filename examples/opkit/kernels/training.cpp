// ema_update_, global_norm.
#include "common.h"

namespace opkit::native {

void ema_update_(TensorList self, TensorList values, double decay) {
  OPKIT_CHECK(self.size() == values.size(), "ema_update_: ", self.size(), " tensors to update, but ", values.size(), " values");
  for (size_t i = 0; i < self.size(); ++i) {
    move_towards(self[i], values[i], 1 - decay);
  }
}

Tensor global_norm(TensorList tensors, double p) {
  OPKIT_CHECK(!tensors.empty(), "global_norm: there must be one tensor at least");
  std::vector<Tensor> norms;
  norms.reserve(tensors.size());
  for (const auto& tensor : tensors) {
    norms.push_back(vector_norm(tensor, p));
  }
  return vector_norm(aten::stack(norms), p);
}

} // namespace opkit::native
