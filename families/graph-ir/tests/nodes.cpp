// Nodes: what section 2 of the contract promises of each class, on a few of them.
#include "check.h"

#include <limits>

using namespace glow;

TEST_CASE(add_has_names_and_indices) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "a", true);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "b", true);
  AddNode *add = F->createAdd("add", a, b);
  EXPECT(add->getNumInputs() == 2);
  EXPECT(AddNode::LHSIdx == 0 && AddNode::RHSIdx == 1 && AddNode::ResultIdx == 0);
  EXPECT(add->getInputName(0) == "LHS" && add->getInputName(1) == "RHS");
  EXPECT(add->getOutputName(0) == "Result");
  EXPECT(add->isDataParallel() && add->isCanonical() && !add->hasSideEffects());
  EXPECT_THROWS(std::out_of_range, add->getInputName(2));
  EXPECT_THROWS(std::out_of_range, add->getNthInput(2));
  Node *copy = add->clone();
  EXPECT(copy->isEqual(*add) && copy->getHash() == add->getHash() && copy->getParent() == nullptr);
  Node::destroyNode(copy);
}

TEST_CASE(gradients_have_inputs_outputs_and_their_gradients) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "a", true);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "b", true);
  AddNode *add = F->createAdd("add", a, b);
  GraphGradMapper map(F);
  map.addGradient(add->getResult(), a->getOutput());
  AddGradNode *grad = add->getGrad(map);
  EXPECT(grad->getNumInputs() == 4 && grad->getNumResults() == 2);
  EXPECT(grad->getName() == "add_grad");
  EXPECT(grad->getInputName(2) == "OriginalOutputForResult");
  EXPECT(grad->getGradOfOriginalOutputNamedResult() == a->getOutput());
  EXPECT(map.getGradient(a) == grad->getGradOfInputNamedLHS());
  EXPECT(map.getGradient(b) == grad->getGradOfInputNamedRHS());
  EXPECT(grad->verify());
  F->addNode(grad);
}

TEST_CASE(floats_are_compared_by_their_bits) {
  Module module;
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {0.0f, -0.0f, 1.0f, nan};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      SplatNode one("one", type, values[i]);
      SplatNode other("other", type, values[j]);
      EXPECT(one.isEqual(other) == (i == j));
      EXPECT(!one.isEqual(other) || one.getHash() == other.getHash());
    }
  }
  auto *input = module.createPlaceholder(type, "input", false);
  BucketizeNode plus("plus", type, input, {0.0f, 1.0f});
  BucketizeNode minus("minus", type, input, {-0.0f, 1.0f});
  EXPECT(!plus.isEqual(minus) && plus.getHash() != minus.getHash());
}

TEST_CASE(members_can_be_set_where_the_record_says_so) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 8, 8, 3}, "input", false);
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {1, 4, 4, 3});
  AvgPoolNode *pool = F->createAvgPool("pool", type, input, {2, 2}, {2, 2}, {0, 0, 0, 0}, NHWC, true);
  Node *before = pool->clone();
  EXPECT(before->isEqual(*pool));
  const std::vector<unsigned_t> pads = {1, 1, 1, 1};
  pool->setPads(pads);
  EXPECT(pool->getPads() == pads && !before->isEqual(*pool));
  EXPECT(pool->getMemberText("Pads") == "[1, 1, 1, 1]");
  Node::destroyNode(before);
}

TEST_CASE(lists_of_inputs_and_results) {
  Module module;
  Function *F = module.createFunction("main");
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2});
  std::vector<NodeValue> inputs;
  for (int i = 0; i < 3; ++i) {
    inputs.push_back(module.createPlaceholder(type, "in", false)->getOutput());
  }
  const TypeRef types[] = {type, type};
  TFLiteCustomOperatorNode *custom = F->createTFLiteCustomOperator("custom", types, inputs, "my_op", "{}");
  EXPECT(custom->getNumInputs() == 3 && custom->getNumResults() == 2);
  EXPECT(custom->getInputName(2) == "Inputs2" && custom->getOutputName(1) == "Outputs1");
  EXPECT(custom->getOutputsSize() == 2 && custom->getOutputsNth(1).getResNo() == 1);
  EXPECT(custom->getOutputs().size() == 2 && custom->getInputs()[1] == inputs[1]);
  EXPECT(inputs[0].getNumUsers() == 1);
  custom->setNthInput(0, inputs[1]);
  EXPECT(inputs[0].getNumUsers() == 0 && inputs[1].getNumUsers() == 2);
  F->eraseNode(custom);
  EXPECT(inputs[1].getNumUsers() == 0);
}

