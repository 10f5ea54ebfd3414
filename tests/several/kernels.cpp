// The kernels of all namespaces of the library.
#include <several_attention/NativeFunctions.h>
#include <several_cache/NativeFunctions.h>
#include <several_norm/NativeFunctions.h>

#include <ATen/ATen.h>

namespace several_norm::native {

at::Tensor scaled(const at::Tensor& self, double factor) {
  return self * factor;
}

at::Tensor shifted(const at::Tensor& self, double by) {
  return self + by;
}

} // namespace several_norm::native

namespace several_cache::native {

at::Tensor& append_(at::Tensor& self, const at::Tensor& value, int64_t at) {
  TORCH_CHECK(at >= 0 && at < self.size(0), "append_: there is no row ", at);
  self.select(0, at).copy_(value);
  return self;
}

at::Tensor rows(const at::Tensor& self) {
  return at::full({}, self.size(0), self.options().dtype(at::kLong));
}

} // namespace several_cache::native

namespace several_attention::native {

at::Tensor scores(const at::Tensor& query, const at::Tensor& key) {
  return query.matmul(key.t());
}

} // namespace several_attention::native
