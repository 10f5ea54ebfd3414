// Kernels with the types that the stable ABI carries.
#include <carried/Functions.h>
#include <carried/NativeFunctions.h>

#include <torch/csrc/stable/ops.h>

#include <sstream>

namespace carried::native {

Tensor& scale_cpu_(Tensor& self, double by) {
  float* values = self.mutable_data_ptr<float>();
  for (int64_t i = 0; i < self.numel(); ++i) {
    values[i] = static_cast<float>(values[i] * by);
  }
  return self;
}

Tensor scale_cpu(const Tensor& self, double by) {
  Tensor result = torch::stable::clone(self);
  return scale_cpu_(result, by);
}

Tensor& scale_out_cpu(const Tensor& self, double by, Tensor& out) {
  torch::stable::copy_(out, self);
  return scale_cpu_(out, by);
}

void bump_(Tensor& self) {
  float* values = self.mutable_data_ptr<float>();
  for (int64_t i = 0; i < self.numel(); ++i) {
    values[i] += 1;
  }
}

std::string numbers(int64_t a, int64_t b, double c, bool d, std::string_view e) {
  std::ostringstream text;
  text << a << ' ' << b << ' ' << c << ' ' << d << ' ' << e;
  return text.str();
}

namespace {

template <class T>
void show(std::ostream& text, const T& value) {
  text << value << ' ';
}

void show(std::ostream& text, const Tensor& value) {
  text << "tensor" << value.numel() << ' ';
}

template <class T>
void show(std::ostream& text, const std::optional<T>& value) {
  if (value.has_value()) {
    show(text, *value);
  } else {
    text << "none ";
  }
}

template <class T>
void show(std::ostream& text, ArrayRef<T> values) {
  text << '[';
  for (const auto& value : values) {
    show(text, value);
  }
  text << "] ";
}

} // namespace

std::string optionals(
    const std::optional<Tensor>& t,
    std::optional<int64_t> a,
    std::optional<double> b,
    std::optional<bool> c,
    std::optional<std::string_view> d,
    std::optional<ScalarType> e,
    OptionalArrayRef<int64_t> f,
    OptionalArrayRef<Tensor> g) {
  std::ostringstream text;
  show(text, t);
  show(text, a);
  show(text, b);
  show(text, c);
  show(text, d);
  show(text, e.has_value() ? static_cast<int>(*e) : -1);
  if (f.has_value()) {
    show(text, *f);
  }
  if (g.has_value()) {
    show(text, *g);
  }
  return text.str();
}

std::string lists(
    ArrayRef<Tensor> a,
    ArrayRef<std::optional<Tensor>> b,
    ArrayRef<int64_t> c,
    ArrayRef<double> d,
    ArrayRef<bool> e,
    ArrayRef<std::string_view> f,
    ArrayRef<int64_t> g) {
  std::ostringstream text;
  show(text, a);
  show(text, b);
  show(text, c);
  show(text, d);
  show(text, e);
  show(text, f);
  show(text, g);
  return text.str();
}

std::tuple<ScalarType, Layout, Device, MemoryFormat> kinds(
    const Tensor& like,
    ScalarType dtype,
    Layout layout,
    Device device,
    MemoryFormat format) {
  return {dtype, layout, device, format};
}

std::tuple<Tensor, Tensor> split_cpu(const Tensor& self, int64_t at) {
  // Each result has memory of its own: the schema says that nothing is a view.
  const auto copy = [&](int64_t start, int64_t length) {
    Tensor part = self;
    return torch::stable::clone(torch::stable::narrow(part, 0, start, length));
  };
  return {copy(0, at), copy(at, self.size(0) - at)};
}

std::vector<Tensor> rows_cpu(const Tensor& self) {
  std::vector<Tensor> rows;
  Tensor whole = self;
  for (int64_t i = 0; i < self.size(0); ++i) {
    rows.push_back(torch::stable::clone(torch::stable::select(whole, 0, i)));
  }
  return rows;
}

std::tuple<int64_t, double, bool> counts_cpu(const Tensor& self) {
  return {self.numel(), self.numel() / 2.0, self.numel() > 0};
}

Tensor twice(const Tensor& self) {
  return carried::scale(carried::scale(self, 2), 1);
}

Tensor& shift_cpu_(Tensor& self, double by) {
  float* values = self.mutable_data_ptr<float>();
  for (int64_t i = 0; i < self.numel(); ++i) {
    values[i] += static_cast<float>(by);
  }
  return self;
}

std::tuple<Tensor, Tensor> halves_cpu(const Tensor& self) {
  const int64_t half = self.size(0) / 2;
  return split_cpu(self, half);
}

void accumulate_(ArrayRef<Tensor> self, ArrayRef<Tensor> values) {
  for (size_t i = 0; i < self.size(); ++i) {
    float* sums = self[i].mutable_data_ptr<float>();
    const float* more = values[i].const_data_ptr<float>();
    for (int64_t j = 0; j < self[i].numel(); ++j) {
      sums[j] += more[j];
    }
  }
}

Tensor count_cpu(Tensor& total, const Tensor& values) {
  total.mutable_data_ptr<float>()[0] += static_cast<float>(values.numel());
  return torch::stable::clone(total);
}

Tensor fails_cpu(const Tensor& self) {
  throw std::runtime_error("this kernel fails");
}

void tilt_out(const Tensor& self, double by, const Tensor& out) {
  const Tensor tilted = scale_cpu(self, by);
  torch::stable::copy_(const_cast<Tensor&>(out), tilted);
}

void ends_out(const Tensor& self, int64_t n, ArrayRef<Tensor> more, const Tensor& first, const Tensor& last) {
  STD_TORCH_CHECK(first.is_contiguous() && last.is_contiguous(), "outputs have gaps");
  STD_TORCH_CHECK(n == first.size(0) && more.size() == 1 && self.dim() == 2, "wrong arguments");
  float* values = first.mutable_data_ptr<float>();
  for (int64_t i = 0; i < first.numel(); ++i) {
    values[i] = static_cast<float>(i);
  }
  int64_t* numbers = last.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < last.numel(); ++i) {
    numbers[i] = -i;
  }
}

