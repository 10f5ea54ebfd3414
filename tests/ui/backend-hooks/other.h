#pragma once

namespace shop {

at::Tensor in_other(const at::Tensor& grad);

} // namespace shop
