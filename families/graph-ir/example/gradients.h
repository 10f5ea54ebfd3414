// Gradients of the nodes that ClassGen generates none for, as rules for `differentiate`.
#pragma once

#include "IRSupport.h"

namespace glow_examples {

using namespace glow;

/// A reshape to a type.
inline NodeValue reshaped(Function *F, const std::string &name, NodeValue value, TypeRef type) {
  return F->createReshape(name, type, value, type->dims().vec(), "*")->getResult();
}

/// A transpose by a shuffle.
inline NodeValue transposed(Function *F, const std::string &name, NodeValue value, std::vector<unsigned_t> shuffle) {
  std::vector<dim_t> dims;
  for (unsigned_t from : shuffle) {
    dims.push_back(value.dims()[from]);
  }
  TypeRef type = F->getParent()->uniqueTypeWithNewShape(value.getType(), dims);
  return F->createTranspose(name, type, value, shuffle, "*")->getResult();
}

template <typename NodeTy>
void addRule(GradientRules &rules, Kinded::Kind kind, void (*rule)(NodeTy *, Function *, GraphGradMapper &)) {
  rules.add(kind, [rule](Node *node, GraphGradMapper &map) {
    bool reached = false;
    for (unsigned i = 0; i < node->getNumResults(); ++i) {
      reached = reached || map.hasGradient(node->getNthResult(i));
    }
    if (reached) {
      rule(cast<NodeTy>(node), map.getFunction(), map);
    }
  });
}

/// The rules of all nodes below.
inline GradientRules gradientRules() {
  using Kind = Kinded::Kind;
  GradientRules rules;
  addRule<ReshapeNode>(rules, Kind::ReshapeNodeKind, [](ReshapeNode *node, Function *F, GraphGradMapper &map) {
    const NodeValue grad = map.getGradient(node->getResult());
    map.addGradient(node->getInput(), reshaped(F, "reshape_grad", grad, node->getInput().getType()));
  });
  addRule<ConvertToNode>(rules, Kind::ConvertToNodeKind, [](ConvertToNode *node, Function *F, GraphGradMapper &map) {
    const NodeValue grad = map.getGradient(node->getResult());
    map.addGradient(node->getInput(), F->createConvertTo("convert_grad", node->getInput().getType(), grad)->getResult());
  });
  addRule<TransposeNode>(rules, Kind::TransposeNodeKind, [](TransposeNode *node, Function *F, GraphGradMapper &map) {
    std::vector<unsigned_t> back(node->getShuffle().size());
    for (unsigned_t i = 0; i < back.size(); ++i) {
      back[node->getShuffle()[i]] = i;
    }
    map.addGradient(node->getInput(), transposed(F, "transpose_grad", map.getGradient(node->getResult()), back));
  });
  addRule<SliceNode>(rules, Kind::SliceNodeKind, [](SliceNode *node, Function *F, GraphGradMapper &map) {
    auto *zeros = F->createSplat("slice_zero", node->getInput().getType(), 0.0f);
    const NodeValue grad = map.getGradient(node->getResult());
    auto *insert = F->createInsertTensor("slice_grad", zeros, grad, node->getStart(), 1, 0);
    map.addGradient(node->getInput(), insert->getResult());
  });
  addRule<ConcatNode>(rules, Kind::ConcatNodeKind, [](ConcatNode *node, Function *F, GraphGradMapper &map) {
    const NodeValue grad = map.getGradient(node->getResult());
    std::vector<dim_t> start(grad.dims().size(), 0);
    for (const NodeValue &input : node->getInputs()) {
      map.addGradient(input, F->createSlice("concat_grad", input.getType(), grad, start)->getResult());
      start[node->getDim()] += input.dims()[node->getDim()];
    }
  });
  addRule<TileNode>(rules, Kind::TileNodeKind, [](TileNode *node, Function *F, GraphGradMapper &map) {
    // The copies become a dimension of their own, which is summed.
    std::vector<dim_t> dims = node->getInput().dims().vec();
    dims.insert(dims.begin() + node->getAxis(), node->getCount());
    TypeRef split = F->getParent()->uniqueTypeWithNewShape(node->getInput().getType(), dims);
    const NodeValue grad = reshaped(F, "tile_grad_split", map.getGradient(node->getResult()), split);
    auto *sum = F->createBatchedReduceAdd("tile_grad", node->getInput().getType(), grad, node->getAxis());
    map.addGradient(node->getInput(), sum->getResult());
  });
  addRule<BatchedReduceAddNode>(
      rules, Kind::BatchedReduceAddNodeKind, [](BatchedReduceAddNode *node, Function *F, GraphGradMapper &map) {
        const NodeValue batch = node->getBatch();
        std::vector<dim_t> dims = batch.dims().vec();
        const auto count = static_cast<unsigned_t>(dims[node->getAxis()]);
        dims[node->getAxis()] = 1;
        TypeRef thin = F->getParent()->uniqueTypeWithNewShape(batch.getType(), dims);
        const NodeValue grad = reshaped(F, "reduce_grad_thin", map.getGradient(node->getResult()), thin);
        map.addGradient(batch, F->createTile("reduce_grad", batch.getType(), grad, count, node->getAxis())->getResult());
      });
  addRule<MatMulNode>(rules, Kind::MatMulNodeKind, [](MatMulNode *node, Function *F, GraphGradMapper &map) {
    const NodeValue grad = map.getGradient(node->getResult());
    const NodeValue left = transposed(F, "lhs_transposed", node->getLHS(), {1, 0});
    const NodeValue right = transposed(F, "rhs_transposed", node->getRHS(), {1, 0});
    map.addGradient(node->getLHS(), F->createMatMul("lhs_grad", node->getLHS().getType(), grad, right)->getResult());
    map.addGradient(node->getRHS(), F->createMatMul("rhs_grad", node->getRHS().getType(), left, grad)->getResult());
  });
  addRule<BatchMatMulNode>(rules, Kind::BatchMatMulNodeKind, [](BatchMatMulNode *node, Function *F, GraphGradMapper &map) {
    const NodeValue grad = map.getGradient(node->getResult());
    const NodeValue left = transposed(F, "lhs_transposed", node->getLHS(), {0, 2, 1});
    const NodeValue right = transposed(F, "rhs_transposed", node->getRHS(), {0, 2, 1});
    map.addGradient(node->getLHS(), F->createBatchMatMul("lhs_grad", node->getLHS().getType(), grad, right)->getResult());
    map.addGradient(node->getRHS(), F->createBatchMatMul("rhs_grad", node->getRHS().getType(), left, grad)->getResult());
  });
  addRule<GatherNode>(rules, Kind::GatherNodeKind, [](GatherNode *node, Function *F, GraphGradMapper &map) {
    // Rows that were gathered several times get the sum of their gradients.
    const NodeValue data = node->getData();
    const NodeValue indices = node->getIndices();
    const dim_t count = indices.getType()->size();
    TypeRef list = F->getParent()->uniqueTypeWithNewShape(indices.getType(), {count, 1});
    std::vector<dim_t> dims = data.dims().vec();
    dims[0] = count;
    TypeRef rows = F->getParent()->uniqueTypeWithNewShape(data.getType(), dims);
    auto *zeros = F->createSplat("gather_zero", data.getType(), 0.0f);
    auto *scatter = F->createScatterData("gather_grad", zeros, reshaped(F, "gather_indices", indices, list),
                                         reshaped(F, "gather_rows", map.getGradient(node->getResult()), rows), true);
    map.addGradient(data, scatter->getResult());
  });
  return rules;
}

} // namespace glow_examples
