// segment_reduce, box_iou, nms.
#include <algorithm>
#include <limits>

#include "common.h"

namespace opkit::native {
namespace {

enum class Reduce { Sum, Mean, Max, Min };

Reduce reduce_named(std::string_view name) {
  if (name == "sum") {
    return Reduce::Sum;
  }
  if (name == "mean") {
    return Reduce::Mean;
  }
  if (name == "max") {
    return Reduce::Max;
  }
  OPKIT_CHECK_VALUE(name == "min", "segment_reduce: reduce must be sum, mean, max or min, is ", name);
  return Reduce::Min;
}

// The result for a segment without elements.
template <typename acc_t>
acc_t start(Reduce reduce) {
  switch (reduce) {
    case Reduce::Max:
      return -std::numeric_limits<acc_t>::infinity();
    case Reduce::Min:
      return std::numeric_limits<acc_t>::infinity();
    default:
      return 0;
  }
}

// NaN stays NaN.
template <typename acc_t>
acc_t join(Reduce reduce, acc_t a, acc_t b) {
  switch (reduce) {
    case Reduce::Max:
      return a > b || a != a ? a : b;
    case Reduce::Min:
      return a < b || a != a ? a : b;
    default:
      return a + b;
  }
}

void check_boxes(const Tensor& boxes, const char* name) {
  OPKIT_CHECK(boxes.dim() == 2, name, ": boxes must have two dimensions, have ", boxes.dim());
  OPKIT_SYM_CHECK(equal(dim_size(boxes, 1), 4), name, ": a box is x1, y1, x2, y2");
  OPKIT_CHECK(portable::is_floating_point(boxes.scalar_type()), name, ": boxes must be floating point, are ", boxes.scalar_type());
}

// The intersection of two boxes over their union; 0 if both have no area.
template <typename scalar_t, typename acc_t = opmath_t<scalar_t>>
acc_t overlap(const scalar_t* a, const scalar_t* b) {
  const auto at = [](const scalar_t* box, int i) { return static_cast<acc_t>(box[i]); };
  const auto area = [&](const scalar_t* box) { return (at(box, 2) - at(box, 0)) * (at(box, 3) - at(box, 1)); };
  const auto width = std::min(at(a, 2), at(b, 2)) - std::max(at(a, 0), at(b, 0));
  const auto height = std::min(at(a, 3), at(b, 3)) - std::max(at(a, 1), at(b, 1));
  const auto common = std::max(width, acc_t(0)) * std::max(height, acc_t(0));
  const auto all = area(a) + area(b) - common;
  return all > 0 ? common / all : acc_t(0);
}

} // namespace

Tensor segment_reduce_meta(const Tensor& data, const Tensor& offsets, std::string_view reduce) {
  reduce_named(reduce);
  OPKIT_CHECK(data.dim() >= 1, "segment_reduce: data needs at least one dimension");
  OPKIT_CHECK(portable::is_floating_point(data.scalar_type()), "segment_reduce: data must be floating point, is ", data.scalar_type());
  OPKIT_CHECK(offsets.dim() == 1, "segment_reduce: offsets must have one dimension, have ", offsets.dim());
  OPKIT_CHECK(offsets.scalar_type() == ScalarType::Long, "segment_reduce: offsets must be int64, are ", offsets.scalar_type());
  OPKIT_SYM_CHECK(positive(dim_size(offsets, 0)), "segment_reduce: offsets hold the end of the last segment at least");
  auto shape = dim_sizes(data);
  shape[0] = dim_size(offsets, 0) - 1;
  return make_empty(shape, data);
}

// Segment s is data[offsets[s]:offsets[s + 1]].
Tensor segment_reduce_cpu(const Tensor& data, const Tensor& offsets, std::string_view reduce) {
  auto out = segment_reduce_meta(data, offsets, reduce);
  const auto kind = reduce_named(reduce);
  const auto rows = portable::contiguous(data);
  const auto ends = portable::contiguous(offsets);
  const auto* bounds = ends.const_data_ptr<int64_t>();
  const auto segments = out.size(0);
  OPKIT_CHECK_INDEX(
      bounds[0] >= 0 && bounds[segments] <= data.size(0) && std::is_sorted(bounds, bounds + segments + 1),
      "segment_reduce: offsets must not fall, and stay within data");
  const auto width = count(data, 1, data.dim());
  OPKIT_DISPATCH_FLOATING_AND_HALF(data.scalar_type(), "segment_reduce", [&] {
    using acc_t = opmath_t<scalar_t>;
    const auto* from = rows.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, segments, row_grain(width), [&](int64_t begin, int64_t end) {
      std::vector<acc_t> total(width);
      for (auto segment = begin; segment < end; ++segment) {
        std::fill(total.begin(), total.end(), start<acc_t>(kind));
        for (auto row = bounds[segment]; row < bounds[segment + 1]; ++row) {
          for (int64_t i = 0; i < width; ++i) {
            total[i] = join(kind, total[i], static_cast<acc_t>(from[row * width + i]));
          }
        }
        const auto count = static_cast<acc_t>(bounds[segment + 1] - bounds[segment]);
        for (int64_t i = 0; i < width; ++i) {
          to[segment * width + i] = static_cast<scalar_t>(kind == Reduce::Mean ? total[i] / count : total[i]);
        }
      }
    });
  });
  return out;
}

