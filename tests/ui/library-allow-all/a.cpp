namespace my::native {
at::Tensor plain(const at::Tensor &x) { return x.clone(); }
at::Tensor helper(const at::Tensor &x) { return x; }
} // namespace my::native
