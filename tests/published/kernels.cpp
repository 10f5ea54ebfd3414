// Kernels of tests/published: each adds one to the tensors that its schema marks as written, returns
// those that the schema returns, and otherwise new tensors.
#include <attn/NativeFunctions.h>
#include <embed/NativeFunctions.h>
#include <engine/NativeFunctions.h>
#include <video/NativeFunctions.h>

#include <ATen/ATen.h>
#include <torch/custom_class.h>
#include <torch/library.h>

namespace {

using T = const at::Tensor &;
using Written = at::Tensor &;
using Maybe = const std::optional<at::Tensor> &;
using Three = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

void touch(T t) {
  t.add_(1);
}

void touch(Maybe t) {
  if (t.has_value()) {
    touch(*t);
  }
}

void touch(at::TensorList list) {
  for (const auto & t : list) {
    touch(t);
  }
}

// The given tensor, written, or a new one.
at::Tensor given_or_new(Maybe out, T like) {
  touch(out);
  return out.has_value() ? *out : like.clone();
}

Three frame(T decoder) {
  return {decoder.clone(), at::zeros({}), at::ones({})};
}

struct Reader : torch::CustomClassHolder {
  explicit Reader(std::string path) : path(std::move(path)) {}
  std::string path;
};

} // namespace

namespace engine::native {
void rms_norm(Written out, T, T, double) { touch(out); }
void fused_add_rms_norm(Written input, Written residual, T, double) { touch(input), touch(residual); }
void silu_and_mul(Written out, T) { touch(out); }
void gelu_fast(Written result, T) { touch(result); }
void rotary_embedding(T, Written query, Maybe key, int64_t, T, bool) { touch(query), touch(key); }
void paged_attention_v1(
    Written out, T, T, T, int64_t, double, T, T, int64_t, int64_t, Maybe, c10::string_view, T, T, int64_t, int64_t) {
  touch(out);
}
void swap_blocks(T, Written dst, T) { touch(dst); }
void copy_blocks(at::TensorList keys, at::TensorList values, T) { touch(keys), touch(values); }
void reshape_and_cache(T, T, Written key_cache, Written value_cache, T, c10::string_view) {
  touch(key_cache), touch(value_cache);
}
void static_scaled_int8_quant(Written result, T, T, Maybe) { touch(result); }
void dynamic_scaled_int8_quant(Written result, T, Written scale, Maybe azp) { touch(result), touch(scale), touch(azp); }
void scaled_mm(Written out, T, T, T, T, Maybe) { touch(out); }
at::Tensor gptq_gemm(T a, T, T, T, T, bool, int64_t) { return a.clone(); }
void gptq_shuffle(Written q_weight, T, int64_t) { touch(q_weight); }
at::Tensor awq_dequantize(T kernel, T, T, int64_t, int64_t, int64_t) { return kernel.clone(); }
void topk_softmax(Written weights, Written indices, Written experts, T) { touch(weights), touch(indices), touch(experts); }
void moe_align_block_size(T, int64_t, int64_t, Written ids, Written experts, Written count) {
  touch(ids), touch(experts), touch(count);
}
void moe_sum(T, Written output) { touch(output); }
void merge_attn_states(Written output, Maybe lse, T, T, T, T) { touch(output), touch(lse); }
void all_reduce(int64_t, T, Written out, int64_t, int64_t) { touch(out); }
std::tuple<std::vector<int64_t>, std::vector<int64_t>> get_graph_buffer_ipc_meta(int64_t fa) { return {{fa}, {1, 2}}; }
int64_t meta_size() { return 8; }
bool supports_fp8(int64_t capability) { return capability >= 89; }
at::Tensor permute_cols(T a, T) { return a.clone(); }
void apply_repetition_penalties_(Written logits, T, T, T) { touch(logits); }
at::Tensor mask_logits(Written self, T) {
  touch(self);
  return self;
}
std::tuple<at::Tensor, at::Tensor> advance_step(Written tokens, Written lens, int64_t) {
  touch(tokens), touch(lens);
  return {tokens, lens};
}
} // namespace engine::native

