// torchgen_comment
// How the sizes of a call are compared with the line of `dims:`. Only Dims.cpp includes this.
#pragma once

#include "DimsRanks.h"

#include <sstream>

namespace torchgen_support::dims {

// The sizes of a call, compared with one line.
template <class Size>
class Check : public Ranks<Size> {
 public:
  using Ranks<Size>::Ranks;

  // Whether the sizes fit the line, whose ranks do.
  bool sizes() {
    std::fill_n(known_.begin(), line_.name_count, false);
    for (std::size_t i = 0; i < given_; ++i) {
      if (!numbers_[i].is_list) {
        know(numbers_[i].name, *numbers_[i].values);
      }
    }
    take_groups();
    bool has_later = false;
    for (std::size_t i = 0; i < count_; ++i) {
      for (int64_t at = 0; at < shapes_[i].rank; ++at) {
        const Dim& dim = *shapes_[i].placed[at].dim;
        has_later = has_later || dim.kind == Kind::product || dim.kind == Kind::computed;
        if (!size(i, at)) {
          return false;
        }
      }
    }
    return !has_later || later();
  }

 private:
  using Ranks<Size>::count_;
  using Ranks<Size>::fail;
  using Ranks<Size>::given_;
  using Ranks<Size>::label;
  using Ranks<Size>::line_;
  using Ranks<Size>::list;
  using Ranks<Size>::name;
  using Ranks<Size>::numbers_;
  using Ranks<Size>::ranks_;
  using Ranks<Size>::shapes_;

  void know(int16_t name, const Size& value) {
    known_[name] = true;
    sizes_[name] = value;
  }

  // Compares the size of a dimension, or leaves it for later.
  bool size(std::size_t i, int64_t at) {
    const Shape<Size>& shape = shapes_[i];
    const Size& found = shape.sizes[at];
    const Dim& dim = *shape.placed[at].dim;
    switch (dim.kind) {
      case Kind::name:
      case Kind::packed: {
        if (dim.or_one && is_one(found)) {
          return true;
        }
        const Size whole = dim.kind == Kind::packed ? found * dim.number : found;
        if (!known_[dim.name]) {
          know(dim.name, whole);
        } else if (!equal(sizes_[dim.name], whole)) {
          return other_size(i, at, sizes_[dim.name], whole);
        }
        return true;
      }
      case Kind::number:
        if (!equal(found, Size(dim.number))) {
          return fail(
          where(shape, at) + " instead of " + std::to_string(dim.number));
        }
        return true;
      case Kind::group:
      case Kind::varying:
        return (dim.or_one && is_one(found)) || like_first(i, at);
      default:
        return true;
    }
  }

  // Makes room for the sizes of groups. Those of a list of numbers are known.
  void take_groups() {
    std::size_t count = 0;
    for (int16_t name = 0; name < line_.name_count; ++name) {
      count += std::max<int64_t>(ranks_[name], 0);
      ends_[name] = count;
    }
    firsts_ = first_sizes_.of_size(count);
    std::fill_n(firsts_, count, nullptr);
    for (std::size_t i = 0; i < given_; ++i) {
      for (int64_t at = 0; numbers_[i].is_list && at < numbers_[i].count; ++at) {
        firsts_[ends_[numbers_[i].name] - numbers_[i].count + at] = numbers_[i].values + at;
      }
    }
  }

  // Compares a size with the first one of the same name, which may be a number of the call.
  bool like_first(std::size_t i, int64_t at) {
    const Placed& placed = shapes_[i].placed[at];
    const Size& found = shapes_[i].sizes[at];
    const Size* first = nullptr;
    if (placed.dim->kind == Kind::group) {
      const Size*& known = firsts_[ends_[placed.dim->name] + placed.from_end];
      known = known == nullptr ? &found : known;
      first = known;
    } else {
      const auto [before, other] = first_place(i, at);
      first = shapes_[before].sizes + other;
    }
    return equal(*first, found) || other_size(i, at, *first, found);
  }

  // The tensor and the dimension where the size of a name was seen first.
  std::pair<std::size_t, int64_t> first_place(std::size_t i, int64_t at) const {
    const Dim& own = *shapes_[i].placed[at].dim;
    for (std::size_t before = 0; before < i; ++before) {
      const TensorDims& tensor = *shapes_[before].tensor;
      const bool has = std::any_of(
          tensor.dims, tensor.dims + tensor.count, [&](const Dim& other) { return other.name == own.name; });
      for (int64_t other = 0; has && other < shapes_[before].rank; ++other) {
        if (is_same(before, other, i, at)) {
          return {before, other};
        }
      }
    }
    for (int64_t other = 0; other < at; ++other) {
      if (is_same(i, other, i, at)) {
        return {i, other};
      }
    }
    return {i, at};
  }

