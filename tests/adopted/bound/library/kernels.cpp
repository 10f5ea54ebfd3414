#include "kernels.h"

#include <torch/csrc/autograd/custom_function.h>

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

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Scaled : public torch::autograd::Function<Scaled> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& by, double rate) {
    ctx->save_for_backward({x, by});
    ctx->saved_data["rate"] = rate;
    return x * by * rate;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto it = saved.begin();
    auto x = *it++;
    auto by = *it++;
    const auto weighted = grads[0] * ctx->saved_data["rate"].toDouble();
    at::Tensor of_x;
    if (ctx->needs_input_grad(0)) {
      of_x = weighted * by;
    }
    return {of_x, weighted * x, at::Tensor()};
  }
};

struct Mixed : public torch::autograd::Function<Mixed> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& w) {
    ctx->save_for_backward({x, w});
    return {x.tanh() * w};
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto [of_x, of_w] = mixed_backward(grads[0], saved[0], saved[1]);
    return {of_x, of_w};
  }
};

at::Tensor scaled(const at::Tensor& x, const at::Tensor& by, double rate) {
  return Scaled::apply(x, by, rate);
}

at::Tensor mixed(const at::Tensor& x, const at::Tensor& w) {
  auto result = Mixed::apply(x, w);
  return result[0];
}

std::tuple<at::Tensor, at::Tensor> mixed_backward(const at::Tensor& grad, const at::Tensor& x, const at::Tensor& w) {
  auto tanh = x.tanh();
  return {grad * w * (1 - tanh * tanh), grad * tanh};
}

} // namespace counter
