// rms_norm and silu_and_mul: on libtorch's C++ API, structured kernels are classes, whose meta
// functions make the outputs.
#include "../gating.h"
#include "../norm.h"

namespace opkit {

namespace meta {

structured_rms_norm::meta_return_ty structured_rms_norm::meta(const at::Tensor& input, const at::Tensor& weight, double eps) {
  native::check_weight(input, weight);
  set_output_contiguous(0, input.sym_sizes(), input.options());
  return precompute_out<>().set_hidden_size(input.sym_size(-1)).set_weight(weight.contiguous());
}

void structured_silu_and_mul::meta(const at::Tensor& input) {
  set_output_raw_strided(0, native::gated_sizes(input, "silu_and_mul"), {}, input.options());
}

} // namespace meta

namespace native {

void structured_rms_norm_out_cpu::impl(
    const Tensor& input, int64_t hidden_size, const Tensor& weight, double eps, const Tensor& out) {
  rms_norm_rows(input, hidden_size, weight, eps, out);
}

void structured_rms_norm_out_privateuse1::impl(
    const Tensor& input, int64_t hidden_size, const Tensor& weight, double eps, const Tensor& out) {
  rms_norm_rows(as_cpu(input), hidden_size, as_cpu(weight), eps, as_cpu(out));
}

void structured_silu_and_mul_out_cpu::impl(const Tensor& input, const Tensor& out) {
  gate(input, out, [](auto x) { return silu(x); });
}

void structured_silu_and_mul_out_privateuse1::impl(const Tensor& input, const Tensor& out) {
  gate(as_cpu(input), as_cpu(out), [](auto x) { return silu(x); });
}

} // namespace native
} // namespace opkit