Tensor box_iou_meta(const Tensor& boxes1, const Tensor& boxes2) {
  check_boxes(boxes1, "box_iou");
  check_boxes(boxes2, "box_iou");
  OPKIT_CHECK(boxes1.scalar_type() == boxes2.scalar_type(), "box_iou: both lists of boxes must be of one type");
  return make_empty({dim_size(boxes1, 0), dim_size(boxes2, 0)}, boxes1);
}

Tensor box_iou_cpu(const Tensor& boxes1, const Tensor& boxes2) {
  auto out = box_iou_meta(boxes1, boxes2);
  const auto left = portable::contiguous(boxes1);
  const auto right = portable::contiguous(boxes2);
  const auto width = right.size(0);
  OPKIT_DISPATCH_FLOATING_AND_HALF(out.scalar_type(), "box_iou", [&] {
    const auto* a = left.const_data_ptr<scalar_t>();
    const auto* b = right.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    portable::parallel_for(0, left.size(0), row_grain(width), [&](int64_t begin, int64_t end) {
      for (auto i = begin; i < end; ++i) {
        for (int64_t j = 0; j < width; ++j) {
          to[i * width + j] = static_cast<scalar_t>(overlap(a + i * 4, b + j * 4));
        }
      }
    });
  });
  return out;
}

// The boxes that are kept, by falling score: each one removes the later boxes whose overlap with it
// exceeds the threshold.
Tensor nms_cpu(const Tensor& boxes, const Tensor& scores, double iou_threshold) {
  check_boxes(boxes, "nms");
  OPKIT_CHECK(scores.dim() == 1 && scores.size(0) == boxes.size(0), "nms: there must be one score for each box");
  const auto order = std::get<1>(aten::sort(scores, /*stable=*/true, /*dim=*/0, /*descending=*/true));
  const auto all = portable::contiguous(boxes);
  const auto* ranked = order.const_data_ptr<int64_t>();
  std::vector<int64_t> kept;
  OPKIT_DISPATCH_FLOATING_AND_HALF(boxes.scalar_type(), "nms", [&] {
    const auto* box = all.const_data_ptr<scalar_t>();
    for (int64_t i = 0; i < order.numel(); ++i) {
      const auto covered = [&](int64_t other) { return overlap(box + other * 4, box + ranked[i] * 4) > iou_threshold; };
      if (std::none_of(kept.begin(), kept.end(), covered)) {
        kept.push_back(ranked[i]);
      }
    }
  });
  auto out = make_empty({static_cast<int64_t>(kept.size())}, order);
  std::copy(kept.begin(), kept.end(), out.mutable_data_ptr<int64_t>());
  return out;
}

} // namespace opkit::native
