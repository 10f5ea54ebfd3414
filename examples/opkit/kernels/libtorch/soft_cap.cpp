// soft_cap: elementwise with any strides. The stable ABI has neither Scalar nor TensorIterator.
#include <cmath>

#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>

#include "../common.h"

namespace opkit {

namespace meta {

void structured_soft_cap::meta(const at::Tensor& self, const at::Scalar& cap) {
  TORCH_CHECK(!cap.isComplex() && cap.toDouble() > 0, "soft_cap: cap must be a positive number, is ", cap);
  TORCH_CHECK(!self.is_complex(), "soft_cap: self must not be complex");
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

} // namespace meta

namespace native {
namespace {

void soft_cap_kernel(at::TensorIteratorBase& iterator, const at::Scalar& cap) {
  OPKIT_DISPATCH_FLOATING_AND_HALF(iterator.common_dtype(), "soft_cap", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto limit = cap.to<acc_t>();
    at::native::cpu_kernel(iterator, [limit](scalar_t x) -> scalar_t {
      return static_cast<scalar_t>(limit * std::tanh(static_cast<acc_t>(x) / limit));
    });
  });
}

} // namespace

void structured_soft_cap_out_cpu::impl(const Tensor& /*self*/, const at::Scalar& cap, const Tensor& /*out*/) {
  soft_cap_kernel(*this, cap);
}

// The CPU can read the iterator's addresses: see as_cpu.
void structured_soft_cap_out_privateuse1::impl(const Tensor& /*self*/, const at::Scalar& cap, const Tensor& /*out*/) {
  soft_cap_kernel(*this, cap);
}

} // namespace native
} // namespace opkit
