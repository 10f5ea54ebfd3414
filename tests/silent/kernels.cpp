#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <silent/Functions.h>
#include <silent/NativeFunctions.h>

namespace {

std::string sizes(const at::Tensor &x) {
  std::string text = "a tensor with so many sizes that no short string holds them:";
  for (auto size : x.sizes()) {
    text += " " + std::to_string(size);
  }
  return text;
}

struct Cube : torch::autograd::Function<Cube> {
  static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &x) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x});
    return silent::cube(x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                 torch::autograd::variable_list grads) {
    auto x = context->get_saved_variables()[0];
    return {grads[0] * 3 * x * x};
  }
};

// The gradients show which function computed them.
struct Squared : torch::autograd::Function<Squared> {
  static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &x) {
    at::AutoDispatchBelowADInplaceOrView below;
    context->save_for_backward({x});
    return silent::squared(x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * 2 * context->get_saved_variables()[0]};
  }
};

struct Tripled : torch::autograd::Function<Tripled> {
  static at::Tensor forward(torch::autograd::AutogradContext *, const at::Tensor &x) {
    at::AutoDispatchBelowADInplaceOrView below;
    return silent::tripled(x);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * 3};
  }
};

} // namespace

namespace silent::native {

std::string described(const at::Tensor &x) { return sizes(x); }

std::vector<std::string> words(const at::Tensor &x, c10::string_view word) {
  return std::vector<std::string>(x.numel(), std::string(word) + sizes(x));
}

std::optional<std::string> maybe(const at::Tensor &x, bool some) {
  return some ? std::make_optional(sizes(x)) : std::nullopt;
}

std::tuple<at::Tensor, std::string> named(const at::Tensor &x) { return {x.clone(), sizes(x)}; }

at::Tensor kinds(const at::Tensor &x, at::ScalarType a, at::ScalarType, std::optional<at::ScalarType>) {
  return x.to(a);
}

std::string repeated(c10::string_view word, int64_t times) {
  std::string text;
  for (int64_t i = 0; i < times; i++) {
    text += word;
  }
  return text;
}

at::Tensor cube(const at::Tensor &x) { return x * x * x; }

at::Tensor cube_autograd(const at::Tensor &x) { return Cube::apply(x); }

at::Tensor cube_autocast(const at::Tensor &x) {
  c10::impl::ExcludeDispatchKeyGuard without(c10::DispatchKey::AutocastCPU);
  return silent::cube(at::autocast::cached_cast(at::kBFloat16, x, c10::DeviceType::CPU));
}

at::Tensor cube_decomposed(const at::Tensor &x) { return x * x * x; }

at::Tensor squared(const at::Tensor &x) { return x * x; }

at::Tensor squared_autograd(const at::Tensor &x) { return Squared::apply(x); }

at::Tensor tripled(const at::Tensor &x) { return x * 3; }

at::Tensor tripled_autograd(const at::Tensor &x) { return Tripled::apply(x); }

at::Tensor padded(const at::Tensor &x, int64_t n) { return at::constant_pad_nd(x, {0, n}); }

at::Tensor padded_meta_symint(const at::Tensor &x, c10::SymInt n) { return x.new_empty_symint({x.sym_size(0) + n}); }

at::Tensor halved(const at::Tensor &x) { return x * 0.5; }

at::Tensor halved_cpu(const at::Tensor &x) { return x / 2; }

void increase_(at::Tensor &self) { self.add_(1); }

at::Tensor times(const at::Tensor &self, double by) { return self * by; }

at::Tensor &times_out(const at::Tensor &self, double by, at::Tensor &out) { return out.copy_(self * by); }

// Each value is a number of the first result.
std::tuple<at::Tensor, at::Tensor> blend(
    const at::Tensor &x, const std::optional<at::Tensor> &t, const std::optional<at::Tensor> &none,
    int64_t a, std::optional<int64_t> b, std::optional<double> c, std::optional<bool> d,
    std::string_view e, std::optional<std::string_view> f, at::ScalarType g,
    std::optional<at::ScalarType> h, at::IntArrayRef i, at::OptionalIntArrayRef j,
    at::ArrayRef<double> k, std::array<bool, 3> l, at::TensorList m,
    const c10::List<std::optional<at::Tensor>> &n, std::optional<at::TensorList> o, at::Device p,
    std::optional<at::Device> q, bool r, int64_t s, at::Layout u, at::MemoryFormat w) {
  at::Tensor result = x.clone();
  float *values = result.mutable_data_ptr<float>();
  if (*values < 0) {
    throw std::runtime_error("a negative number");
  }
  const auto put = [&values](auto value) { *values++ = static_cast<float>(value); };
  put(t.has_value() ? t->numel() : -1);
  put(none.has_value());
  put(a);
  put(b.value_or(-1));
  put(c.value_or(-1));
  put(d.value_or(false));
  put(e.size());
  put(f.has_value() ? static_cast<int64_t>(f->size()) : -1);
  put(g);
  put(h.has_value() ? static_cast<int>(*h) : -1);
  for (const auto number : i) {
    put(number);
  }
  for (const auto number : j.has_value() ? *j : i) {
    put(number);
  }
  for (const auto number : k) {
    put(number);
  }
  for (const auto flag : l) {
    put(flag);
  }
  for (const auto &tensor : m) {
    put(tensor.numel());
  }
  for (const std::optional<at::Tensor> tensor : n) {
    put(tensor.has_value() ? tensor->numel() : -1);
  }
  put(o.has_value() ? static_cast<int64_t>(o->size()) : -1);
  put(p.type());
  put(q.has_value() ? static_cast<int>(q->type()) : -1);
  put(r);
  put(s);
  put(u);
  put(w);
  return {result, x * 2};
}

} // namespace silent::native

namespace silent::native {
namespace {

at::Tensor hidden(const at::Tensor &x, double by) { return x * by; }

} // namespace
} // namespace silent::native

static at::Tensor hidden_meta(const at::Tensor &x, double) { return at::empty_like(x); }

#include <silent/registrations/hidden_CPU.h>
#include <silent/registrations/hidden_Meta.h>
