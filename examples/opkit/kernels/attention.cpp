// rotary_embedding, masked_softmax, causal_mask, split_heads, split_gates.
#include <cmath>
#include <limits>

#include "common.h"

namespace opkit::native {
namespace {

void check_rotary(const Tensor& query, const Tensor& key, const Tensor& positions, const Tensor& cache) {
  for (const auto& [name, x] : {std::pair("query", query), std::pair("key", key)}) {
    TORCH_CHECK(
        x.dim() == positions.dim() + 2, "rotary_embedding: ", name, " needs two dimensions more than positions, has ", x.dim());
    TORCH_CHECK(
        x.scalar_type() == cache.scalar_type(), "rotary_embedding: ", name, " is ", x.scalar_type(), ", cos_sin_cache is ",
        cache.scalar_type());
    for (int64_t i = 0; i < positions.dim(); ++i) {
      TORCH_SYM_CHECK(
          x.sym_size(i).sym_eq(positions.sym_size(i)), "rotary_embedding: ", name, " needs one entry for each position");
    }
    TORCH_SYM_CHECK(cache.sym_size(1).sym_le(x.sym_size(-1)), "rotary_embedding: cos_sin_cache is wider than ", name);
  }
  TORCH_CHECK(positions.scalar_type() == at::kLong, "rotary_embedding: positions must be int64, are ", positions.scalar_type());
}

// Rotates the first `width` elements of each head and copies the rest. `cos_sin` holds half as many cosines, then as many sines.
template <typename scalar_t>
void rotate(
    const scalar_t* from, scalar_t* to, int64_t heads, int64_t size, int64_t width, const scalar_t* cos_sin, bool interleaved) {
  using acc_t = at::opmath_type<scalar_t>;
  const auto half = width / 2;
  const auto step = interleaved ? 2 : 1;
  const auto apart = interleaved ? 1 : half;
  for (int64_t head = 0; head < heads; ++head, from += size, to += size) {
    for (int64_t i = 0; i < half; ++i) {
      const auto cos = static_cast<acc_t>(cos_sin[i]);
      const auto sin = static_cast<acc_t>(cos_sin[half + i]);
      const auto x = static_cast<acc_t>(from[i * step]);
      const auto y = static_cast<acc_t>(from[i * step + apart]);
      to[i * step] = static_cast<scalar_t>(x * cos - y * sin);
      to[i * step + apart] = static_cast<scalar_t>(y * cos + x * sin);
    }
    std::copy(from + width, from + size, to + width);
  }
}

} // namespace

std::tuple<Tensor, Tensor> rotary_embedding_meta(
    const Tensor& query, const Tensor& key, const Tensor& positions, const Tensor& cos_sin_cache, bool /*interleaved*/) {
  TORCH_CHECK(cos_sin_cache.dim() == 2, "rotary_embedding: cos_sin_cache must have two dimensions");
  TORCH_SYM_CHECK((cos_sin_cache.sym_size(1) % 2).sym_eq(0), "rotary_embedding: the width of cos_sin_cache must be even");
  check_rotary(query, key, positions, cos_sin_cache);
  return {at::empty_symint(query.sym_sizes(), query.options()), at::empty_symint(key.sym_sizes(), key.options())};
}

std::tuple<Tensor, Tensor> rotary_embedding_cpu(
    const Tensor& query, const Tensor& key, const Tensor& positions, const Tensor& cos_sin_cache, bool interleaved) {
  auto outputs = rotary_embedding_meta(query, key, positions, cos_sin_cache, interleaved);
  const auto queries = query.contiguous();
  const auto keys = key.contiguous();
  const auto where = positions.contiguous();
  const auto cache = cos_sin_cache.contiguous();
  const auto width = cache.size(1);
  const auto query_size = query.size(-2) * query.size(-1);
  const auto key_size = key.size(-2) * key.size(-1);
  OPKIT_DISPATCH(query.scalar_type(), "rotary_embedding", [&] {
    const auto* q = queries.const_data_ptr<scalar_t>();
    const auto* k = keys.const_data_ptr<scalar_t>();
    const auto* position = where.const_data_ptr<int64_t>();
    const auto* cos_sin = cache.const_data_ptr<scalar_t>();
    auto* q_out = std::get<0>(outputs).mutable_data_ptr<scalar_t>();
    auto* k_out = std::get<1>(outputs).mutable_data_ptr<scalar_t>();
    at::parallel_for(0, where.numel(), row_grain(query_size + key_size), [&](int64_t begin, int64_t end) {
      for (auto i = begin; i < end; ++i) {
        TORCH_CHECK_INDEX(
            position[i] >= 0 && position[i] < cache.size(0), "rotary_embedding: position ", position[i], " is outside of cos_sin_cache");
        const auto* row = cos_sin + position[i] * width;
        rotate(q + i * query_size, q_out + i * query_size, query.size(-2), query.size(-1), width, row, interleaved);
        rotate(k + i * key_size, k_out + i * key_size, key.size(-2), key.size(-1), width, row, interleaved);
      }
    });
  });
  return outputs;
}

Tensor masked_softmax_meta(const Tensor& self, const std::optional<Tensor>& mask) {
  TORCH_CHECK(self.dim() >= 1, "masked_softmax: self needs at least one dimension");
  TORCH_CHECK(at::isFloatingType(self.scalar_type()), "masked_softmax: self must be floating point, is ", self.scalar_type());
  if (mask.has_value()) {
    TORCH_CHECK(mask->scalar_type() == at::kBool, "masked_softmax: mask must be bool, is ", mask->scalar_type());
    // Throws unless it can be expanded.
    mask->expand_symint(self.sym_sizes());
  }
  return at::empty_symint(self.sym_sizes(), self.options());
}

// Softmax over the elements whose mask is true. A row without such elements becomes zero.
Tensor masked_softmax_cpu(const Tensor& self, const std::optional<Tensor>& mask) {
  auto out = masked_softmax_meta(self, mask);
  const auto rows = self.contiguous();
  const auto allowed = mask.has_value() ? mask->expand(self.sizes()).contiguous() : Tensor();
  const auto width = self.size(-1);
  OPKIT_DISPATCH(self.scalar_type(), "masked_softmax", [&] {
    using acc_t = at::opmath_type<scalar_t>;
    const auto* from = rows.const_data_ptr<scalar_t>();
    const auto* keep = allowed.defined() ? allowed.const_data_ptr<bool>() : nullptr;
    auto* to = out.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto start = begin * width; start < end * width; start += width) {
        const auto kept = [&](int64_t i) { return keep == nullptr || keep[start + i]; };
        auto top = -std::numeric_limits<acc_t>::infinity();
        for (int64_t i = 0; i < width; ++i) {
          if (kept(i)) {
            top = std::max(top, static_cast<acc_t>(from[start + i]));
          }
        }
        acc_t sum = 0;
        for (int64_t i = 0; i < width; ++i) {
          sum += kept(i) ? std::exp(static_cast<acc_t>(from[start + i]) - top) : acc_t(0);
        }
        for (int64_t i = 0; i < width; ++i) {
          to[start + i] = kept(i) ? static_cast<scalar_t>(std::exp(static_cast<acc_t>(from[start + i]) - top) / sum) : scalar_t(0);
        }
      }
    });
  });
  return out;
}

