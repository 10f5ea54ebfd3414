// What the formulas in the folder above can call besides operators.
#pragma once

namespace at {
// A word of a comment declares nothing: here.
Tensor sum_to(Tensor tensor, const c10::SymIntArrayRef shape);
c10::SymIntArrayRef fromIntArrayRefSlow(IntArrayRef sizes);
bool areAnyTensorSubclassLike(TensorList tensors);
Context& globalContext();
inline bool isFloatingType(ScalarType t);
inline auto fmap(const T& inputs, const F& fn);
enum class MemoryFormat;
namespace Reduction {}
namespace native {}
namespace symint {}
namespace _ops {}
} // namespace at
namespace std {
namespace numbers {}
} // namespace std
struct GradMode;
