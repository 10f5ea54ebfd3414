// pad_to_multiple. The stable ABI has no Scalar.
#include <ATen/WrapDimUtils.h>

#include "../common.h"

namespace opkit::native {

Tensor pad_to_multiple_symint(const Tensor& self, c10::SymInt multiple, int64_t dim, const at::Scalar& value) {
  TORCH_SYM_CHECK(multiple.sym_gt(0), "pad_to_multiple: multiple must be positive, is ", multiple);
  dim = at::maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  const auto size = self.sym_size(dim);
  const auto missing = (multiple - size % multiple) % multiple;
  // Pairs of padding before and after, starting at the last dimension.
  std::vector<c10::SymInt> pads(2 * (self.dim() - dim), 0);
  pads.back() = missing;
  return at::constant_pad_nd_symint(self, pads, value);
}

} // namespace opkit::native
