// In the style of vLLM's bindings: macros as namespaces, raw and adjacent strings, a key for each
// kernel, `#if` around operators.

#include "ops.h"

#include <torch/library.h>

// Operators on the main namespace.
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  // Attention.
  ops.def(
      "paged_attention("
      "    Tensor! out, Tensor query, Tensor key_cache,"
      "    int num_kv_heads, float scale, Tensor? alibi_slopes,"
      "    str kv_cache_dtype, SymInt block_size=16) -> ()");
  ops.impl("paged_attention", torch::kCUDA, &serving::paged_attention);

  ops.def("silu_and_mul(Tensor! result, Tensor input) -> ()");
  ops.impl("silu_and_mul", torch::kCUDA, &serving::silu_and_mul);
  ops.impl("silu_and_mul", torch::kCPU, serving::cpu::silu_and_mul);

  ops.def(R"(rotary_embedding(Tensor positions, Tensor! query,
                              Tensor!? key, int head_size) -> ())");
  ops.impl("rotary_embedding", torch::kCUDA, &serving::rotary_embedding);

#ifndef USE_ROCM
  ops.def("scaled_mm(Tensor a, Tensor b, ScalarType out_dtype) -> Tensor", {at::Tag::pt2_compliant_tag});
  ops.impl("scaled_mm", torch::kCUDA, &serving::scaled_mm);
  ops.impl("scaled_mm", torch::kMeta, &serving::scaled_mm_meta);
#else
  ops.def("scaled_mm(Tensor a, Tensor b, ScalarType out_dtype) -> Tensor", {at::Tag::pt2_compliant_tag});
  ops.impl("scaled_mm", torch::kCUDA, &serving::scaled_mm_hip);
  ops.impl("scaled_mm", torch::kMeta, &serving::scaled_mm_meta);
#endif
}

TORCH_LIBRARY_EXPAND(CONCAT(TORCH_EXTENSION_NAME, _cache_ops), cache_ops) {
  cache_ops.def("swap_blocks(Tensor src, Tensor! dst, Tensor block_mapping) -> ()");
  cache_ops.impl("swap_blocks", torch::kCUDA, &serving::swap_blocks);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
