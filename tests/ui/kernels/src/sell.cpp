#include <shop/NativeFunctions.h>

namespace shop::native {

// at::Tensor sell_meta(const at::Tensor& stock, int64_t count, std::optional<double> price) { return stock; }
at::Tensor sell_cpu(const at::Tensor& stock, int64_t count,
                    std::optional<float> price) {
  return stock;
}

static std::tuple<at::Tensor, at::Tensor> weigh(at::TensorList goods, c10::string_view unit) {
  return {goods[0], goods[0]};
}

at::Tensor sell_cuda(const at::Tensor& stock) {
  return stock;
}

} // namespace shop::native
