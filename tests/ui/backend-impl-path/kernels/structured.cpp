using Kernels = shop::PrivateUse1NativeFunctions;

void Kernels::structured_buy_out::impl(int64_t count, const at::Tensor& self, const at::Tensor& out) {}

void Kernels::structured_lend_out::meta(const at::Tensor& self) {}

void Kernels::structured_lend_out::impl(const at::Tensor& self, const at::Tensor& out) {}

namespace shop {

at::Tensor PrivateUse1NativeFunctions::weigh(const at::Tensor& self) {
  return self;
}

} // namespace shop
