// Compares what graphs compute before and after a rule.
#pragma once

#include "examples.h"
#include "functions.h"
#include "rewrite.h"
#include "sampler.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

namespace torchgen_support::rules_test {

/// What a rule takes for granted.
struct Assumptions {
  bool noNan, noInf, reassociation, quantization;
};

/// Random graphs that a rule matches.
class Proof {
  const char *rule_;
  Assumptions assumptions_;
  unsigned tries_;
  std::mt19937_64 random_{1};
  RewriteOptions options_;
  unsigned matched_ = 0;
  /// The smallest graph for which results differ, and its number of elements.
  std::string worst_;
  std::size_t worstSize_ = std::numeric_limits<std::size_t>::max();
  std::string missing_;

public:
  static unsigned count, failed, unproved;
  /// The graphs of a pattern that are compared.
  static constexpr unsigned enough = 100;

  Proof(const char *rule, Assumptions assumptions, unsigned tries)
      : rule_(rule), assumptions_(assumptions), tries_(tries), options_(onlyRule(rule)) {
    if (assumptions.quantization) {
      missing_ = "it assumes that rounding to quantized types does not matter";
    }
  }

  /// Tries the graphs of one pattern.
  void graphs(NodeValue (*sample)(Sampler &)) {
    const unsigned before = matched_;
    for (unsigned tried = 0; tried < tries_ && matched_ - before < enough && missing_.empty(); ++tried) {
      Sampler sampler(random_);
      try {
        const NodeValue root = sample(sampler);
        if (sampler.function().verify()) {
          compare(sampler, root);
        }
      } catch (const std::exception &) {
        // No graph: shapes or members do not fit together.
      }
    }
  }

  void report() const {
    ++count;
    if (!worst_.empty()) {
      ++failed;
      std::printf("the rule `%s` is wrong:\n%s", rule_, worst_.c_str());
    } else if (!missing_.empty()) {
      ++unproved;
      std::printf("the rule `%s` is not compared: %s\n", rule_, missing_.c_str());
    } else if (matched_ == 0) {
      ++unproved;
      std::printf("the rule `%s` is not compared: no random graph is matched\n", rule_);
    }
  }

private:
  void compare(Sampler &sampler, NodeValue root) {
    const std::string before = text(sampler.function());
    const auto made = rewriteNode(root.getNode(), options_);
    if (made.empty()) {
      return;
    }
    Evaluation evaluation;
    std::size_t size = 0;
    std::string given;
    for (const NodeValue &leaf : sampler.all()) {
      given += fill(evaluation, leaf);
      size += leaf.getType()->size();
    }
    for (const auto &[result, value] : made) {
      const NodeValue replaced = root.getNode()->getNthResult(result);
      const EvaluatedTensor *left = value_of(evaluation, replaced);
      if (!left) {
        return;
      }
      const EvaluatedTensor expected = *left;
      const EvaluatedTensor *right = value_of(evaluation, value);
      if (!missing_.empty()) {
        return;
      }
      if ((!right || !same(expected, *right)) && size < worstSize_) {
        worstSize_ = size;
        const std::string after = right ? text(*right) : " cannot be computed";
        worst_ = before + given + "before: " + text(expected) + "\nafter: " + after + "\n";
      }
    }
    ++matched_;
  }

  /// The tensor of a value; null if it cannot be computed.
  const EvaluatedTensor *value_of(Evaluation &evaluation, NodeValue value) {
    try {
      return &evaluation.of(value);
    } catch (const NoEvaluator &error) {
      missing_ = error.what();
    } catch (const std::exception &) {
      // The graph computes nothing.
    }
    return nullptr;
  }

  /// Random elements for a leaf.
  std::string fill(Evaluation &evaluation, NodeValue leaf) {
    EvaluatedTensor tensor{leaf.dims().vec(), {}};
    const bool whole = !leaf.getType()->isFPType();
    const double some[] = {0, 1, -1, 2, 0.5, -0.25, 3};
    for (std::size_t i = 0; i < leaf.getType()->size(); ++i) {
      const unsigned at = static_cast<unsigned>(random_() % 40);
      double element = some[at % 7];
      if (!whole && at == 7 && !assumptions_.noNan) {
        element = std::numeric_limits<double>::quiet_NaN();
      } else if (!whole && at == 8 && !assumptions_.noInf) {
        element = std::numeric_limits<double>::infinity();
      } else if (!whole && at >= 20) {
        // With all bits of its fraction, so that sums are rounded.
        element = std::uniform_real_distribution<double>(-4, 4)(random_);
      }
      tensor.elements.push_back(held(leaf.getType(), element));
    }
    if (const auto *constant = dyn_cast<Constant>(leaf.getNode())) {
      tensor.elements = rewriting::elementsOf(*constant);
      if (tensor.elements.size() != leaf.getType()->size()) {
        throw std::runtime_error("no numbers are known of a constant");
      }
    }
    std::string words = leaf.getNode()->getName().str() + " = " + text(tensor) + "\n";
    evaluation.set(leaf, std::move(tensor));
    return words;
  }

  /// The nearest number that an element of a type can be.
  static double held(TypeRef type, double element) {
    if (type->isFPType()) {
      return element;
    }
    const double whole = std::floor(std::fabs(element));
    if (type->isQuantizedType()) {
      return type->getScale() * (whole - type->getOffset());
    }
    return type->getElementType() == ElemKind::BoolTy ? whole != 0 : whole;
  }

  bool same(const EvaluatedTensor &a, const EvaluatedTensor &b) const {
    if (a.dims != b.dims || a.elements.size() != b.elements.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.elements.size(); ++i) {
      const double x = a.elements[i], y = b.elements[i];
      if (x == y || (std::isnan(x) && std::isnan(y))) {
        continue;
      }
      const double tolerance = assumptions_.reassociation ? 1e-6 * std::fmax(1, std::fmax(std::fabs(x), std::fabs(y))) : 0;
      if (!(std::fabs(x - y) <= tolerance)) {
        return false;
      }
    }
    return true;
  }

  /// A line for each node.
  static std::string text(const Function &function) {
    std::string words;
    for (const Node &node : function.getNodes()) {
      words += node.getName().str() + " = " + node.getKindName() + "(";
      for (unsigned i = 0; i < node.getNumInputs(); ++i) {
        words += (i ? ", " : "") + node.getNthInput(i).generateNodeOutputName(true);
      }
      bool isFirst = node.getNumInputs() == 0;
      for (const MemberInfo &member : node.getClassInfo().members) {
        words += (isFirst ? "" : ", ") + std::string(member.name) + "=" + node.getMemberText(member.name);
        isFirst = false;
      }
      words += ")\n";
    }
    return words;
  }

  static std::string text(const EvaluatedTensor &tensor) {
    std::string words = "<";
    for (std::size_t i = 0; i < tensor.dims.size(); ++i) {
      words += (i ? " x " : "") + std::to_string(tensor.dims[i]);
    }
    words += ">";
    std::ostringstream elements;
    elements.precision(17);
    for (double element : tensor.elements) {
      elements << " " << element;
    }
    return words + elements.str();
  }
};

unsigned Proof::count = 0, Proof::failed = 0, Proof::unproved = 0;

} // namespace torchgen_support::rules_test
