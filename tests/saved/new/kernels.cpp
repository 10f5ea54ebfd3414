#include <ATen/ATen.h>

#include <saved/NativeFunctions.h>

namespace saved::native {

at::Tensor argument_renamed(const at::Tensor & x, int64_t m) { return x + m; }
at::Tensor argument_added(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_inserted(const at::Tensor & x, int64_t m, int64_t n) { return x + n + 0 * m; }
at::Tensor required_argument_added(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_removed(const at::Tensor & x) { return x + 3; }
at::Tensor arguments_reordered(const at::Tensor & x, double b, int64_t a) { return x + a - b; }
at::Tensor argument_keyword_only(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_positional(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor argument_type_widened(const at::Tensor & x, ::std::optional<int64_t> n) { return x + n.value(); }
at::Tensor argument_type_changed(const at::Tensor & x, at::IntArrayRef n) { return x + n[0]; }
at::Tensor default_added(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor default_removed(const at::Tensor & x, int64_t n) { return x + n; }
at::Tensor default_changed(const at::Tensor & x, int64_t n) { return x + n; }
::std::tuple<at::Tensor, at::Tensor> result_added(const at::Tensor & x) { return std::make_tuple(x + 1, x + 2); }
at::Tensor result_renamed(const at::Tensor & x) { return x + 1; }
at::Tensor result_type_narrowed(const at::Tensor & x) { return x + 1; }
at::Tensor argument_alias_changed(const at::Tensor & x, at::Tensor & y) { return x + y; }
at::Tensor declaration_named(const at::Tensor & x) { return x + 1; }

} // namespace saved::native