std::tuple<Tensor, Tensor> exported(
    const Tensor& x,
    const std::optional<Tensor>&,
    const std::optional<Tensor>&,
    int64_t,
    double,
    std::string_view,
    ScalarType,
    std::optional<ScalarType>,
    ArrayRef<int64_t>,
    ArrayRef<double>,
    ArrayRef<bool>,
    ArrayRef<std::string_view>,
    ArrayRef<Tensor>,
    bool) {
  return {torch::stable::clone(x), torch::stable::clone(x)};
}

// Each value is a number of the first result.
std::tuple<Tensor, Tensor> mixed(
    const Tensor& x,
    const std::optional<Tensor>& t,
    const std::optional<Tensor>& none,
    int64_t a,
    std::optional<int64_t> b,
    std::optional<double> c,
    std::optional<bool> d,
    std::string_view e,
    std::optional<std::string_view> f,
    ScalarType g,
    std::optional<ScalarType> h,
    ArrayRef<int64_t> i,
    OptionalArrayRef<int64_t> j,
    ArrayRef<double> k,
    ArrayRef<bool> l,
    ArrayRef<Tensor> m,
    ArrayRef<std::optional<Tensor>> n,
    OptionalArrayRef<Tensor> o,
    Device p,
    std::optional<Device> q,
    bool r,
    int64_t s,
    Layout u,
    MemoryFormat w) {
  Tensor result = torch::stable::clone(x);
  float* values = result.mutable_data_ptr<float>();
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
  for (const auto& tensor : m) {
    put(tensor.numel());
  }
  for (const auto& tensor : n) {
    put(tensor.has_value() ? tensor->numel() : -1);
  }
  put(o.has_value() ? static_cast<int64_t>(o->size()) : -1);
  put(p.type());
  put(q.has_value() ? static_cast<int>(q->type()) : -1);
  put(r);
  put(s);
  put(u);
  put(w);
  return {result, scale_cpu(x, 2)};
}

} // namespace carried::native

namespace carried::native {
namespace {

Tensor hidden_cpu(const Tensor& self, double by) {
  return scale_cpu(self, by);
}

} // namespace
} // namespace carried::native

#include <carried/registrations/hidden_CPU.h>
