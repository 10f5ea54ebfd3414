// topk_gating, expert_offsets, moe_sum: routing for a mixture of experts.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "common.h"

namespace opkit::native {

std::tuple<Tensor, Tensor> topk_gating_meta_symint(const Tensor& logits, Int k, bool /*renormalize*/) {
  OPKIT_CHECK(logits.dim() >= 1, "topk_gating: logits need at least one dimension");
  OPKIT_CHECK(portable::is_floating_point(logits.scalar_type()), "topk_gating: logits must be floating point, are ", logits.scalar_type());
  const auto experts = dim_size(logits, -1);
  OPKIT_SYM_CHECK(at_most(0, k), "topk_gating: k must not be negative, is ", k);
  OPKIT_SYM_CHECK(at_most(k, experts), "topk_gating: k is ", k, ", but there are ", experts, " experts");
  auto shape = dim_sizes(logits);
  shape.back() = k;
  return {make_empty(shape, logits), make_empty(shape, logits, ScalarType::Long)};
}

// The k largest values of each row's softmax, in falling order; of equal values the first.
std::tuple<Tensor, Tensor> topk_gating_cpu(const Tensor& logits, int64_t k, bool renormalize) {
  auto outputs = topk_gating_meta_symint(logits, k, renormalize);
  const auto rows = portable::contiguous(logits);
  const auto experts = logits.size(-1);
  OPKIT_DISPATCH_FLOATING_AND_HALF(logits.scalar_type(), "topk_gating", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto* from = rows.const_data_ptr<scalar_t>();
    auto* weights = std::get<0>(outputs).mutable_data_ptr<scalar_t>();
    auto* indices = std::get<1>(outputs).mutable_data_ptr<int64_t>();
    portable::parallel_for(0, row_count(rows), row_grain(experts), [&](int64_t begin, int64_t end) {
      std::vector<int64_t> order(experts);
      for (auto row = begin; row < end; ++row) {
        const auto* x = from + row * experts;
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(), [x](int64_t a, int64_t b) {
          return x[a] != x[b] ? x[a] > x[b] : a < b;
        });
        // Renormalized weights depend on the chosen values only.
        const auto counted = renormalize ? k : experts;
        const auto share = [&](int64_t i) { return std::exp(static_cast<acc_t>(x[order[i]]) - static_cast<acc_t>(x[order[0]])); };
        acc_t sum = 0;
        for (int64_t i = 0; i < counted && k > 0; ++i) {
          sum += share(i);
        }
        for (int64_t i = 0; i < k; ++i) {
          weights[row * k + i] = static_cast<scalar_t>(share(i) / sum);
          indices[row * k + i] = order[i];
        }
      }
    });
  });
  return outputs;
}

std::tuple<Tensor, Tensor> expert_offsets_meta_symint(const Tensor& indices, Int num_experts) {
  OPKIT_CHECK(indices.scalar_type() == ScalarType::Long, "expert_offsets: indices must be int64, are ", indices.scalar_type());
  OPKIT_SYM_CHECK(at_most(0, num_experts), "expert_offsets: num_experts must not be negative, is ", num_experts);
  return {make_empty({elements(indices)}, indices), make_empty({num_experts + 1}, indices)};
}

// A stable counting sort: `order` lists the slots of the first expert, then those of the second, and
// so on; `offsets` holds the start of each expert's slots.
std::tuple<Tensor, Tensor> expert_offsets_cpu(const Tensor& indices, int64_t num_experts) {
  auto outputs = expert_offsets_meta_symint(indices, num_experts);
  const auto slots = portable::contiguous(indices);
  const auto* expert = slots.const_data_ptr<int64_t>();
  auto* order = std::get<0>(outputs).mutable_data_ptr<int64_t>();
  auto* offsets = std::get<1>(outputs).mutable_data_ptr<int64_t>();
  std::fill_n(offsets, num_experts + 1, 0);
  for (int64_t i = 0; i < slots.numel(); ++i) {
    OPKIT_CHECK_INDEX(expert[i] >= 0 && expert[i] < num_experts, "expert_offsets: there is no expert ", expert[i]);
    ++offsets[expert[i] + 1];
  }
  std::partial_sum(offsets, offsets + num_experts + 1, offsets);
  std::vector<int64_t> next(offsets, offsets + num_experts);
  for (int64_t i = 0; i < slots.numel(); ++i) {
    order[next[expert[i]]++] = i;
  }
  return outputs;
}

Tensor moe_sum(const Tensor& input, const Tensor& weights) {
  OPKIT_CHECK(
      weights.dim() >= 1 && input.dim() == weights.dim() + 1, "moe_sum: input needs one dimension more than weights, which need one at least");
  return aten::sum(aten::mul(input, aten::unsqueeze(weights, -1)), -2);
}

} // namespace opkit::native
