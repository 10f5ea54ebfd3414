// rms_norm and silu_and_mul: on the stable ABI, structured kernels are functions, which get outputs
// that exist.
#include "../gating.h"
#include "../norm.h"

namespace opkit {

void native::rms_norm_out_cpu(const Tensor& input, const Tensor& weight, double eps, const Tensor& out) {
  check_weight(input, weight);
  rms_norm_rows(input, dim_size(input, -1), portable::contiguous(weight), eps, out);
}

void native::rms_norm_out_privateuse1(const Tensor& input, const Tensor& weight, double eps, const Tensor& out) {
  check_weight(input, weight);
  rms_norm_rows(as_cpu(input), dim_size(input, -1), portable::contiguous(as_cpu(weight)), eps, as_cpu(out));
}

void native::silu_and_mul_out_cpu(const Tensor& input, const Tensor& out) {
  gated_sizes(input, "silu_and_mul");
  gate(input, out, [](auto x) { return silu(x); });
}

void native::silu_and_mul_out_privateuse1(const Tensor& input, const Tensor& out) {
  gated_sizes(input, "silu_and_mul");
  gate(as_cpu(input), as_cpu(out), [](auto x) { return silu(x); });
}

} // namespace opkit
