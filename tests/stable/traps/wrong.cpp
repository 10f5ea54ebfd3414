// Kernels with other types: TORCH_BOX takes them, but the declarations are not theirs.
#include <traps/NativeFunctions.h>

namespace traps {

float native::echo(float x) {
  return x;
}

int native::big(int x) {
  return x;
}

int native::maybe(std::optional<int> x) {
  return x.value_or(-7);
}

int64_t native::second(int64_t a) {
  return a;
}

Tensor native::sums(const Tensor& x, int dim) {
  return x;
}

} // namespace traps
