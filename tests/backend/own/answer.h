#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/op_registration/adaption.h>
#include <c10/core/DeviceGuard.h>

namespace own {

constexpr int ANSWER = 42;

// A kernel that backend.yaml registers in `registrations`.
at::Tensor negated(const at::Tensor& self);

// Replacements for PyTorch's guard and check, which count their calls.
inline int guards = 0, checks = 0;

struct Guard : c10::OptionalDeviceGuard {
  Guard() {
    ++guards;
  }
  explicit Guard(std::optional<c10::Device> device) : c10::OptionalDeviceGuard(device) {
    ++guards;
  }
};

template <class Tensors>
void check_device(std::optional<c10::Device>& common, const Tensors& tensors, const char* method, const char* argument) {
  ++checks;
  c10::impl::check_and_update_common_device(common, tensors, method, argument);
}

} // namespace own