  // Whether two dimensions have one name, and neither is broadcast.
  bool is_same(std::size_t i, int64_t at, std::size_t j, int64_t other) const {
    const Placed& one = shapes_[i].placed[at];
    const Placed& two = shapes_[j].placed[other];
    if (one.dim->name != two.dim->name || (one.dim->or_one && is_one(shapes_[i].sizes[at]))) {
      return false;
    }
    switch (two.dim->kind) {
      case Kind::group:
        return one.dim->kind == Kind::group && one.from_end == two.from_end;
      case Kind::varying:
        return one.dim->kind == Kind::varying && shapes_[i].element == shapes_[j].element;
      default:
        return one.dim->kind == Kind::name || one.dim->kind == Kind::packed;
    }
  }

  bool other_size(std::size_t i, int64_t at, const Size& first, const Size& found) {
    const Dim& dim = *shapes_[i].placed[at].dim;
    const std::string star = dim.kind == Kind::group ? "*" : "";
    std::string place = " as an argument";
    if (!is_number(dim.name) && list(dim.name) == nullptr) {
      const auto [before, other] = first_place(i, at);
      place = " in " + label(shapes_[before]) + " (dimension " + std::to_string(other) + ")";
    }
    return fail(
          star + name(dim.name) + " is " + shown(first) + place + " and " + shown(found) + " in " + label(shapes_[i]) + " (dimension " + std::to_string(at) + ")");
  }

  bool is_number(int16_t name) const {
    return std::any_of(numbers_, numbers_ + given_, [&](const Numbers<Size>& own) {
      return !own.is_list && own.name == name;
    });
  }

  // Products and expressions, as long as one of them gives something new.
  bool later() {
    std::vector<std::array<std::size_t, 2>> left;
    for (std::size_t i = 0; i < count_; ++i) {
      for (int64_t at = 0; at < shapes_[i].rank; ++at) {
        left.push_back({i, static_cast<std::size_t>(at)});
      }
    }
    for (std::size_t before = left.size() + 1; left.size() < before;) {
      before = left.size();
      std::vector<std::array<std::size_t, 2>> rest;
      for (const auto& [i, at] : left) {
        const Dim& dim = *shapes_[i].placed[at].dim;
        if (dim.kind != Kind::product && dim.kind != Kind::computed) {
          continue;
        }
        bool is_done = true;
        if (!(dim.kind == Kind::product ? product(shapes_[i], at, dim, is_done)
                                        : computed(shapes_[i], at, dim, is_done))) {
          return false;
        }
        if (!is_done) {
          rest.push_back({i, at});
        }
      }
      left = std::move(rest);
    }
    return true;
  }

  bool product(const Shape<Size>& shape, std::size_t at, const Dim& dim, bool& is_done) {
    const Step* unknown = nullptr;
    Size others = Size(1);
    std::string text;
    for (const Step* step = dim.steps; step != dim.steps + dim.step_count; ++step) {
      if (step->operation == Operation::name && !known_[step->name]) {
        is_done = unknown == nullptr;
        unknown = step;
        if (!is_done) {
          return true;
        }
        continue;
      }
      const bool is_name = step->operation == Operation::name;
      others = others * (is_name ? sizes_[step->name] : Size(step->number));
      text += (text.empty() ? "" : "*") + (is_name ? name(step->name) : std::to_string(step->number));
    }
    const Size& found = shape.sizes[at];
    if (unknown == nullptr) {
      return equal(found, others) || fail(where(shape, at) + " instead of " + valued(text, others));
    }
    const bool is_empty = is_zero(others);
    if (!(is_empty ? equal(found, Size(0)) : equal(found % others, Size(0)))) {
      return fail(
          where(shape, at) + ", not a multiple of " + valued(text, others));
    }
    know(unknown->name, is_empty ? Size(0) : found / others);
    return true;
  }

  bool computed(const Shape<Size>& shape, std::size_t at, const Dim& dim, bool& is_done) {
    const Step* unknown = nullptr;
    for (const Step* step = dim.steps; step != dim.steps + dim.step_count; ++step) {
      if (step->operation == Operation::name && !known_[step->name]) {
        is_done = unknown == nullptr && dim.solved == step->name;
        unknown = step;
        if (!is_done) {
          return true;
        }
      }
    }
    const Size& found = shape.sizes[at];
    if (unknown == nullptr) {
      const Size value = evaluated(dim);
      return equal(found, value) || fail(where(shape, at) + " instead of " + valued(dim.text, value));
    }
    sizes_[unknown->name] = Size(0);
    const Size solved = found - evaluated(dim);
    if (!at_least(solved, Size(0))) {
      return fail(
          where(shape, at) + ", so " + name(unknown->name) + " in " + dim.text + " would be " + shown(solved));
    }
    know(unknown->name, solved);
    return true;
  }

