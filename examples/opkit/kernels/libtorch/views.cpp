// split_heads, split_gates. A kernel on the stable ABI cannot return a view that autograd knows of.
#include "../common.h"

namespace opkit::native {

Tensor split_heads_symint(const Tensor& self, c10::SymInt num_heads) {
  TORCH_CHECK(self.dim() >= 1, "split_heads: self needs at least one dimension");
  TORCH_SYM_CHECK(num_heads.sym_gt(0), "split_heads: num_heads must be positive, is ", num_heads);
  const auto width = self.sym_size(-1);
  TORCH_SYM_CHECK((width % num_heads).sym_eq(0), "split_heads: ", width, " elements do not make ", num_heads, " heads");
  auto sizes = self.sym_sizes().vec();
  sizes.back() = num_heads;
  sizes.push_back(width / num_heads);
  return self.view_symint(sizes);
}

// The written heads, in the shape of their base.
Tensor merge_heads(const Tensor& base, const Tensor& mutated_view, c10::SymInt num_heads) {
  return mutated_view.reshape_symint(base.sym_sizes());
}

std::tuple<Tensor, Tensor> split_gates(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 1, "split_gates: self needs at least one dimension");
  const auto width = self.sym_size(-1);
  TORCH_SYM_CHECK((width % 2).sym_eq(0), "split_gates: the last dimension must be even, is ", width);
  return {self.narrow_symint(-1, 0, width / 2), self.narrow_symint(-1, width / 2, width / 2)};
}

} // namespace opkit::native
