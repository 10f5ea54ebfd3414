// Differentiation: the behaviour that Glow's tests/unittests/GraphGradTest.cpp asks for.
#include "check.h"
#include "gradients.h"

using namespace glow;

TEST_CASE(a_network_is_differentiated) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {10, 28, 28, 1}, "input", false);
  auto *filter = module.createPlaceholder(ElemKind::FloatTy, {16, 5, 5, 1}, "filter", true);
  auto *bias = module.createPlaceholder(ElemKind::FloatTy, {16}, "bias", true);
  TypeRef image = module.uniqueType(ElemKind::FloatTy, {10, 28, 28, 16});
  auto *conv = F->createConvolution("conv", image, input, filter, bias, {5, 5}, {1, 1}, {2, 2, 2, 2}, 1, {1, 1}, NHWC,
                                    NONE, {});
  auto *relu = F->createRelu("relu", conv);
  TypeRef pooled = module.uniqueType(ElemKind::FloatTy, {10, 9, 9, 16});
  TypeRef indices = module.uniqueType(ElemKind::Int64ITy, {10, 9, 9, 16});
  auto *pool = F->createMaxPool("pool", pooled, indices, relu, {3, 3}, {3, 3}, {0, 0, 0, 0}, NHWC);
  auto *norm = F->createLocalResponseNormalization("lrn", pool->getResult(), 2, 1e-4f, 0.75f, 2.0f);
  TypeRef flat = module.uniqueType(ElemKind::FloatTy, {10, 9 * 9 * 16});
  auto *reshape = F->createReshape("reshape", flat, norm, {10, 9 * 9 * 16}, "*");
  auto *weights = module.createPlaceholder(ElemKind::FloatTy, {9 * 9 * 16, 10}, "weights", true);
  auto *shift = module.createPlaceholder(ElemKind::FloatTy, {10}, "shift", true);
  TypeRef scores = module.uniqueType(ElemKind::FloatTy, {10, 10});
  auto *fc = F->createFullyConnected("fc", scores, reshape, weights, shift);
  auto *selected = module.createPlaceholder(ElemKind::Int64ITy, {10, 1}, "selected", false);
  auto *soft = F->createSoftMax("soft", fc, selected);
  F->createSave("return", soft);
  EXPECT(F->verify());

  Function *G = differentiate(F, TrainingConfig(), "", nullptr, glow_examples::gradientRules());
  Diagnostics diagnostics;
  G->verify(diagnostics);
  EXPECT(diagnostics.empty());
  unsigned updates = 0;
  for (Node &node : G->getNodes()) {
    if (auto *step = dyn_cast<SGDNode>(&node)) {
      ++updates;
      EXPECT(cast<Placeholder>(step->getWeight())->isTraining());
    }
  }
  EXPECT(updates == 4 && input->getNumUsers() > 1);
  // Argmax is not used, and its gradient is zero.
  auto *grad = cast<MaxPoolGradNode>(G->getNodeByName("pool_grad"));
  EXPECT(isa<SplatNode>(grad->getGradOfOriginalOutputNamedArgmax()));
}

TEST_CASE(only_placeholders_of_the_function_are_touched) {
  Module module;
  Function *F = module.createFunction("main");
  auto *A = module.createPlaceholder(ElemKind::FloatTy, {1}, "A", true);
  auto *B = module.createPlaceholder(ElemKind::FloatTy, {1}, "B", true);
  auto *sum = F->createAdd("AplusB", A, B);
  Function *G = F->clone("G");
  EXPECT(module.getPlaceholders().size() == 2 && G->getNodes().size() == 1);
  auto *C = module.createPlaceholder(ElemKind::FloatTy, {1}, "C", true);
  G->createAdd("totalSum", &G->getNodes().back(), C);
  auto *label = module.createPlaceholder(ElemKind::FloatTy, {1}, "label", false);
  F->createSave("return", F->createRegression("reg", sum, label));
  Function *D = differentiate(F);
  EXPECT(D->verify() && module.getFunctions().size() == 3 && module.getPlaceholders().size() == 5);
  unsigned forA = 0;
  unsigned forB = 0;
  unsigned all = 0;
  for (Node &node : D->getNodes()) {
    if (auto *step = dyn_cast<SGDNode>(&node)) {
      ++all;
      forA += step->getWeight() == NodeValue(A);
      forB += step->getWeight() == NodeValue(B);
    }
  }
  EXPECT(all == 2 && forA == 1 && forB == 1);
}

TEST_CASE(gradients_that_meet_are_summed) {
  Module module;
  Function *F = module.createFunction("main");
  auto *A = module.createPlaceholder(ElemKind::FloatTy, {4}, "A", true);
  auto *sigmoid = F->createSigmoid("sigmoid", A);
  auto *tanh = F->createTanh("tanh", A);
  F->createSave("return", F->createMul("mul", sigmoid, tanh));
  VariableGradientsList gradients;
  Function *G = differentiate(F, TrainingConfig(), "G", &gradients);
  EXPECT(G->verify() && gradients.size() >= 1);
  Placeholder *of = nullptr;
  for (const auto &pair : gradients) {
    of = pair.first == A ? pair.second : of;
  }
  EXPECT(of != nullptr && of->getNumUsers() == 1);
  auto *save = of ? cast<SaveNode>(of->getUsers().front().getUser()) : nullptr;
  EXPECT(save && isa<AddNode>(save->getInput()));
  for (Node &node : G->getNodes()) {
    EXPECT(!isa<SGDNode>(&node));
  }
}

