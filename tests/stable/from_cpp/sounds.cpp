// In the style of torchaudio's bindings, on the stable ABI.

#include <torch/csrc/stable/library.h>

namespace sounds::rnnt {

STABLE_TORCH_LIBRARY_FRAGMENT(sounds, m) {
  m.def(
      "rnnt_loss(Tensor logits,"
      "Tensor targets,"
      "int blank,"
      "float clamp,"
      "bool fused_log_softmax) -> (Tensor, Tensor?)");
  m.def("filter(Tensor waveform, Tensor(a!) out, float[] coefficients=[1.0, 0.5]) -> Tensor(a!)");
  m.def("find(Tensor waveform, Dict(str, int) settings) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(sounds, CPU, m) {
  m.impl("rnnt_loss", TORCH_BOX(&cpu::compute));
  m.impl("filter", TORCH_BOX(&filter));
}

#ifdef USE_CUDA
STABLE_TORCH_LIBRARY_IMPL(sounds, CUDA, m) {
  m.impl("filter", TORCH_BOX(&cuda::filter));
}
#endif

} // namespace sounds::rnnt