namespace video::native {
at::Tensor create_from_file(c10::string_view name, std::optional<c10::string_view>) {
  return at::full({2}, static_cast<double>(name.size()));
}
at::Tensor create_from_tensor(T video, std::optional<c10::string_view>) { return video.clone(); }
void add_audio_stream(Written d, std::optional<int64_t>, std::optional<int64_t>, std::optional<int64_t>) { touch(d); }
void seek_to_pts(Written d, double) { touch(d); }
Three get_next_frame(Written d) { return touch(d), frame(d); }
Three get_frame_at_index(Written d, int64_t) { return touch(d), frame(d); }
Three get_frames_at_indices(Written d, at::IntArrayRef) { return touch(d), frame(d); }
Three get_frames_in_range(Written d, int64_t, int64_t, std::optional<int64_t>) { return touch(d), frame(d); }
Three get_frames_by_pts(Written d, at::ArrayRef<double>) { return touch(d), frame(d); }
std::string get_json_metadata(Written d) { return touch(d), "{}"; }
at::Tensor get_key_frame_indices(Written d) { return touch(d), d.clone(); }
at::Tensor encode_audio_to_tensor(
    T samples, int64_t, c10::string_view, std::optional<int64_t>, std::optional<int64_t>, std::optional<int64_t>) {
  return samples.clone();
}
std::vector<at::Tensor> encode_jpeg(at::TensorList images, int64_t, std::optional<at::Device>) {
  std::vector<at::Tensor> encoded;
  for (const auto & image : images) {
    encoded.push_back(image.clone());
  }
  return encoded;
}
at::Tensor decode_png(T data, int64_t, bool) { return data.clone(); }
int64_t select_streams(Written d, const c10::List<bool> & enabled, const std::optional<c10::List<bool>> & required) {
  touch(d);
  int64_t count = 0;
  for (const bool each : enabled) {
    count += each;
  }
  return count + (required.has_value() ? 100 : 0);
}
} // namespace video::native

namespace attn::native {
std::tuple<at::Tensor, at::Tensor> fwd(
    T q, T, T, Maybe out, Maybe, double, std::optional<double>, bool, int64_t, int64_t, double, bool,
    std::optional<at::Generator>) {
  return {given_or_new(out, q), q.clone()};
}
std::vector<at::Tensor> varlen_fwd_symint(
    Written q, T, T, Maybe out, T, T, Maybe, c10::SymInt, c10::SymInt, double, double, bool, bool) {
  touch(q), touch(out);
  return {q.clone()};
}
Three bwd(T, T q, T k, T v, Maybe dq, Maybe dk, Maybe dv) {
  return {given_or_new(dq, q), given_or_new(dk, k), given_or_new(dv, v)};
}
std::tuple<at::Tensor, at::Tensor> fwd_kvcache(
    Written q, Written k, Written v, Maybe, Maybe, Maybe, Maybe out, bool, int64_t) {
  touch(q), touch(k), touch(v);
  return {given_or_new(out, q), q.clone()};
}
std::tuple<at::Tensor, at::Tensor, int64_t, int64_t> mem_efficient(
    T q, T, T, Maybe, Maybe, Maybe, std::optional<int64_t>, double, bool, int64_t, std::optional<double>, Maybe,
    std::optional<int64_t>) {
  return {q.clone(), q.clone(), 1, 2};
}
at::Tensor block_sparse(T q, T, T, at::TensorList, std::array<bool, 4>, std::optional<at::ArrayRef<double>>) {
  return q.clone();
}
std::tuple<at::Tensor &, at::Tensor &> merge_out(at::TensorList, at::TensorList, Written out, Written lse) {
  touch(out), touch(lse);
  return {out, lse};
}
at::Tensor schedule(T lens, at::IntArrayRef, const at::Scalar &, at::ScalarType, std::optional<at::Device>) {
  return lens.clone();
}
std::tuple<at::Tensor, at::Tensor, int64_t> sample(Written logits, Maybe states, std::optional<at::Generator>, bool) {
  touch(logits), touch(states);
  return {logits, logits.clone(), 3};
}
std::tuple<at::Tensor, at::Tensor> rope(Written q, Written k, T, T, bool) {
  touch(q), touch(k);
  return {q, k};
}
} // namespace attn::native

