// Kernels of the operators that tests/torch/names.rs writes, which differ in names only.
#include <spelled/NativeFunctions.h>

#include <torch/csrc/stable/ops.h>

namespace spelled::native {

namespace {

// A tensor like the other one, of one number.
Tensor filled(const Tensor& like, double value) {
  Tensor result = torch::stable::clone(like);
  torch::stable::fill_(result, value);
  return result;
}

double first(const Tensor& tensor) {
  return *tensor.const_data_ptr<double>();
}

} // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> results(const Tensor& x, const Tensor& y) {
  const double by = first(y);
  return {filled(x, first(x) * by), filled(x, by), filled(x, 10 * by), filled(x, 100 * by), filled(x, 1000 * by), filled(x, 10000 * by)};
}

Tensor numbers(const Tensor& x, double a, double b, double c, double d) {
  return filled(x, first(x) * (a + 10 * b + 100 * c + 1000 * d));
}

Tensor types(
    const Tensor& x,
    double number,
    Device,
    Layout,
    MemoryFormat,
    OptionalArrayRef<Tensor>,
    ScalarType,
    const Tensor& last) {
  return filled(x, number * first(last));
}

Tensor tensors(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
  return filled(a, first(a) + 10 * first(b) + 100 * first(c) + 1000 * first(d));
}

Tensor twice(const Tensor& x) {
  return filled(x, 2 * first(x));
}

Tensor& twice_(Tensor& self) {
  torch::stable::fill_(self, 2 * first(self));
  return self;
}

std::tuple<Tensor, std::optional<Tensor>> maybe(const Tensor& x, bool given) {
  return {filled(x, 2 * first(x)), given ? std::optional(filled(x, 3 * first(x))) : std::nullopt};
}

} // namespace spelled::native
