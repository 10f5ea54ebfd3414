#include "kernels.h"

namespace counter {

namespace {

void copy_row(const float* from, float* to, int length) {
  for (int i = 0; i < length; ++i) {
    to[i] = from[i];
  }
}

} // namespace

at::Tensor sell(const at::Tensor& x, double price) {
  return x * price;
}

void ramp(at::Tensor out, int start) {
  auto values = out.accessor<float, 1>();
  for (int i = 0; i < out.size(0); ++i) {
    values[i] = static_cast<float>(start + i);
  }
}

void scale_into(const at::Tensor& x, at::Tensor& out, float by) {
  at::mul_out(out, x, at::scalar_tensor(by));
}

at::Tensor& clip_(at::Tensor& x, double low, double high) {
  x.clamp_(low, high);
  return x;
}

std::vector<at::Tensor> thirds(const at::Tensor& x) {
  auto whole = x / 3;
  return {whole, whole.clone(), x - 2 * whole};
}

std::vector<at::Tensor> pieces(const at::Tensor& x, int64_t size) {
  std::vector<at::Tensor> result;
  for (const auto& piece : x.split(size)) {
    result.push_back(piece.clone());
  }
  return result;
}

std::pair<at::Tensor, int> extremes(at::Tensor x) {
  TORCH_CHECK(x.is_cpu(), "x must be on the CPU");
  return {at::stack({x.min(), x.max()}), static_cast<int>(x.numel())};
}

at::Tensor weighted(const at::Tensor& x, const std::optional<at::Tensor>& weight, const std::string& mode, bool twice) {
  auto result = weight.has_value() ? x * *weight : x.clone();
  result = mode == "sum" ? result.sum() : result.mean();
  return twice ? 2 * result : result;
}

at::Tensor window(const at::Tensor& x, std::vector<int> sizes, std::optional<float> fill) {
  auto result = at::full({sizes.at(0), sizes.at(1)}, fill.value_or(-1), x.options());
  result.copy_(x.expand({sizes.at(0), sizes.at(1)}));
  return result;
}

void gather(std::vector<at::Tensor> rows, at::Tensor out) {
  for (size_t i = 0; i < rows.size(); ++i) {
    copy_row(rows[i].const_data_ptr<float>(), out.data_ptr<float>() + i * out.size(1), static_cast<int>(out.size(1)));
  }
}

int count(const at::Tensor& x, int64_t above) {
  return static_cast<int>((x > above).sum().item<int64_t>());
}

} // namespace counter