  // The value of an expression, whose operands precede their operation.
  Size evaluated(const Dim& dim) const {
    std::vector<Size> stack;
    for (const Step* step = dim.steps; step != dim.steps + dim.step_count; ++step) {
      if (step->operation == Operation::name) {
        stack.push_back(sizes_[step->name]);
      } else if (step->operation == Operation::number) {
        stack.push_back(Size(step->number));
      } else {
        const Size right = stack.back();
        stack.pop_back();
        Size& left = stack.back();
        left = step->operation == Operation::add ? left + right
            : step->operation == Operation::subtract ? left - right
                                                     : left * right;
      }
    }
    return stack.back();
  }

  static std::string where(const Shape<Size>& shape, std::size_t at) {
    return "dimension " + std::to_string(at) + " of " + label(shape) + " is " + shown(shape.sizes[at]);
  }

  static std::string valued(const std::string& text, const Size& value) {
    const std::string number = shown(value);
    return text == number ? text : text + " = " + number;
  }

  static std::string shown(const Size& size) {
    std::ostringstream text;
    text << size;
    return text.str();
  }

  // Where each dimension of a group has its first size; those of a group end where its name says.
  Buffer<const Size*, 32> first_sizes_;
  const Size** firsts_ = nullptr;
  // By names.
  std::array<std::size_t, MAX_NAMES> ends_;
  std::array<bool, MAX_NAMES> known_;
  std::array<Size, MAX_NAMES> sizes_;
};

// Why an argument of a call does not fit a line that names it or does not; empty if all do.
inline std::string not_given(const Operator& op, const Line& line, const Argument* arguments) {
  for (int16_t i = 0; i < op.argument_count; ++i) {
    if (!op.arguments[i].decides) {
      continue;
    }
    const bool is_named = std::any_of(
        line.tensors, line.tensors + line.tensor_count, [&](const TensorDims& tensor) { return tensor.argument == i; });
    if (is_named != arguments[i].is_given()) {
      return op.arguments[i].name + std::string(is_named ? " is missing" : " is given");
    }
  }
  return {};
}

// Compares a call with one line. `is_for_ranks` is set if the line is for these ranks.
template <class Size>
std::string compared(const Line& line, const Argument* arguments, bool& is_for_ranks) {
  std::size_t count = 0;
  for (int16_t i = 0; i < line.tensor_count; ++i) {
    count += arguments[line.tensors[i].argument].count();
  }
  Buffer<Shape<Size>, 8> shapes;
  Shape<Size>* shape = shapes.of_size(count);
  Shape<Size>* const first = shape;
  for (int16_t i = 0; i < line.tensor_count; ++i) {
    const TensorDims& tensor = line.tensors[i];
    arguments[tensor.argument].template each_tensor<Size>([&](int64_t element, const Size* sizes, int64_t rank) {
      *shape++ = Shape<Size>{&tensor, element, sizes, rank, nullptr};
    });
  }
  Buffer<Numbers<Size>, 8> numbers;
  Buffer<Size, 8> values;
  Numbers<Size>* number = numbers.of_size(line.number_count);
  Numbers<Size>* const first_number = number;
  Size* value = values.of_size(line.number_count);
  for (int16_t i = 0; i < line.number_count; ++i) {
    const Argument& argument = arguments[line.numbers[i].argument];
    if (argument.is_given()) {
      *number++ = argument.template numbers<Size>(line.numbers[i].name, value++);
    }
  }
  Check<Size> check(line, first, shape - first, first_number, number - first_number);
  is_for_ranks = check.ranks();
  if (is_for_ranks) {
    check.sizes();
  }
  return check.reason();
}

// Why the sizes of a call do not fit an operator's lines; empty if they fit the first one that is
// for its ranks and its optional tensors.
template <class Size>
std::string checked(const Operator& op, const Argument* arguments) {
  std::string reasons;
  for (int16_t i = 0; i < op.line_count; ++i) {
    const Line& line = op.lines[i];
    std::string reason = op.line_count > 1 ? not_given(op, line, arguments) : std::string();
    bool is_for_ranks = false;
    if (reason.empty()) {
      reason = compared<Size>(line, arguments, is_for_ranks);
      if (reason.empty()) {
        return {};
      }
    }
    reason += "; dims: " + std::string(line.text);
    if (is_for_ranks || op.line_count == 1) {
      return op.name + (": " + reason);
    }
    reasons += (reasons.empty() ? "" : ", nor: ") + reason;
  }
  return op.name + (": no line of dims fits: " + reasons);
}

} // namespace torchgen_support::dims
