#pragma once

#include <c10/core/Allocator.h>

namespace device {

// The allocator of the device's memory.
c10::Allocator *allocator();

} // namespace device
