#include <shop/NativeFunctions.h>

namespace shop::native {

// Both arguments, each once; the state is marked.
at::Tensor both(const at::Tensor& x, const at::Tensor& other, at::Tensor& state) {
  state.add_(1);
  x.add_(other);
  at::relu_(x);
  at::mul_out(other, x, x);
  return x;
}

at::Tensor shelf(const at::Tensor& x, at::TensorList list, const std::optional<at::Tensor>& out) {
  const float* from = x.const_data_ptr<float>();
  auto rows = list[0].accessor<float, 2>();
  return x + from[0] + rows[0][0];
}

// x.add_(1), and x.data_ptr()
at::Tensor fine(const at::Tensor& x, at::Tensor y, at::Tensor& state) {
  y = y.clone();
  y.add_(1);
  at::Tensor copy = x.clone();
  copy.copy_(x);
  copy.x.add_(1);
  state.mul_(x);
  TORCH_CHECK(copy.data != nullptr, "x.add_(1), and x.data_ptr()");
  return y;
}

// The memory is that of the CPU.
at::Tensor host(const at::Tensor& x) {
  at::Tensor copy = x.cpu();
  return x + copy.const_data_ptr<float>()[0];
}

// The argument is another tensor by then.
at::Tensor tied(at::Tensor x) {
  at::Tensor order;
  std::tie(x, order) = at::sort(x);
  return x.mul_(2);
}

at::Tensor plain(const at::Tensor& x) {
  x.add_(1);
  return at::from_blob(x.data_ptr(), x.sizes());
}

} // namespace shop::native
