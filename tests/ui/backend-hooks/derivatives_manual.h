#pragma once

#include <tuple>

#include <ATen/ATen.h>

#include "other.h"

namespace shop {

at::Tensor sell_backward(const at::Tensor& grad);

} // namespace shop
