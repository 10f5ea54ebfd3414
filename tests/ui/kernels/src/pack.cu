namespace shop {
namespace meta {
TORCH_META_FUNC(pack)(const Tensor& self, int64_t size) {
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}
} // namespace meta
TORCH_IMPL_FUNC(unpack_out_cpu)(const Tensor& self, const Tensor& out) {}
} // namespace shop
