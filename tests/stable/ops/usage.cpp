// Calls as people write them: braced lists, literals, left-out defaults. usage.py checks the values.

#include "stable_ops.h"

#include <torch/csrc/stable/library.h>

namespace sd = torch::stable::detail;
using torch::stable::Tensor;

static Tensor calls(const Tensor& x) {
  Tensor a = aten::cumsum(x, 0);
  a = aten::cumsum(a, -1, aten::ScalarType::Double);
  a = aten::sum(a, {0}, true);
  a = aten::sum(a, 1);
  a = aten::cat({a, a});
  std::vector<int64_t> sizes{2, 1};
  a = aten::view(a, sizes);
  a = aten::roll(a, 1, 0);
  a = aten::fft_fftshift(a);
  a = aten::fft_fftshift(a, 0);
  a = aten::fft_fftshift(a, {0, 1});
  a = aten::fft_fftshift(a, std::optional<std::vector<int64_t>>(std::vector<int64_t>{0}));
  auto [values, indices] = aten::topk(a, 1, 0);
  Tensor out = aten::empty({0});
  aten::mul_out(out, values, values);
  return aten::einsum("i,i->i", {aten::to(aten::flatten(out), aten::ScalarType::Float), aten::ones({1})});
}

// One overload takes a list and the other a text: zero in braces is a list.
static Tensor convolves(const Tensor& x, const Tensor& weight) {
  Tensor numbers = aten::conv1d(x, weight, std::nullopt, {1}, {0});
  Tensor named = aten::conv1d(x, weight, std::nullopt, {1}, "same");
  return aten::cat({numbers, named, aten::conv1d(x, weight)}, -1);
}

static Tensor fails(const Tensor& x) {
  auto [values, indices] = aten::topk(x, 1000);
  return values;
}

// Converts a dtype that the stable ABI cannot carry after tensors and a list: they must be released.
static int64_t releases(const Tensor& x) {
  int64_t failed = 0;
  for (int i = 0; i < 100; ++i) {
    try {
      aten::sum(x, {0}, false, static_cast<aten::ScalarType>(77));
    } catch (const std::exception&) {
      ++failed;
    }
  }
  return failed;
}

STABLE_TORCH_LIBRARY(usage, m) {
  m.def("calls(Tensor x) -> Tensor");
  m.def("convolves(Tensor x, Tensor weight) -> Tensor");
  m.def("fails(Tensor x) -> Tensor");
  m.def("releases(Tensor x) -> int");
}

STABLE_TORCH_LIBRARY_IMPL(usage, CompositeExplicitAutograd, m) {
  m.impl("calls", TORCH_BOX(&calls));
  m.impl("convolves", TORCH_BOX(&convolves));
  m.impl("fails", TORCH_BOX(&fails));
  m.impl("releases", TORCH_BOX(&releases));
}
