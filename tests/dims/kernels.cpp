// Kernels for both ABIs. They return empty tensors: tests look at the checks before them.
#include <dims_ops/NativeFunctions.h>
#include <dims_ops/Portable.h>

namespace dims_ops::native {

namespace {

Tensor nothing(const Tensor& like) {
  return portable::empty({0}, like);
}

} // namespace

Tensor linear(const Tensor& x, const Tensor&, const std::optional<Tensor>&) {
  return nothing(x);
}

Tensor softmax(const Tensor& x, int64_t) {
  return nothing(x);
}

Tensor gqa(const Tensor& q, const Tensor&) {
  return nothing(q);
}

Tensor segment(const Tensor& input, const Tensor&, int64_t) {
  return nothing(input);
}

Tensor unpack(const Tensor& x, const Tensor&) {
  return nothing(x);
}

Tensor cat(ArrayRef<Tensor> xs, ArrayRef<Tensor>, int64_t) {
  return nothing(xs[0]);
}

Tensor view_as(const Tensor& x, ArrayRef<int64_t>) {
  return nothing(x);
}

Tensor rope(const Tensor& q, const std::optional<Tensor>&, int64_t) {
  return nothing(q);
}

Tensor add3(const Tensor& x, const Tensor&, const Tensor&) {
  return nothing(x);
}

Tensor scale(const Tensor& x, const Tensor&) {
  return portable::empty_like(x);
}

Tensor norm(const Tensor& x, const Tensor&) {
  return nothing(x);
}

Tensor fixed(const Tensor& x) {
  return portable::empty_like(x);
}

void norm_out(Tensor&, const Tensor&) {}

} // namespace dims_ops::native
