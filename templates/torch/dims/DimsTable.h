// torchgen_comment
// What the line of `dims:` says of an operator, as data for the checks of its kernels.
#pragma once

#include <cstdint>

namespace torchgen_support::dims {

// No name.
constexpr int16_t NONE = -1;
// How many names a line has at most.
constexpr int16_t MAX_NAMES = 64;

enum class Kind : uint8_t { name, group, number, unchecked, product, packed, computed, varying };

enum class Operation : uint8_t { name, number, add, subtract, multiply };

// A factor of a product, or a part of an expression in which operands precede their operation.
struct Step {
  Operation operation;
  int16_t name;
  int64_t number;
};

struct Dim {
  Kind kind;
  // It can also be 1, which is broadcast.
  bool or_one;
  // A place among the names of the line, as are those below.
  int16_t name;
  // The number that says where it is.
  int16_t at;
  // A size, or how many of the name are packed.
  int64_t number;
  const Step* steps;
  int16_t step_count;
  // The name that an expression can be solved for.
  int16_t solved;
  // An expression as it is written.
  const char* text;
};

struct TensorDims {
  const char* name;
  // Its place among the arguments of the operator.
  int16_t argument;
  const Dim* dims;
  int16_t count;
};

// An argument that is a size, a list of sizes, or the place of a dimension.
struct NumberName {
  int16_t argument;
  int16_t name;
};

struct Line {
  const char* text;
  const char* const* names;
  int16_t name_count;
  const TensorDims* tensors;
  int16_t tensor_count;
  const NumberName* numbers;
  int16_t number_count;
};

struct NamedArgument {
  const char* name;
  // It can be None, and not all lines name it.
  bool decides;
};

// A number, or a list of them, that a line names.
template <class Size>
struct Numbers {
  int16_t name;
  bool is_list;
  const Size* values;
  int64_t count;
};

// An operator: the first of its lines that is for the ranks of a call counts.
struct Operator {
  const char* name;
  const NamedArgument* arguments;
  int16_t argument_count;
  const Line* lines;
  int16_t line_count;
};

} // namespace torchgen_support::dims
