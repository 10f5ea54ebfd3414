// Evaluators of nodes that compute each element by itself.
#pragma once

#include "kit.h"

namespace glow {

namespace evaluating {

/// The larger and the smaller of two numbers, and not a number if one of them is none.
inline double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }
inline double smaller(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b); }
inline double clipped(double x, double least, double greatest) { return smaller(larger(x, least), greatest); }
inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double sign(double x) { return std::isnan(x) ? x : (x > 0) - (x < 0); }

/// A fused activation.
template <typename NodeTy> double activated(const NodeTy &node, double x) {
  const auto arguments = node.getFusedActivationArgs();
  switch (node.getFusedActivation()) {
  case FusedActivation::NONE:
    return x;
  case FusedActivation::RELU:
    return larger(x, 0);
  case FusedActivation::CLIP:
    require(arguments.size() == 2);
    return clipped(x, arguments[0], arguments[1]);
  case FusedActivation::TANH:
    return std::tanh(x);
  case FusedActivation::SIGMOID:
    return sigmoid(x);
  case FusedActivation::LEAKY_RELU:
    require(arguments.size() == 1);
    return x > 0 ? x : arguments[0] * x;
  }
  throw std::runtime_error("there is no such activation");
}

} // namespace evaluating

// One element at a time.

#define EVALUATE_EACH(NODE, EXPRESSION)                                                                                \
  inline void evaluate(const NODE##Node &node, Evaluation &values) {                                                   \
    evaluating::each(values, node.getResult(), node.getInput(), [&](double x) -> double { return EXPRESSION; });       \
  }
#define EVALUATE_EACH_OF_TWO(NODE, EXPRESSION)                                                                         \
  inline void evaluate(const NODE##Node &node, Evaluation &values) {                                                   \
    evaluating::each(values, node.getResult(), node.getLHS(), node.getRHS(),                                           \
                     [&](double x, double y) -> double { return EXPRESSION; });                                        \
  }

EVALUATE_EACH(Abs, std::fabs(x))
EVALUATE_EACH(Acos, std::acos(x))
EVALUATE_EACH(Asin, std::asin(x))
EVALUATE_EACH(Atan, std::atan(x))
EVALUATE_EACH(Ceil, std::ceil(x))
EVALUATE_EACH(Clip, evaluating::clipped(x, node.getMin(), node.getMax()))
EVALUATE_EACH(Cos, std::cos(x))
EVALUATE_EACH(Erf, std::erf(x))
EVALUATE_EACH(Exp, std::exp(x))
EVALUATE_EACH(Floor, std::floor(x))
EVALUATE_EACH(Gelu, x / 2 * (1 + std::erf(x / std::sqrt(2.0))))
EVALUATE_EACH(HardSwish, x *evaluating::clipped(x + 3, 0, 6) / 6)
EVALUATE_EACH(IsNaN, std::isnan(x))
EVALUATE_EACH(LeakyRelu, x > 0 ? x : node.getAlpha() * x)
EVALUATE_EACH(Log, std::log(x))
EVALUATE_EACH(Neg, -x)
EVALUATE_EACH(Not, x == 0)
EVALUATE_EACH(Reciprocal, 1 / x)
EVALUATE_EACH(Relu, evaluating::larger(x, 0))
EVALUATE_EACH(Round, std::nearbyint(x))
EVALUATE_EACH(Rsqrt, 1 / std::sqrt(x))
EVALUATE_EACH(Sigmoid, evaluating::sigmoid(x))
EVALUATE_EACH(Sign, evaluating::sign(x))
EVALUATE_EACH(Sin, std::sin(x))
EVALUATE_EACH(SoftPlus, std::log1p(std::exp(x)))
EVALUATE_EACH(Sqrt, std::sqrt(x))
EVALUATE_EACH(Swish, x *evaluating::sigmoid(x))
EVALUATE_EACH(Tanh, std::tanh(x))
EVALUATE_EACH(Truncate, std::trunc(x))

// Conversions: the type of the result rounds.
EVALUATE_EACH(ConvertTo, x)
EVALUATE_EACH(Dequantize, x)
EVALUATE_EACH(Quantize, x)
EVALUATE_EACH(RescaleQuantized, x)

EVALUATE_EACH_OF_TWO(Add, x + y)
EVALUATE_EACH_OF_TWO(CmpEQ, x == y)
EVALUATE_EACH_OF_TWO(CmpLTE, x <= y)
EVALUATE_EACH_OF_TWO(Div, x / y)
EVALUATE_EACH_OF_TWO(Fmod, std::fmod(x, y))
EVALUATE_EACH_OF_TWO(Max, evaluating::larger(x, y))
EVALUATE_EACH_OF_TWO(Min, evaluating::smaller(x, y))
EVALUATE_EACH_OF_TWO(Mul, x *y)
EVALUATE_EACH_OF_TWO(Pow, std::pow(x, y))
EVALUATE_EACH_OF_TWO(Sub, x - y)

#undef EVALUATE_EACH
#undef EVALUATE_EACH_OF_TWO

inline void evaluate(const PReluNode &node, Evaluation &values) {
  evaluating::each(values, node.getResult(), node.getInput(), node.getSlope(),
                   [](double x, double slope) { return x > 0 ? x : slope * x; });
}

inline void evaluate(const SelectNode &node, Evaluation &values) {
  const EvaluatedTensor &condition = values.of(node.getCond());
  const EvaluatedTensor &lhs = values.of(node.getLHS()), &rhs = values.of(node.getRHS());
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &index) {
    return evaluating::elementAt(evaluating::elementAt(condition, index) != 0 ? lhs : rhs, index);
  });
}

inline void evaluate(const SplatNode &node, Evaluation &values) {
  evaluating::put(values, node.getResult(), [&](const evaluating::Dims &) { return node.getValue(); });
}

/// What a Touch holds is not to be used, so it is not a number.
inline void evaluate(const TouchNode &node, Evaluation &values) {
  evaluating::put(values, node.getResult(),
                  [](const evaluating::Dims &) { return std::numeric_limits<double>::quiet_NaN(); });
}

} // namespace glow
