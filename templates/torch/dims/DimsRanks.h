// torchgen_comment
// The first half of the checks of sizes: which dimension of a line is which of a tensor.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support::dims {

// What depends on whether sizes are symbolic: compilers guard what these say.
inline bool equal(int64_t left, int64_t right) {
  return left == right;
}

inline bool is_one(int64_t size) {
  return size == 1;
}

inline bool is_zero(int64_t size) {
  return size == 0;
}

inline bool at_least(int64_t left, int64_t right) {
  return left >= right;
}

inline int64_t as_number(int64_t size) {
  return size;
}

// A dimension at its place. `from_end` is the index of one of a group's, from its end: -1 is the last.
struct Placed {
  const Dim* dim;
  int64_t from_end;
};

// A tensor of a call, or an element of a list.
template <class Size>
struct Shape {
  const TensorDims* tensor;
  // Its place in the list, or -1.
  int64_t element;
  const Size* sizes;
  int64_t rank;
  // The dimensions of the line at their places, when they are known.
  Placed* placed;
};

// Values in one piece of memory, which is the heap's only if there are many.
template <class T, std::size_t FEW>
class Buffer {
 public:
  T* of_size(std::size_t size) {
    if (size <= FEW) {
      return few_.data();
    }
    many_.resize(size);
    return many_.data();
  }

 private:
  std::array<T, FEW> few_;
  std::vector<T> many_;
};


// The ranks of a call, compared with one line, and where its dimensions are.
template <class Size>
class Ranks {
 public:
  Ranks(const Line& line, Shape<Size>* shapes, std::size_t count, const Numbers<Size>* numbers, std::size_t given)
      : line_(line), shapes_(shapes), count_(count), numbers_(numbers), given_(given) {
    std::size_t dimensions = 0;
    for (std::size_t i = 0; i < count; ++i) {
      dimensions += shapes[i].rank;
    }
    Placed* placed = placed_.of_size(dimensions);
    for (std::size_t i = 0; i < count; ++i) {
      shapes[i].placed = placed;
      placed += shapes[i].rank;
    }
  }

  // Why one of these is false.
  const std::string& reason() const {
    return reason_;
  }

  // Whether the ranks fit the line.
  bool ranks() {
    std::fill_n(ranks_.begin(), line_.name_count, UNKNOWN);
    for (std::size_t i = 0; i < given_; ++i) {
      if (numbers_[i].is_list) {
        ranks_[numbers_[i].name] = numbers_[i].count;
      }
    }
    // First the tensors that give the ranks of groups, then those with several groups.
    for (const bool several : {false, true}) {
      for (std::size_t i = 0; i < count_; ++i) {
        if ((groups(*shapes_[i].tensor) > 1) == several) {
          if (!rank(shapes_[i])) {
            return false;
          }
        }
      }
    }
    return !has_broadcast_group_ || short_groups();
  }

