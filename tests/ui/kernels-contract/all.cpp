#include <shop/NativeFunctions.h>

namespace shop::native {

// stock.add_(1);
static void take(float* from, int64_t count) {
  from[0] -= count;
}

at::Tensor sell_cpu(const at::Tensor& x, const at::Tensor& stock, const ::std::optional<at::Tensor>& sold) {
#if 0
  x.zero_();
#endif
  take(stock.data_ptr<float>(), 1);
  if (sold.has_value()) {
    sold->add_(1);
  }
  return x.mul(2);
}

::std::tuple<at::Tensor, at::Tensor> lend(const at::Tensor& x, at::Tensor& book) {
  TORCH_CHECK(book.dim() == 1);
  return {x.clone(), book};
}

at::Tensor weigh(const at::Tensor& x) {
  at::Tensor flat = x.contiguous();
  return flat;
}

at::Tensor weigh_meta(const at::Tensor& x) {
  auto sizes = x.sizes();
  return at::empty({sizes[0], x.numel()}, x.options());
}

at::Tensor keep(const at::Tensor& x) {
  x.zero_();
  return x;
}

void pack(const c10::List<::std::optional<at::Tensor>>& boxes) {}

} // namespace shop::native
