namespace shop::native {
at::Tensor sel(const at::Tensor &x) { return x; }
at::Tensor buy(const at::Tensor &x, int64_t n) { return x; }
at::Tensor helper(const at::Tensor &x) { return x; }
} // namespace shop::native