// Query i may attend to key j if j <= i and j is within the window. The mask is true and false for
// bool; for other types it is 0 and -inf, to be added.
Tensor causal_mask_symint(
    c10::SymInt size, std::optional<c10::SymInt> window, std::optional<at::ScalarType> dtype, std::optional<at::Layout> layout,
    std::optional<at::Device> device, std::optional<bool> pin_memory) {
  TORCH_SYM_CHECK(size.sym_ge(0), "causal_mask: size must not be negative, is ", size);
  const auto options = at::TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
  const auto type = c10::typeMetaToScalarType(options.dtype());
  TORCH_CHECK(type == at::kBool || at::isFloatingType(type), "causal_mask: dtype must be bool or floating point, is ", type);
  auto allowed = at::ones_symint({size, size}, options.dtype(at::kBool)).tril();
  if (window.has_value()) {
    TORCH_SYM_CHECK(window->sym_gt(0), "causal_mask: window must be positive, is ", *window);
    allowed = allowed.triu_symint(1 - *window);
  }
  if (type == at::kBool) {
    return allowed;
  }
  return at::zeros_symint({size, size}, options).masked_fill(allowed.logical_not(), -std::numeric_limits<double>::infinity());
}

Tensor split_heads_symint(const Tensor& self, c10::SymInt num_heads) {
  TORCH_CHECK(self.dim() >= 1, "split_heads: self needs at least one dimension");
  TORCH_SYM_CHECK(num_heads.sym_gt(0), "split_heads: num_heads must be positive, is ", num_heads);
  const auto width = self.sym_size(-1);
  TORCH_SYM_CHECK((width % num_heads).sym_eq(0), "split_heads: ", width, " elements do not make ", num_heads, " heads");
  auto sizes = self.sym_sizes().vec();
  sizes.back() = num_heads;
  sizes.push_back(width / num_heads);
  return self.view_symint(sizes);
}

// The written heads, in the shape of their base.
Tensor merge_heads(const Tensor& base, const Tensor& mutated_view, c10::SymInt num_heads) {
  return mutated_view.reshape_symint(base.sym_sizes());
}

std::tuple<Tensor, Tensor> split_gates(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 1, "split_gates: self needs at least one dimension");
  const auto width = self.sym_size(-1);
  TORCH_SYM_CHECK((width % 2).sym_eq(0), "split_gates: the last dimension must be even, is ", width);
  return {self.narrow_symint(-1, 0, width / 2), self.narrow_symint(-1, width / 2, width / 2)};
}

} // namespace opkit::native