TEST_CASE(a_node_without_a_gradient_is_an_error) {
  Module module;
  Function *F = module.createFunction("main");
  auto *A = module.createPlaceholder(ElemKind::FloatTy, {4}, "A", true);
  F->createSave("return", F->createGelu("gelu", A));
  EXPECT_THROWS(InvalidIR, differentiate(F));
  EXPECT(module.getFunctions().size() == 1);
}

/// Differentiates what `make` builds from a placeholder.
static void checkRule(std::initializer_list<dim_t> dims, const std::function<NodeValue(Function *, Placeholder *)> &make) {
  Module module;
  Function *F = module.createFunction("main");
  auto *A = module.createPlaceholder(ElemKind::FloatTy, dims, "A", true);
  F->createSave("return", make(F, A));
  EXPECT(F->verify());
  VariableGradientsList gradients;
  Function *G = differentiate(F, TrainingConfig(), "G", &gradients, glow_examples::gradientRules());
  Diagnostics diagnostics;
  G->verify(diagnostics);
  EXPECT(diagnostics.empty());
  bool found = false;
  for (const auto &pair : gradients) {
    found = found || (pair.first == A && *pair.second->getType() == *A->getType());
  }
  EXPECT(found);
}

TEST_CASE(rules_for_the_nodes_that_glow_treats_by_hand) {
  checkRule({20, 13}, [](Function *F, Placeholder *A) -> NodeValue {
    TypeRef half = F->getParent()->uniqueType(ElemKind::Float16Ty, {20, 13});
    return F->createConvertTo("convert", half, A)->getResult();
  });
  checkRule({20, 13}, [](Function *F, Placeholder *A) -> NodeValue {
    auto *B = F->getParent()->createPlaceholder(ElemKind::FloatTy, {13, 30}, "B", false);
    return F->createMatMul("matmul", F->getParent()->uniqueType(ElemKind::FloatTy, {20, 30}), A, B)->getResult();
  });
  checkRule({5, 20, 13}, [](Function *F, Placeholder *A) -> NodeValue {
    auto *B = F->getParent()->createPlaceholder(ElemKind::FloatTy, {5, 13, 30}, "B", false);
    TypeRef type = F->getParent()->uniqueType(ElemKind::FloatTy, {5, 20, 30});
    return F->createBatchMatMul("matmul", type, A, B)->getResult();
  });
  checkRule({10, 10}, [](Function *F, Placeholder *A) -> NodeValue {
    return F->createTile("tile", F->getParent()->uniqueType(ElemKind::FloatTy, {10, 50}), A, 5, 1)->getResult();
  });
  checkRule({10, 10}, [](Function *F, Placeholder *A) -> NodeValue {
    TypeRef type = F->getParent()->uniqueType(ElemKind::FloatTy, {10});
    return F->createBatchedReduceAdd("sum", type, A, 0)->getResult();
  });
  checkRule({2, 3, 4}, [](Function *F, Placeholder *A) -> NodeValue {
    TypeRef type = F->getParent()->uniqueType(ElemKind::FloatTy, {4, 2, 3});
    return F->createTranspose("transpose", type, A, {2, 0, 1}, "*")->getResult();
  });
  checkRule({4, 6}, [](Function *F, Placeholder *A) -> NodeValue {
    TypeRef type = F->getParent()->uniqueType(ElemKind::FloatTy, {2, 3});
    auto *slice = F->createSlice("slice", type, A, {1, 2});
    return F->createConcat("concat", F->getParent()->uniqueType(ElemKind::FloatTy, {4, 3}), {slice, slice}, 0)->getResult();
  });
  checkRule({1, 8, 4, 1}, [](Function *F, Placeholder *A) -> NodeValue {
    return F->createAdaptiveAvgPool("pool", F->getParent()->uniqueType(ElemKind::FloatTy, {1, 3, 3, 1}), A)->getResult();
  });
  checkRule({3, 4}, [](Function *F, Placeholder *A) -> NodeValue {
    auto *indices = F->getParent()->createPlaceholder(ElemKind::Int64ITy, {2}, "indices", false);
    return F->createGather("gather", F->getParent()->uniqueType(ElemKind::FloatTy, {2, 4}), A, indices, 0)->getResult();
  });
  checkRule({8, 4}, [](Function *F, Placeholder *A) -> NodeValue {
    auto *indices = F->getParent()->createPlaceholder(ElemKind::Int64ITy, {2, 2}, "indices", false);
    return F->createGather("gather", F->getParent()->uniqueType(ElemKind::FloatTy, {2, 2, 4}), A, indices, 0)->getResult();
  });
  checkRule({8, 4}, [](Function *F, Placeholder *A) -> NodeValue {
    auto *indices = F->getParent()->createPlaceholder(ElemKind::Int64ITy, {2, 2, 2}, "indices", false);
    return F->createGather("gather", A, indices, 0)->getResult();
  });
}
