#include <tools/NativeFunctions.h>
#include <tools/Portable.h>

namespace tools {

Tensor native::squared_relu_cpu(const Tensor& x) {
  const Tensor input = portable::contiguous(x);
  const Tensor output = portable::empty_like(input);
  TOOLS_DISPATCH_FLOATING(input.scalar_type(), "squared_relu", [&] {
    const scalar_t* from = input.const_data_ptr<scalar_t>();
    scalar_t* to = output.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < input.numel(); ++i) {
      const scalar_t positive = from[i] > 0 ? from[i] : 0;
      to[i] = positive * positive;
    }
  });
  return output;
}

} // namespace tools