TEST_CASE(extra_results_are_cloned) {
  Module module;
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2});
  auto *in = module.createPlaceholder(type, "in", false);
  BatchedPairwiseDotProductGradNode node("grad", in, {in, in});
  node.addExtraResult(type);
  node.addExtraResult(type);
  Node *copy = node.clone();
  EXPECT(copy->getNumResults() == 2 && copy->isEqual(node) && copy->getHash() == node.getHash());
  Node::destroyNode(copy);
}

TEST_CASE(reflection_knows_every_class) {
  EXPECT(allNodeKinds().size() == 3 + 167 + 21 + 9);
  EXPECT(getKindFromNodeName("Add") == Kinded::Kind::AddNodeKind);
  EXPECT_THROWS(std::out_of_range, getKindFromNodeName("Addd"));
  const ClassInfo &info = getNodeInfo(Kinded::Kind::AvgPoolNodeKind);
  EXPECT(StringRef(info.name) == "AvgPool" && StringRef(info.className) == "AvgPoolNode");
  EXPECT(info.members.size() == 5 && StringRef(info.members[0].type) == "uint[]");
  EXPECT(info.members[2].settable && !info.members[0].settable);
  EXPECT(info.operandIndex("Input") == 0 && info.operandIndex("Result") == 1 && info.operandIndex("x") == -1);
  EXPECT(StringRef(info.related) == "AvgPoolGrad");
  EXPECT(StringRef(getInstructionInfo(Kinded::Kind::ElementAddInstKind).related) == "Add");
}

TEST_CASE(members_are_read_and_set_by_number) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 8, 8, 3}, "input", false);
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {1, 4, 4, 3});
  Node *pool = F->createAvgPool("pool", type, input, {2, 2}, {2, 2}, {0, 0, 0, 0}, NHWC, true);
  const ClassInfo &info = pool->getClassInfo();
  const auto number = [&](const char *name) { return static_cast<unsigned>(info.memberIndex(name)); };
  EXPECT(memberOf<std::vector<unsigned_t>>(*pool, number("Kernels")) == std::vector<unsigned_t>(2, 2));
  EXPECT(memberOf<bool>(*pool, number("CountIncludePads")));
  EXPECT(pool->getMemberText("Layout") == "0");
  setMemberOf<std::vector<unsigned_t>>(*pool, number("Pads"), {1, 1, 1, 1});
  EXPECT(pool->getMemberText("Pads") == "[1, 1, 1, 1]" && pool->getMemberText("Pad").empty());
  EXPECT_THROWS(std::logic_error, memberOf<int>(*pool, number("Pads")));
  EXPECT_THROWS(std::logic_error, (setMemberOf<std::vector<unsigned_t>>(*pool, number("Kernels"), {3, 3}), true));
  EXPECT_THROWS(std::out_of_range, memberOf<int>(*pool, 9));
  EXPECT_THROWS(std::out_of_range, memberOf<int>(*input, 0));
  // Of whatever type they are.
  EXPECT(info.members[number("Strides")].cppType->kind == FieldKind::Unsigneds);
  EXPECT(fieldOf(*pool, "Strides") == FieldValue(std::vector<std::uint64_t>(2, 2)));
  EXPECT(fieldOf(*pool, number("Layout")) == FieldValue(std::uint64_t(NHWC)));
  EXPECT(setFieldOf(*pool, "Pads", std::vector<std::uint64_t>(4, 3)) && pool->getMemberText("Pads") == "[3, 3, 3, 3]");
  EXPECT(!setFieldOf(*pool, "Pads", std::vector<std::uint64_t>{1ull << 40}) && !setFieldOf(*pool, "Pads", true));
  EXPECT(!setFieldOf(*pool, "Kernels", std::vector<std::uint64_t>(2, 3)));
  EXPECT_THROWS(std::out_of_range, fieldOf(*pool, "Padding"));
  EXPECT_THROWS(std::out_of_range, fieldOf(*pool, 9));
}

