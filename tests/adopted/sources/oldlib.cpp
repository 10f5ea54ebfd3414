// A library that registers itself, as extensions do: kernels in an unnamed namespace, templates and lambdas.
#include <torch/library.h>

namespace {

at::Tensor scale(const at::Tensor& x, double by) {
  return x * by;
}

at::Tensor scale_autograd(const at::Tensor& x, double by) {
  return scale(x, by);
}

template <int N>
at::Tensor power(const at::Tensor& x) {
  return x.pow(N);
}

at::Tensor norm(const at::Tensor& x) {
  return x.norm();
}

} // namespace

TORCH_LIBRARY(oldlib, m) {
  m.def("scale(Tensor x, float by=2.) -> Tensor");
  m.def("power(Tensor x) -> Tensor");
  m.def("norm(Tensor x) -> Tensor", &norm);
  m.def("total(Tensor[] xs, int[][] sizes) -> Tensor");
  m.def(broken());
#ifdef WITH_CUDA
  m.def("fast_scale(Tensor x, float by=2.) -> Tensor");
#endif
}

TORCH_LIBRARY_IMPL(oldlib, CPU, m) {
  m.impl("scale", &scale);
  m.impl("power", TORCH_FN(power<3>));
  m.impl("total", [](at::TensorList xs, const c10::List<std::vector<int64_t>>&) { return xs[0].clone(); });
  m.impl("gone", &norm);
}

TORCH_LIBRARY_IMPL(oldlib, Autograd, m) {
  m.impl("scale", &scale_autograd);
}

TORCH_LIBRARY_IMPL(oldlib, Meta, m) {
  m.impl("power", [](const at::Tensor& x) { return at::empty_like(x); });
}
