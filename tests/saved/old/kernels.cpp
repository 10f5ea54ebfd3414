#include <ATen/ATen.h>

#include <saved/NativeFunctions.h>

namespace saved::native {

at::Tensor argument_renamed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_added(const at::Tensor & x) { return x + 1; }
at::Tensor argument_inserted(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor required_argument_added(const at::Tensor & x) { return x + 1; }
at::Tensor argument_removed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor arguments_reordered(const at::Tensor & x, int64_t a, double b) { return x + a - b; }
at::Tensor argument_keyword_only(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_positional(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_type_widened(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_type_changed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor default_added(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor default_removed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor default_changed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor result_added(const at::Tensor & x) { return x + 1; }
at::Tensor result_renamed(const at::Tensor & x) { return x + 1; }
::std::optional<at::Tensor> result_type_narrowed(const at::Tensor & x) { return x + 1; }
at::Tensor argument_alias_changed(const at::Tensor & x, const at::Tensor & y) { return x + y; }
at::Tensor declaration_renamed(const at::Tensor & x) { return x + 1; }

} // namespace saved::native