TEST_CASE(dispatchers_find_the_class) {
  struct Namer : NodeDispatcher<std::string, int> {
    std::string visitDefault(Node *, int) override { return "other"; }
    std::string visitAddNode(AddNode *node, int number) override { return node->getName().str() + std::to_string(number); }
  };
  struct Counter : NodeVisitor<Counter> {
    int adds = 0;
    int others = 0;
    void visitDefault(Node *) { ++others; }
    void visitAddNode(AddNode *) { ++adds; }
  };
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", false);
  AddNode *add = F->createAdd("add", a, a);
  ReluNode *relu = F->createRelu("relu", add);
  Namer namer;
  EXPECT(namer.dispatch(add, 7) == "add7" && namer.dispatch(relu, 7) == "other");
  Counter counter;
  for (Node *node : F->getPostOrder()) {
    counter.visit(node);
  }
  EXPECT(counter.adds == 1 && counter.others == 2);
}

TEST_CASE(verification_reports_in_every_build) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "a", false);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {3, 2}, "b", false);
  AddNode *add = F->createAdd("add", a, b);
  EXPECT(!add->verify() && !F->verify() && !module.verify());
  Diagnostics diagnostics;
  F->verify(diagnostics);
  EXPECT(diagnostics.size() == 1);
  EXPECT(diagnostics[0].where == "Add 'add'" && diagnostics[0].message == "Result and RHS differ in shape");
  EXPECT_THROWS(InvalidIR, (F->verifyOrThrow(), 0));
  add->setNthInput(AddNode::RHSIdx, NodeValue());
  Diagnostics missing;
  add->verify(missing);
  EXPECT(missing.size() == 1 && missing[0].message == "the input RHS is missing");
}

TEST_CASE(graphs_are_written_and_read) {
  Module module;
  Function *F = module.createFunction("main");
  auto *in = module.createPlaceholder(ElemKind::FloatTy, {1, 8, 8, 3}, "in", true);
  auto *weights = module.createConstant(ElemKind::FloatTy, {3}, "weights");
  const std::vector<float> payload = {1.5f, -0.0f, 2.0f};
  weights->getPayloadMutable().assign<float>(payload);
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {1, 4, 4, 3});
  auto *pool = F->createAvgPool("pool", type, in, {2, 2}, {2, 2}, {0, 0, 0, 0}, NHWC, true);
  pool->setPredicate(weights);
  auto *concat = F->createConcat("concat", {pool, pool}, 1);
  F->createSave("save", concat);
  const std::string text = saveGraph(*F);

  Module other;
  Diagnostics diagnostics;
  Function *G = loadGraph(other, text, "main", diagnostics);
  EXPECT(G && diagnostics.empty() && G->verify() && F->verify());
  EXPECT(G && saveGraph(*G) == text);
  EXPECT(G && cast<AvgPoolNode>(G->getNodeByName("pool"))->hasPredicate());
  EXPECT(other.getConstantByName("weights")->getPayload().isEqual(weights->getPayload()));
  EXPECT(other.getPlaceholderByNameSlow("in")->isTraining());

  for (const char *broken : {"node Glow_Nothing x ( )", "node Glow_Relu x ( nobody )", "node Glow_Splat x ( ) Value=1",
                             "constant c 0,0,0,2 - x00", "placeholder p what 0 -", "words"}) {
    Module empty;
    Diagnostics found;
    EXPECT(loadGraph(empty, broken, "main", found) == nullptr && !found.empty());
    EXPECT(empty.getFunctions().empty());
  }
}
