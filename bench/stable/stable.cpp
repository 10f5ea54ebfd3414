#include <calls/NativeFunctions.h>

namespace calls {

Tensor native::nop(const Tensor& self) {
  return self;
}

Tensor native::five(const Tensor& self, int64_t, double, bool, const std::optional<Tensor>&) {
  return self;
}

} // namespace calls
