// rotary_embedding, masked_softmax.
#include <cmath>
#include <limits>

#include "common.h"

namespace opkit::native {
namespace {

void check_rotary(const Tensor& query, const Tensor& key, const Tensor& positions, const Tensor& cache) {
  for (const auto& [name, x] : {std::pair("query", query), std::pair("key", key)}) {
    OPKIT_CHECK(
        x.dim() == positions.dim() + 2, "rotary_embedding: ", name, " needs two dimensions more than positions, has ", x.dim());
    OPKIT_CHECK(
        x.scalar_type() == cache.scalar_type(), "rotary_embedding: ", name, " is ", x.scalar_type(), ", cos_sin_cache is ",
        cache.scalar_type());
    for (int64_t i = 0; i < positions.dim(); ++i) {
      OPKIT_SYM_CHECK(
          equal(dim_size(x, i), dim_size(positions, i)), "rotary_embedding: ", name, " needs one entry for each position");
    }
    OPKIT_SYM_CHECK(at_most(dim_size(cache, 1), dim_size(x, -1)), "rotary_embedding: cos_sin_cache is wider than ", name);
  }
  OPKIT_CHECK(positions.scalar_type() == ScalarType::Long, "rotary_embedding: positions must be int64, are ", positions.scalar_type());
}

// Rotates the first `width` elements of each head and copies the rest. `cos_sin` holds half as many cosines, then as many sines.
template <typename scalar_t>
void rotate(
    const scalar_t* from, scalar_t* to, int64_t heads, int64_t size, int64_t width, const scalar_t* cos_sin, bool interleaved) {
  using acc_t = opmath_t<scalar_t>;
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
  OPKIT_CHECK(cos_sin_cache.dim() == 2, "rotary_embedding: cos_sin_cache must have two dimensions");
  OPKIT_SYM_CHECK(equal(dim_size(cos_sin_cache, 1) % 2, 0), "rotary_embedding: the width of cos_sin_cache must be even");
  check_rotary(query, key, positions, cos_sin_cache);
  return {make_empty(dim_sizes(query), query), make_empty(dim_sizes(key), key)};
}

std::tuple<Tensor, Tensor> rotary_embedding_cpu(
    const Tensor& query, const Tensor& key, const Tensor& positions, const Tensor& cos_sin_cache, bool interleaved) {
  auto outputs = rotary_embedding_meta(query, key, positions, cos_sin_cache, interleaved);
  const auto queries = portable::contiguous(query);
  const auto keys = portable::contiguous(key);
  const auto where = portable::contiguous(positions);
  const auto cache = portable::contiguous(cos_sin_cache);
  const auto* position = where.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < where.numel(); ++i) {
    OPKIT_CHECK_INDEX(
        position[i] >= 0 && position[i] < cache.size(0), "rotary_embedding: position ", position[i], " is outside of cos_sin_cache");
  }
  const auto width = cache.size(1);
  const auto query_size = query.size(-2) * query.size(-1);
  const auto key_size = key.size(-2) * key.size(-1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(query.scalar_type(), "rotary_embedding", [&] {
    const auto* q = queries.const_data_ptr<scalar_t>();
    const auto* k = keys.const_data_ptr<scalar_t>();
    const auto* cos_sin = cache.const_data_ptr<scalar_t>();
    auto* q_out = std::get<0>(outputs).mutable_data_ptr<scalar_t>();
    auto* k_out = std::get<1>(outputs).mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, where.numel(), row_grain(query_size + key_size), [&](int64_t begin, int64_t end) {
      for (auto i = begin; i < end; ++i) {
        const auto* row = cos_sin + position[i] * width;
        rotate(q + i * query_size, q_out + i * query_size, query.size(-2), query.size(-1), width, row, interleaved);
        rotate(k + i * key_size, k_out + i * key_size, key.size(-2), key.size(-1), width, row, interleaved);
      }
    });
  });
  return outputs;
}

Tensor masked_softmax_meta(const Tensor& self, const std::optional<Tensor>& mask) {
  OPKIT_CHECK(self.dim() >= 1, "masked_softmax: self needs at least one dimension");
  OPKIT_CHECK(portable::is_floating_point(self.scalar_type()), "masked_softmax: self must be floating point, is ", self.scalar_type());
  if (mask.has_value()) {
    OPKIT_CHECK(mask->scalar_type() == ScalarType::Bool, "masked_softmax: mask must be bool, is ", mask->scalar_type());
    // Throws unless it can be expanded.
    expanded(*mask, dim_sizes(self));
  }
  return make_empty(dim_sizes(self), self);
}

// Softmax over the elements whose mask is true. A row without such elements becomes zero.
Tensor masked_softmax_cpu(const Tensor& self, const std::optional<Tensor>& mask) {
  auto out = masked_softmax_meta(self, mask);
  const auto rows = portable::contiguous(self);
  const auto allowed = mask.has_value() ? std::optional(portable::contiguous(expanded(*mask, dim_sizes(self)))) : std::nullopt;
  const auto width = self.size(-1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(self.scalar_type(), "masked_softmax", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto* from = rows.const_data_ptr<scalar_t>();
    const auto* keep = allowed.has_value() ? allowed->const_data_ptr<bool>() : nullptr;
    auto* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, row_count(rows), row_grain(width), [&](int64_t begin, int64_t end) {
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

} // namespace opkit::native
