namespace my {
at::Tensor halved(const at::Tensor &x);
std::vector<at::Tensor> tenfold(at::TensorList xs, at::Tensor a, at::Tensor b, int64_t n, at::Tensor c);
}
