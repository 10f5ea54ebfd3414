namespace shop {

// A structured kernel with its inputs exchanged.
void PrivateUse1NativeFunctions::structured_sell_out::impl(const at::Tensor& other, const at::Tensor& self, const at::Tensor& out) {}

// All three moved.
at::Tensor PrivateUse1NativeFunctions::buy(const at::Tensor& third, const at::Tensor& self, const at::Tensor& other) {
  return self;
}

// Without names, and with names of its own.
at::Tensor PrivateUse1NativeFunctions::lend(const at::Tensor&, const at::Tensor& /* self */) { return {}; }
at::Tensor PrivateUse1NativeFunctions::weigh(const at::Tensor& other, const at::Tensor& scale) { return other; }

// Only the numbers.
at::Tensor PrivateUse1NativeFunctions::count(const at::Tensor& self, const at::Tensor& other, int64_t b, int64_t a) {
  return self;
}

} // namespace shop
