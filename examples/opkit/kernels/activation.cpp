// silu_and_mul, gelu_tanh_and_mul, soft_cap, swish: elementwise, with any strides.
#include <cmath>

#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>

#include "common.h"

namespace opkit {
namespace {

// The shape of the product of the two halves of each row.
std::vector<c10::SymInt> gated_sizes(const at::Tensor& input, const char* name) {
  TORCH_CHECK(input.dim() >= 1, name, ": input needs at least one dimension");
  TORCH_CHECK(at::isFloatingType(input.scalar_type()), name, ": input must be floating point, is ", input.scalar_type());
  const auto width = input.sym_size(-1);
  TORCH_SYM_CHECK((width % 2).sym_eq(0), name, ": the last dimension must be even, is ", width);
  auto sizes = input.sym_sizes().vec();
  sizes.back() = width / 2;
  return sizes;
}

template <typename acc_t>
acc_t silu(acc_t x) {
  return x / (acc_t(1) + std::exp(-x));
}

template <typename acc_t>
acc_t gelu_tanh(acc_t x) {
  const auto inner = acc_t(M_SQRT2 * M_2_SQRTPI * 0.5) * (x + acc_t(0.044715) * x * x * x);
  return acc_t(0.5) * x * (acc_t(1) + std::tanh(inner));
}

} // namespace

namespace meta {

void structured_silu_and_mul::meta(const at::Tensor& input) {
  set_output_raw_strided(0, gated_sizes(input, "silu_and_mul"), {}, input.options());
}

void structured_soft_cap::meta(const at::Tensor& self, const at::Scalar& cap) {
  TORCH_CHECK(!cap.isComplex() && cap.toDouble() > 0, "soft_cap: cap must be a positive number, is ", cap);
  TORCH_CHECK(!self.is_complex(), "soft_cap: self must not be complex");
  build_borrowing_unary_float_op(maybe_get_output(), self);
}

} // namespace meta

namespace native {
namespace {

// out = activation(first half of each row) * second half
template <typename Activation>
void gate(const Tensor& input, const Tensor& out, Activation activation) {
  const auto width = out.size(-1);
  auto iterator = at::TensorIteratorConfig()
                      .add_owned_output(out)
                      .add_owned_const_input(input.narrow(-1, 0, width))
                      .add_owned_const_input(input.narrow(-1, width, width))
                      .resize_outputs(false)
                      .build();
  OPKIT_DISPATCH(input.scalar_type(), "gate", [&] {
    using acc_t = at::opmath_type<scalar_t>;
    at::native::cpu_kernel(iterator, [activation](scalar_t gate, scalar_t value) -> scalar_t {
      return static_cast<scalar_t>(activation(static_cast<acc_t>(gate)) * static_cast<acc_t>(value));
    });
  });
}

void soft_cap_kernel(at::TensorIteratorBase& iterator, const at::Scalar& cap) {
  OPKIT_DISPATCH(iterator.common_dtype(), "soft_cap", [&] {
    using acc_t = at::opmath_type<scalar_t>;
    const auto limit = cap.to<acc_t>();
    at::native::cpu_kernel(iterator, [limit](scalar_t x) -> scalar_t {
      return static_cast<scalar_t>(limit * std::tanh(static_cast<acc_t>(x) / limit));
    });
  });
}

} // namespace

void structured_silu_and_mul_out_cpu::impl(const Tensor& input, const Tensor& out) {
  gate(input, out, [](auto x) { return silu(x); });
}

void structured_silu_and_mul_out_privateuse1::impl(const Tensor& input, const Tensor& out) {
  gate(as_cpu(input), as_cpu(out), [](auto x) { return silu(x); });
}

Tensor gelu_tanh_and_mul_meta(const Tensor& input) {
  return at::empty_symint(gated_sizes(input, "gelu_tanh_and_mul"), input.options());
}

Tensor gelu_tanh_and_mul_cpu(const Tensor& input) {
  auto out = gelu_tanh_and_mul_meta(input);
  gate(input, out, [](auto x) { return gelu_tanh(x); });
  return out;
}

void structured_soft_cap_out_cpu::impl(const Tensor& /*self*/, const at::Scalar& cap, const Tensor& /*out*/) {
  soft_cap_kernel(*this, cap);
}

// The CPU can read the iterator's addresses: see as_cpu.
void structured_soft_cap_out_privateuse1::impl(const Tensor& /*self*/, const at::Scalar& cap, const Tensor& /*out*/) {
  soft_cap_kernel(*this, cap);
}

Tensor swish(const Tensor& self, const std::optional<Tensor>& beta) {
  return self * at::sigmoid(beta.has_value() ? self * *beta : self);
}

} // namespace native
} // namespace opkit
