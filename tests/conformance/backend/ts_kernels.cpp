// Kernels that lazy_ts.yaml lists under `supported` and `autograd`, which are not generated.
// They only have to be there.
#include <torch/csrc/lazy/generated/LazyNativeFunctions.h>

namespace torch::lazy {

[[noreturn]] void nothing();

at::Tensor LazyNativeFunctions::block_diag(at::TensorList tensors) { nothing(); }
at::Tensor LazyNativeFunctions::_copy_from(const at::Tensor& self, const at::Tensor& dst,
    bool non_blocking) { nothing(); }
at::Tensor LazyNativeFunctions::_copy_from_and_resize(const at::Tensor& self, const at::Tensor& dst) { nothing(); }
at::Tensor LazyNativeFunctions::diag_embed(const at::Tensor& self, int64_t offset, int64_t dim1,
    int64_t dim2) { nothing(); }
at::Tensor LazyNativeFunctions::diagonal_backward_symint(const at::Tensor& grad_output,
    c10::SymIntArrayRef input_sizes, int64_t offset, int64_t dim1, int64_t dim2) { nothing(); }
at::Tensor LazyNativeFunctions::empty_symint(c10::SymIntArrayRef size, ::std::optional<at::ScalarType> dtype,
    ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory,
    ::std::optional<at::MemoryFormat> memory_format) { nothing(); }
at::Tensor LazyNativeFunctions::new_empty_strided_symint(const at::Tensor& self, c10::SymIntArrayRef size,
    c10::SymIntArrayRef stride, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout,
    ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) { nothing(); }
at::Tensor LazyNativeFunctions::empty_strided_symint(c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
    ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device,
    ::std::optional<bool> pin_memory) { nothing(); }
at::Tensor& LazyNativeFunctions::fill_(at::Tensor& self, const at::Scalar& value) { nothing(); }
at::Tensor& LazyNativeFunctions::logsumexp_out(const at::Tensor& self, at::IntArrayRef dim, bool keepdim,
    at::Tensor& out) { nothing(); }
at::Tensor LazyNativeFunctions::max_pool3d(const at::Tensor& self, at::IntArrayRef kernel_size,
    at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool ceil_mode) { nothing(); }
at::Tensor LazyNativeFunctions::narrow_copy_symint(const at::Tensor& self, int64_t dim, c10::SymInt start,
    c10::SymInt length) { nothing(); }
at::Tensor LazyNativeFunctions::pixel_shuffle(const at::Tensor& self, int64_t upscale_factor) { nothing(); }
at::Tensor LazyNativeFunctions::pixel_unshuffle(const at::Tensor& self, int64_t downscale_factor) { nothing(); }
at::Tensor LazyNativeFunctions::select_backward_symint(const at::Tensor& grad_output,
    c10::SymIntArrayRef input_sizes, int64_t dim, c10::SymInt index) { nothing(); }
at::Tensor LazyNativeFunctions::slice_backward_symint(const at::Tensor& grad_output,
    c10::SymIntArrayRef input_sizes, int64_t dim, c10::SymInt start, c10::SymInt end, c10::SymInt step) { nothing(); }
at::Tensor LazyNativeFunctions::_trilinear(const at::Tensor& i1, const at::Tensor& i2, const at::Tensor& i3,
    at::IntArrayRef expand1, at::IntArrayRef expand2, at::IntArrayRef expand3, at::IntArrayRef sumdim,
    int64_t unroll_dim) { nothing(); }
at::Tensor LazyNativeFunctions::_unsafe_view(const at::Tensor& self, at::IntArrayRef size) { nothing(); }
at::Tensor LazyNativeFunctions::clone(const at::Tensor& self,
    ::std::optional<at::MemoryFormat> memory_format) { nothing(); }
at::Tensor LazyNativeFunctions::_to_copy(const at::Tensor& self, ::std::optional<at::ScalarType> dtype,
    ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory,
    bool non_blocking, ::std::optional<at::MemoryFormat> memory_format) { nothing(); }
at::Tensor LazyNativeFunctions::lift(const at::Tensor& self) { nothing(); }
at::Tensor LazyNativeFunctions::lift_fresh(const at::Tensor& self) { nothing(); }
::std::tuple<at::Tensor,at::Tensor,at::Tensor> LazyNativeFunctions::svd(const at::Tensor& self, bool some,
    bool compute_uv) { nothing(); }
::std::tuple<at::Tensor,at::Tensor> LazyNativeFunctions::max_pool3d_with_indices(const at::Tensor& self,
    at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
    bool ceil_mode) { nothing(); }
at::Tensor LazyNativeFunctions::max_pool3d_with_indices_backward(const at::Tensor& grad_output,
    const at::Tensor& self, at::IntArrayRef kernel_size, at::IntArrayRef stride, at::IntArrayRef padding,
    at::IntArrayRef dilation, bool ceil_mode, const at::Tensor& indices) { nothing(); }
at::Tensor LazyNativeFunctions::linalg_pinv(const at::Tensor& self, const ::std::optional<at::Tensor>& atol,
    const ::std::optional<at::Tensor>& rtol, bool hermitian) { nothing(); }

} // namespace torch::lazy
