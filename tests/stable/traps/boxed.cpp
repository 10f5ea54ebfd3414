// The same kernels as libraries write them by hand: with TORCH_BOX, and with stacks that they fill.
// Each compiles, and each is wrong.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/tensor.h>

#include <array>
#include <vector>

using torch::stable::Tensor;

namespace {

namespace detail = torch::stable::detail;

// The bits of a double, read as a float.
float echo(float x) {
  return x;
}

int big(int x) {
  return x;
}

int maybe(std::optional<int> x) {
  return x.value_or(-7);
}

int64_t second(int64_t a) {
  return a;
}

torch::headeronly::HeaderOnlyArrayRef<int64_t> sizes(const Tensor& x) {
  const std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  return sizes;
}

// An int is not extended to 64 bits.
Tensor sums(const Tensor& x, int64_t dim) {
  const int narrow = static_cast<int>(dim);
  std::array<StableIValue, 3> stack{detail::from(x), detail::from(narrow), detail::from(std::nullopt)};
  if (torch_call_dispatcher("aten::cumsum", "", stack.data(), TORCH_ABI_VERSION) != 0) {
    throw std::runtime_error("aten::cumsum");
  }
  return detail::to<Tensor>(stack[0]);
}

} // namespace

STABLE_TORCH_LIBRARY(boxed, m) {
  m.def("echo(float x) -> float");
  m.def("big(int x) -> int");
  m.def("maybe(int? x=None) -> int");
  m.def("second(int a, int b) -> int");
  m.def("sizes(Tensor x) -> int[]");
  m.def("sums(Tensor x, int dim) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(boxed, CompositeExplicitAutograd, m) {
  m.impl("echo", TORCH_BOX(&echo));
  m.impl("big", TORCH_BOX(&big));
  m.impl("maybe", TORCH_BOX(&maybe));
  m.impl("second", TORCH_BOX(&second));
  m.impl("sizes", TORCH_BOX(&sizes));
  m.impl("sums", TORCH_BOX(&sums));
}
