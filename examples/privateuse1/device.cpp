// What PyTorch asks of a device: memory, a guard that makes it the current one, hooks, and what
// becomes of operators without a kernel.
#include "device.h"

#include <cstdlib>
#include <cstring>

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

namespace device {

namespace {

constexpr auto TYPE = c10::DeviceType::PrivateUse1;

struct Allocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void *memory = bytes == 0 ? nullptr : std::malloc(bytes);
    return {memory, memory, &std::free, c10::Device(TYPE, 0)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &std::free; }
  void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }
};

Allocator the_allocator;
REGISTER_ALLOCATOR(TYPE, &the_allocator);

// One device with one stream.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return TYPE; }
  c10::Device exchangeDevice(c10::Device) const override { return getDevice(); }
  c10::Device getDevice() const override { return {TYPE, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::DEFAULT, device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::Device getDeviceFromPtr(void *) const override { return {TYPE, 0}; }
};

[[maybe_unused]] const bool registered = [] {
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

// Operators without a kernel run on the CPU, as those that print a tensor.
void on_cpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) { at::native::cpu_fallback(op, stack); }

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&on_cpu>());
}

} // namespace

c10::Allocator *allocator() { return &the_allocator; }

} // namespace device
