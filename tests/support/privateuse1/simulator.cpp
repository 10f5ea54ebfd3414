// A device for tests, under the key PrivateUse1. Its memory is the CPU's. It has the few kernels
// that creating, copying and viewing need. Every other operator runs on the CPU and is recorded, so
// that tests can check which operators have their own kernels.
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

namespace {

using at::Tensor;

constexpr auto DEVICE = c10::DeviceType::PrivateUse1;
const c10::DispatchKeySet KEYS(c10::DispatchKey::PrivateUse1);

struct Allocator final : at::Allocator {
  at::DataPtr allocate(size_t bytes) override {
    void* memory = bytes == 0 ? nullptr : std::malloc(bytes);
    return {memory, memory, &std::free, c10::Device(DEVICE, 0)};
  }
  at::DeleterFnPtr raw_deleter() const override {
    return &std::free;
  }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
};

Allocator allocator;
REGISTER_ALLOCATOR(DEVICE, &allocator);

// There is one device with one stream, so there is nothing to switch.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override {
    return DEVICE;
  }
  c10::Device exchangeDevice(c10::Device) const override {
    return getDevice();
  }
  c10::Device getDevice() const override {
    return {DEVICE, 0};
  }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    return stream;
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return 1;
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

// Backward checks that the device exists.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override {
    return true;
  }
  bool isAvailable() const override {
    return true;
  }
  bool hasPrimaryContext(c10::DeviceIndex) const override {
    return true;
  }
  c10::Device getDeviceFromPtr(void*) const override {
    return {DEVICE, 0};
  }
};

[[maybe_unused]] const bool hooked = [] {
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

Tensor empty(
    c10::SymIntArrayRef sizes, std::optional<at::ScalarType> dtype, std::optional<at::Layout>, std::optional<at::Device>,
    std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(C10_AS_INTARRAYREF_SLOW(sizes), &allocator, KEYS, c10::dtype_or_default(dtype), format);
}

Tensor empty_strided(
    c10::SymIntArrayRef sizes, c10::SymIntArrayRef strides, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
    std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(
      C10_AS_INTARRAYREF_SLOW(sizes), C10_AS_INTARRAYREF_SLOW(strides), &allocator, KEYS, c10::dtype_or_default(dtype));
}

Tensor as_cpu(const Tensor& t) {
  return t.is_cpu() ? t : at::from_blob(t.data_ptr(), t.sizes(), t.strides(), t.options().device(at::kCPU));
}

Tensor copy_from(const Tensor& self, const Tensor& to, bool /*non_blocking*/) {
  as_cpu(to).copy_(as_cpu(self));
  return to;
}

Tensor copy_from_and_resize(const Tensor& self, const Tensor& to) {
  if (to.sizes() != self.sizes()) {
    to.resize_(self.sizes());
  }
  return copy_from(self, to, false);
}

Tensor as_strided(
    const Tensor& self, c10::SymIntArrayRef sizes, c10::SymIntArrayRef strides, std::optional<c10::SymInt> storage_offset) {
  auto view = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(), self.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, storage_offset.value_or(self.sym_storage_offset()));
  return view;
}

Tensor view(const Tensor& self, c10::SymIntArrayRef sizes) {
  // Uses the CPU's kernel; its result has the same geometry.
  const auto like = as_cpu(self).view_symint(sizes);
  return as_strided(self, like.sym_sizes(), like.sym_strides(), std::nullopt);
}

const Tensor& resize(const Tensor& self, c10::SymIntArrayRef sizes, std::optional<at::MemoryFormat>) {
  const auto wanted = C10_AS_INTARRAYREF_SLOW(sizes);
  const auto bytes = static_cast<size_t>(c10::multiply_integers(wanted)) * self.element_size();
  if (self.storage().nbytes() < bytes) {
    self.unsafeGetTensorImpl()->unsafe_storage().set_data_ptr_noswap(allocator.allocate(bytes));
    self.unsafeGetTensorImpl()->unsafe_storage().set_nbytes(bytes);
  }
  self.unsafeGetTensorImpl()->set_sizes_contiguous(wanted);
  return self;
}

std::mutex names_lock;
std::vector<std::string> names;

void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  {
    const std::lock_guard<std::mutex> hold(names_lock);
    names.push_back(op.schema().name());
  }
  at::native::cpu_fallback(op, stack);
}

// The operators that ran on the CPU since the last call.
std::vector<std::string> fallen_back() {
  const std::lock_guard<std::mutex> hold(names_lock);
  return std::exchange(names, {});
}

} // namespace

TORCH_LIBRARY(simulator, m) {
  m.def("fallen_back", &fallen_back);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("as_strided", &as_strided);
  m.impl("view", &view);
  m.impl("resize_", &resize);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>());
}