namespace embed::native {
using Maybes = std::tuple<at::Tensor, at::Tensor, std::optional<at::Tensor>>;
at::Tensor asynchronous_complete_cumsum(T t) { return t.clone(); }
Maybes permute_2D_sparse_data_symint(T, T lengths, T values, Maybe weights, std::optional<c10::SymInt>) {
  return {lengths.clone(), values.clone(), weights.has_value() ? std::optional(weights->clone()) : std::nullopt};
}
at::Tensor jagged_to_padded_dense_symint(T values, at::TensorList, c10::SymIntArrayRef, double) { return values.clone(); }
std::tuple<at::Tensor, std::vector<at::Tensor>> dense_to_jagged_symint(
    T dense, at::TensorList, std::optional<c10::SymInt>) {
  return {dense.clone(), {dense.clone()}};
}
void bounds_check_indices(T, Written indices, Written offsets, int64_t, Written warning, Maybe weights, Maybe, int64_t) {
  touch(indices), touch(offsets), touch(warning), touch(weights);
}
at::Tensor lxu_cache_lookup(T indices, T, int64_t, bool, Maybe stats) { return touch(stats), indices.clone(); }
std::tuple<at::Tensor, at::Tensor, std::optional<at::Tensor>, std::optional<at::Tensor>, std::optional<at::Tensor>>
block_bucketize_symint(T lengths, T indices, bool, bool, T, c10::SymInt, Maybe) {
  return {lengths.clone(), indices.clone(), std::nullopt, indices.clone(), std::nullopt};
}
at::Tensor split_lookup(
    at::TensorList, T placements, T, int64_t, at::ArrayRef<c10::string_view>, c10::Dict<std::string, at::Tensor>) {
  return placements.clone();
}
at::Tensor set_flags(Written table, const c10::List<bool> & dirty) {
  TORCH_CHECK(dirty.size() < 100);
  touch(table);
  return table;
}
at::Tensor expand_into_jagged_permute_symint(T permute, T, T, c10::SymInt) { return permute.clone(); }
at::Tensor segment_sum_csr(int64_t, T, T values) { return values.clone(); }
std::tuple<at::Tensor, at::Tensor> histogram_binning(T logit, Written examples, Written positives, double, double, double) {
  touch(examples), touch(positives);
  return {logit.clone(), logit.clone()};
}
at::Tensor generic_histogram(
    T logit, at::OptionalIntArrayRef, std::optional<at::ArrayRef<double>>, std::optional<c10::complex<double>>) {
  return logit.clone();
}
} // namespace embed::native

// Those whose types have no C++ form in generated code are registered by hand.
TORCH_LIBRARY_FRAGMENT(video, m) {
  m.class_<Reader>("Reader").def(torch::init<std::string>());
}
// Only a boxed kernel can take a list of lists or a tuple.
void register_graph_buffers(const c10::OperatorHandle &, torch::jit::Stack * stack) {
  torch::jit::drop(*stack, 3);
}
void add_video_stream(const c10::OperatorHandle &, torch::jit::Stack * stack) {
  torch::jit::peek(*stack, 0, 6).toTensor().add_(1);
  torch::jit::drop(*stack, 6);
}

TORCH_LIBRARY_IMPL(engine, CompositeExplicitAutograd, m) {
  m.impl("register_graph_buffers", torch::CppFunction::makeFromBoxedFunction<&register_graph_buffers>());
}
TORCH_LIBRARY_IMPL(video, CompositeExplicitAutograd, m) {
  m.impl("add_video_stream", torch::CppFunction::makeFromBoxedFunction<&add_video_stream>());
  m.impl("open_reader", [](std::string path, int64_t) { return c10::make_intrusive<Reader>(std::move(path)); });
  m.impl("read_frame", [](const c10::intrusive_ptr<Reader> & reader, int64_t index, bool) {
    return at::full({1}, static_cast<double>(reader->path.size()) + static_cast<double>(index));
  });
}
