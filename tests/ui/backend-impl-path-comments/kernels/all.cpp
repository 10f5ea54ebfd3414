namespace own {

at::Tensor PrivateUse1NativeFunctions::sell(const at::Tensor& self) {
  return self.clone();
}

// at::Tensor PrivateUse1NativeFunctions::buy(const at::Tensor& self);

#if 0 // later
at::Tensor PrivateUse1NativeFunctions::lend(const at::Tensor& self) {
  return self.clone();
}
#endif

const char* text = "PrivateUse1NativeFunctions::weigh(self)";

KERNEL at::Tensor (PrivateUse1NativeFunctions::count(const at::Tensor& self))

} // namespace own
