// The kernels with the types of their declarations.
#include <traps/NativeFunctions.h>
#include <traps/TorchOps.h>

namespace traps::native {

double echo(double x) {
  return x;
}

int64_t big(int64_t x) {
  return x;
}

int64_t maybe(std::optional<int64_t> x) {
  return x.value_or(-7);
}

int64_t second(int64_t a, int64_t b) {
  return b;
}

std::vector<int64_t> sizes(const Tensor& x) {
  return {x.sizes().begin(), x.sizes().end()};
}

Tensor sums(const Tensor& x, int64_t dim) {
  return aten::cumsum(x, dim);
}

} // namespace traps::native
