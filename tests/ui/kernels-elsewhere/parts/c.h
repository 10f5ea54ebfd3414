namespace shop::native {
at::Tensor keep(torch::Tensor &x) { return x; }
at::Tensor helper(int n) { return {}; }
} // namespace shop::native
