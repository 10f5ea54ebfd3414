namespace lib {
inline at::Tensor maybe_multiply(const at::Tensor& x, const at::Tensor& y) {
  return x * y;
}
}
