#include "types.h"

#include <signatures/NativeFunctions.h>
#include <torch/types.h>

at::Tensor &add_in_place(at::Tensor &self, at::Tensor other) { return self.add_(other); }

namespace signatures::native {

// The caller's tensor stays as it is.
EXPORTED torch::Tensor twice(torch::Tensor &x) {
  x = x.contiguous() * 2;
  return x;
}

torch::Tensor moved(torch::Tensor &&x) { return std::move(x) + 1; }

Text greet(const Text &name, std::optional<std::string> title) { return title ? *title + " " + name : name; }

double total(Numbers sizes, const std::optional<std::vector<int64_t>> &more,
             std::optional<std::vector<double>> scales) {
  sizes.insert(sizes.end(), more ? more->begin() : sizes.end(), more ? more->end() : sizes.end());
  double sum = 0;
  for (size_t i = 0; i < sizes.size(); i++) {
    sum += sizes[i] * (scales ? (*scales)[i] : 1);
  }
  return sum;
}

std::pair<HEADS_TENSOR, HEADS_TENSOR> concat(const std::vector<at::Tensor> &xs, int dim, std::optional<at::Tensor> last) {
  return {at::cat(xs, dim), last.value_or(xs[0]).clone()};
}

at::Tensor repeat(const HEADS_TENSOR x, const at::IntArrayRef &sizes) { return x.repeat(sizes); }

at::Tensor scaled(const at::Tensor &x, float by, const std::optional<at::ScalarType> &dtype) {
  return (x * by).to(dtype.value_or(x.scalar_type()));
}

at::Tensor plain(const at::Tensor &x, const at::Scalar &by) { return x * by; }

at::Tensor shift(const at::Tensor &x, int32_t by) { return x + by; }

at::Tensor shift(const at::Tensor &x, const at::Tensor &by) { return x + by; }

at::Tensor double_sparse(const at::Tensor &self) { return at::add(self, self); }

at::Tensor &double_sparse_out(const at::Tensor &self, at::Tensor &out) { return at::add_out(out, self, self); }

TORCH_IMPL_FUNC(doubled_out)(const at::Tensor &self, const at::Tensor &out) {
  at::mul_out(const_cast<at::Tensor &>(out), self, 2);
}

TORCH_IMPL_FUNC(both_out)(const at::Tensor &self, const at::Tensor &out) {
  at::mul_out(const_cast<at::Tensor &>(out), self, 2);
}

} // namespace signatures::native

namespace signatures::meta {

TORCH_META_FUNC(doubled)(const at::Tensor &self) { set_output_raw_strided(0, self.sym_sizes(), {}, self.options()); }

TORCH_META_FUNC(both)(const at::Tensor &self) { set_output_raw_strided(0, self.sym_sizes(), {}, self.options()); }

} // namespace signatures::meta
