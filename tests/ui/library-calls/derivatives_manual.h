#pragma once
inline at::Tensor my_own(const at::Tensor &x) { return x; }
