// The kernels of backend.yaml. The device's memory is the CPU's, so the kernels access it directly.
#include <ATen/ATen.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/DispatchStub.h>

#include "generated/OwnNativeFunctions.h"
#include "own/answer.h"

namespace {

at::Tensor on_cpu(const at::Tensor& t) {
  if (t.is_cpu()) {
    return t;
  }
  return at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

} // namespace

namespace own {

at::Tensor negated(const at::Tensor& self) {
  at::Tensor out = at::empty_like(self);
  auto there = on_cpu(out);
  at::neg_out(there, on_cpu(self));
  return out;
}

} // namespace own

namespace own::kernels {

using Kernels = OwnNativeFunctions;

void Kernels::structured_maximum_out::impl(
    const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) {
  auto there = on_cpu(out);
  at::maximum_out(there, on_cpu(self), on_cpu(other));
}

void Kernels::structured_mul_out::meta(const at::Tensor& self, const at::Tensor& other) {
  TORCH_CHECK(self.dim() < 5, "own meta function: too many dimensions");
  build_borrowing_binary_op(maybe_get_output(), self, other);
}

void Kernels::structured_mul_out::impl(
    const at::Tensor& self, const at::Tensor& other, const at::Tensor& out) {
  auto there = on_cpu(out);
  at::mul_out(there, on_cpu(self), on_cpu(other));
}

void Kernels::structured_sort_values_stable::impl(
    const at::Tensor& self, std::optional<bool> stable, int64_t dim, bool descending,
    const at::Tensor& values, const at::Tensor& indices) {
  auto values_there = on_cpu(values);
  auto indices_there = on_cpu(indices);
  at::sort_out(values_there, indices_there, on_cpu(self), stable, dim, descending);
}

void Kernels::structured_index_add_out::impl(
    const at::Tensor& self, int64_t dim, const at::Tensor& index, const at::Tensor& source,
    const at::Scalar& alpha, const at::Tensor& out) {
  auto there = on_cpu(out);
  at::index_add_out(there, on_cpu(self), dim, on_cpu(index), on_cpu(source), alpha);
}

at::Tensor Kernels::relu(const at::Tensor& self) {
  at::Tensor out = at::empty_like(self);
  auto there = on_cpu(out);
  at::relu_out(there, on_cpu(self));
  return out;
}

// For matrices only.
at::Tensor Kernels::matmul(const at::Tensor& self, const at::Tensor& other) {
  at::Tensor out = at::empty({self.size(0), other.size(1)}, self.options());
  auto there = on_cpu(out);
  at::mm_out(there, on_cpu(self), on_cpu(other));
  return out;
}

} // namespace own::kernels

namespace own::native {

at::Tensor scaled_sum(const at::Tensor& a, const at::Tensor& b, double scale) {
  at::Tensor out = at::empty_like(a);
  auto there = on_cpu(out);
  at::add_out(there, on_cpu(b), on_cpu(a), scale);
  return out;
}

at::Tensor scaled_sum_meta(const at::Tensor& a, const at::Tensor& b, double scale) {
  return at::empty_like(a);
}

} // namespace own::native

extern "C" int own_guards() {
  return own::guards;
}

extern "C" int own_checks() {
  return own::checks;
}

// Calls an operator as compiled code does: through the C API, with handles.
extern "C" bool own_through_shim() {
  const auto options = at::TensorOptions(at::kPrivateUse1);
  at::Tensor a = at::full({2, 3}, 3, options), b = at::full({3}, 5, options);
  AtenTensorHandle made = nullptr;
  const auto code = aoti_torch_simulator_mul_Tensor(
      torch::aot_inductor::tensor_pointer_to_tensor_handle(&a), torch::aot_inductor::tensor_pointer_to_tensor_handle(&b), &made);
  TORCH_CHECK(code == AOTI_TORCH_SUCCESS && made != nullptr);
  const at::Tensor& product = *torch::aot_inductor::tensor_handle_to_tensor_pointer(made);
  const bool right = product.device() == a.device() && at::equal(product.cpu(), at::full({2, 3}, 15, at::kFloat));
  aoti_torch_delete_tensor_object(made);
  return right;
}

namespace at::native {

static void add_kernel(TensorIteratorBase& iter, const Scalar& alpha) {
  auto there = on_cpu(iter.output(0));
  at::add_out(there, on_cpu(iter.input(0)), on_cpu(iter.input(1)), alpha);
}

REGISTER_PRIVATEUSE1_DISPATCH(add_stub, &add_kernel)

} // namespace at::native
