#define KERNEL(name) \
  at::Tensor name() {}
namespace n = shop;
std::tuple<at::Tensor, int64_t> shop::native::sell_cpu(
    at::Tensor const& stock, const c10::optional<at::Tensor> &log, std::array<bool, 2> mask,
    c10::ArrayRef<c10::Scalar> prices /* in cents */, at::OptionalArrayRef<int64_t> steps) {
  return {stock, 1};
}
namespace shop { inline namespace v1 { namespace other {
auto sell_meta(const Tensor& a, const std::optional<Tensor>& b, ::std::array<bool,2> c, at::ArrayRef<Scalar> d, at::OptionalIntArrayRef e)
    -> ::std::tuple<Tensor, int64_t> {
  return {a, 1};
}
}}}
int shop::native::shared(int x) { return x; }
namespace { int local() { return 0; } }
