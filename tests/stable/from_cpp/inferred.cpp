// `def`s without a schema: torch infers it from the function.
#include <torch/library.h>

namespace shop {
namespace {

at::Tensor sell(const at::Tensor& goods, int64_t count, c10::optional<double> price) {
  return goods * price.value_or(1.0) * count;
}

void restock(at::Tensor& shelf, at::TensorList goods) {
  for (const auto& one : goods) shelf.add_(one);
}

std::tuple<at::Tensor, at::Tensor> weigh(const at::Tensor& goods, float scale) {
  return {goods * scale, goods};
}

int64_t twice(int64_t n) { return 2 * n; }
double twice(double x) { return 2 * x; }

}  // namespace

TORCH_LIBRARY(shop, m) {
  m.def("sell", &sell);
  m.def("restock", TORCH_FN(restock));
  m.def("weigh", &weigh);
  m.def("twice", &twice);
  m.def("pay", &till::pay);
  m.def("greet", [](std::string name) { return "hello " + name; });
  m.def("count(Tensor goods) -> int");
}

}  // namespace shop
