namespace shop::native {
namespace {
torch::stable::Tensor sell(const torch::stable::Tensor& x, const torch::stable::Tensor& stock) {
  return torch::stable::clone(x);
}
} // namespace
} // namespace shop::native