 protected:
  static constexpr int64_t UNKNOWN = -1;

  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }

  static int64_t groups(const TensorDims& tensor) {
    return std::count_if(
        tensor.dims, tensor.dims + tensor.count, [](const Dim& dim) { return dim.kind == Kind::group; });
  }

  // The rank of a tensor, which gives that of a group.
  bool rank(const Shape<Size>& shape) {
    const TensorDims& tensor = *shape.tensor;
    const bool alone = groups(tensor) < 2;
    int64_t least = 0;
    const Dim* unknown = nullptr;
    for (const Dim* dim = tensor.dims; dim != tensor.dims + tensor.count; ++dim) {
      if (dim->kind != Kind::group) {
        ++least;
      } else if (!alone && ranks_[dim->name] != UNKNOWN) {
        least += ranks_[dim->name];
      } else if (unknown != nullptr) {
        return fail(
          "the ranks of *" + name(unknown->name) + " and *" + name(dim->name) + " in " + label(shape) + " are not known");
      } else {
        unknown = dim;
      }
    }
    if (shape.rank < least || (unknown == nullptr && shape.rank > least)) {
      const char* instead = unknown == nullptr ? " instead of " : " instead of at least ";
      return fail(
          label(shape) + " has " + dimensions(shape.rank) + instead + std::to_string(least));
    }
    has_broadcast_group_ = has_broadcast_group_ || (unknown != nullptr && unknown->or_one);
    if (unknown != nullptr && !unknown->or_one) {
      const int64_t found = shape.rank - least;
      if (ranks_[unknown->name] == UNKNOWN) {
        ranks_[unknown->name] = found;
      } else if (ranks_[unknown->name] != found) {
        return other_rank(shape, unknown->name, found);
      }
    }
    return place(shape, unknown, shape.rank - least);
  }

  // A group that can be broadcast has the rank that others say, or less.
  bool short_groups() {
    std::array<bool, MAX_NAMES> decided{};
    for (int16_t name = 0; name < line_.name_count; ++name) {
      decided[name] = ranks_[name] != UNKNOWN;
    }
    for (const bool compares : {false, true}) {
      for (std::size_t i = 0; i < count_; ++i) {
        const TensorDims& tensor = *shapes_[i].tensor;
        const Dim* group = broadcast_group(tensor);
        if (group == nullptr) {
          continue;
        }
        const int64_t found = group_rank(shapes_[i], *group);
        if (!compares && !decided[group->name]) {
          ranks_[group->name] = std::max(ranks_[group->name], found);
        } else if (compares && found > ranks_[group->name]) {
          return other_rank(shapes_[i], group->name, found);
        }
      }
    }
    return true;
  }

  static const Dim* broadcast_group(const TensorDims& tensor) {
    const Dim* end = tensor.dims + tensor.count;
    const Dim* found =
        std::find_if(tensor.dims, end, [](const Dim& dim) { return dim.kind == Kind::group && dim.or_one; });
    return found == end ? nullptr : found;
  }

  // How many dimensions of a tensor belong to a group in it.
  int64_t group_rank(const Shape<Size>& shape, const Dim& group) const {
    if (!group.or_one) {
      return ranks_[group.name];
    }
    int64_t rest = shape.rank;
    for (const Dim* dim = shape.tensor->dims; dim != shape.tensor->dims + shape.tensor->count; ++dim) {
      if (dim != &group) {
        rest -= dim->kind == Kind::group ? ranks_[dim->name] : 1;
      }
    }
    return rest;
  }

  bool other_rank(const Shape<Size>& shape, int16_t group, int64_t found) {
    std::string first = " as an argument";
    for (std::size_t i = 0; i < count_; ++i) {
      const TensorDims& tensor = *shapes_[i].tensor;
      const bool gives = std::any_of(tensor.dims, tensor.dims + tensor.count, [&](const Dim& dim) {
        return dim.kind == Kind::group && dim.name == group && group_rank(shapes_[i], dim) == ranks_[group];
      });
      if (gives && groups(tensor) == 1 && list(group) == nullptr) {
        first = " in " + label(shapes_[i]);
        break;
      }
    }
    return fail(
          "*" + name(group) + " has " + dimensions(ranks_[group]) + first + " and " + std::to_string(found) + " in " + label(shape));
  }

  const Numbers<Size>* list(int16_t name) const {
    const auto* end = numbers_ + given_;
    const auto* found =
        std::find_if(numbers_, end, [&](const Numbers<Size>& own) { return own.is_list && own.name == name; });
    return found == end ? nullptr : found;
  }

  // Puts each dimension of the line where it is in a tensor, in which a group may have `count`.
  bool place(const Shape<Size>& shape, const Dim* group, int64_t count) {
    const Dim* const end = shape.tensor->dims + shape.tensor->count;
    std::fill(shape.placed, shape.placed + shape.rank, Placed{nullptr, 0});
    for (const Dim* dim = shape.tensor->dims; dim != end; ++dim) {
      if (dim->at == NONE) {
        continue;
      }
      const int64_t given = number(dim->at);
      if (given < -shape.rank || given >= shape.rank) {
        return fail(
          name(dim->at) + " is " + std::to_string(given) + ", and " + label(shape) + " has " + dimensions(shape.rank));
      }
      const int64_t at = given < 0 ? given + shape.rank : given;
      if (shape.placed[at].dim != nullptr) {
        return fail(
          name(shape.placed[at].dim->at) + " and " + name(dim->at) + " are both dimension " + std::to_string(at) + " of " + label(shape));
      }
      shape.placed[at] = Placed{dim, 0};
    }
    Placed* next = shape.placed;
    for (const Dim* dim = shape.tensor->dims; dim != end; ++dim) {
      if (dim->at != NONE) {
        continue;
      }
      const int64_t own = dim->kind != Kind::group ? 1 : dim == group ? count : ranks_[dim->name];
      for (int64_t i = 0; i < own; ++i, ++next) {
        while (next->dim != nullptr) {
          ++next;
        }
        *next = Placed{dim, i - own};
      }
    }
    return true;
  }

  int64_t number(int16_t name) const {
    for (std::size_t i = 0; i < given_; ++i) {
      if (numbers_[i].name == name) {
        return as_number(*numbers_[i].values);
      }
    }
    return 0;
  }

  static std::string dimensions(int64_t count) {
    return std::to_string(count) + (count == 1 ? " dimension" : " dimensions");
  }

  std::string name(int16_t index) const {
    return line_.names[index];
  }

  static std::string label(const Shape<Size>& shape) {
    const std::string name = shape.tensor->name;
    return shape.element < 0 ? name : name + "[" + std::to_string(shape.element) + "]";
  }

  const Line& line_;
  Shape<Size>* shapes_;
  std::size_t count_;
  const Numbers<Size>* numbers_;
  std::size_t given_;
  Buffer<Placed, 32> placed_;
  std::string reason_;
  // By the names of groups.
  std::array<int64_t, MAX_NAMES> ranks_;
  bool has_broadcast_group_ = false;
};

} // namespace torchgen_support::dims
