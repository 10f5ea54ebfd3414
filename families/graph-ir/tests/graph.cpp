// Functions and modules: the behaviour that Glow's tests/unittests/GraphTest.cpp asks for.
#include "check.h"

#include <set>

using namespace glow;

static ConvolutionNode *conv(Function *F, const char *name, NodeValue input) {
  Module *module = F->getParent();
  auto *filter = module->createPlaceholder(ElemKind::FloatTy, {16, 3, 3, 3}, "filter", true);
  auto *bias = module->createPlaceholder(ElemKind::FloatTy, {16}, "bias", true);
  TypeRef type = module->uniqueType(ElemKind::FloatTy, {4, 32, 32, 16});
  return F->createConvolution(name, type, input, filter, bias, {3, 3}, {1, 1}, {1, 1, 1, 1}, 1, {1, 1}, NHWC, NONE, {});
}

TEST_CASE(constants_can_be_erased) {
  Module module;
  Constant *constant = module.createConstant(ElemKind::FloatTy, {1, 1}, "dummy");
  EXPECT(module.getConstants().size() == 1);
  module.eraseConstant(constant);
  EXPECT(module.getConstants().empty());
}

TEST_CASE(a_module_can_be_cleared) {
  Module module;
  module.createFunction("main");
  module.createPlaceholder(ElemKind::FloatTy, {1}, "placeholder", true);
  module.createConstant(ElemKind::FloatTy, {1}, "constant");
  module.clear();
  EXPECT(module.getConstants().empty() && module.getPlaceholders().empty() && module.getFunctions().empty());
}

TEST_CASE(functions_can_be_emptied) {
  Module module;
  Function *F = module.createFunction("main");
  auto *place = module.createPlaceholder(ElemKind::FloatTy, {1}, "placeholder", true);
  auto *constant = module.createConstant(ElemKind::FloatTy, {1}, "constant");
  F->createSave("save", F->createAdd("add", place, constant));
  EXPECT(F->getNodes().size() == 2 && module.getPlaceholders().size() == 2);
  module.clearFunctions();
  EXPECT(module.getFunctions().size() == 1 && module.getFunctions().front() == F && F->getNodes().empty());
  EXPECT(module.getPlaceholders().size() == 2 && place->getNumUsers() == 0);
}

TEST_CASE(results_are_found_by_name) {
  Module module;
  Function *F = module.createFunction("F");
  auto *one = module.createPlaceholder(ElemKind::FloatTy, {1, 10}, "op1", false);
  auto *two = module.createConstant(ElemKind::FloatTy, {1, 10}, "op2");
  AddNode *add = F->createAdd("add", one, two);
  TypeRef values = module.uniqueType(ElemKind::FloatTy, {1, 5});
  TypeRef indices = module.uniqueType(ElemKind::Int64ITy, {1, 5});
  TopKNode *top = F->createTopK("top", values, indices, add, 5);
  SaveNode *save = F->createSave("out", top->getValues());
  EXPECT(module.getPlaceholderByNameSlow("op1") == one && module.getConstantByName("op2") == two);
  EXPECT(F->getNodeByName("add") == add && F->getNodeByName("nothing") == nullptr);
  EXPECT(top->getIndices().generateNodeOutputName() == "top:1");
  EXPECT(add->getResult().generateNodeOutputName(true) == "add");
  EXPECT(F->getNodeValueByName("op1:0") == one->getOutput() && F->getNodeValueByName("op2") == two->getOutput());
  EXPECT(F->getNodeValueByName("top:1") == top->getIndices() && F->getNodeValueByName("top") == top->getValues());
  EXPECT(F->getNodeValueByName("top:2").getNode() == nullptr && F->getNodeValueByName("top:").getNode() == nullptr);
  EXPECT(F->getNodeValueByName(save->getName()).getNode() == nullptr);
}

TEST_CASE(uses_are_counted) {
  Module module;
  Function *F = module.createFunction("F");
  auto *K = module.createPlaceholder(ElemKind::FloatTy, {4, 32, 32, 3}, "input", true);
  EXPECT(K->getNumUsers() == 0);
  ConvolutionNode *one = conv(F, "conv1", K);
  EXPECT(K->hasOneUse() && one->getNumUsers() == 0);
  EXPECT(one->getFilter().getNode()->hasOneUse());
  {
    NodeValue temporary = one->getFilter();
    EXPECT(temporary.getNode()->getNumUsers() == 1);
  }
  ConvolutionNode *two = conv(F, "conv2", K);
  EXPECT(K->getNumUsers() == 2);
  EXPECT(K->getUsers().begin()->getUser() == one && (++K->getUsers().begin())->getUser() == two);
  F->createSave("save", one);
  F->createSave("save", one);
  EXPECT(one->getNumUsers() == 2 && !one->hasOneUse());
}

TEST_CASE(each_result_has_its_uses) {
  Module module;
  Function *F = module.createFunction("F");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {3, 32}, "input", true);
  TypeRef values = module.uniqueType(ElemKind::FloatTy, {3, 12});
  TypeRef indices = module.uniqueType(ElemKind::Int64ITy, {3, 12});
  TopKNode *top = F->createTopK("top", values, indices, input, 12);
  F->createSave("v1", top->getValues());
  EXPECT(top->getNumUsers() == 1 && top->getValues().hasOneUse() && top->getIndices().getNumUsers() == 0);
  F->createSave("i1", top->getIndices());
  F->createSave("v2", top->getValues());
  F->createSave("v3", top->getValues());
  EXPECT(top->getNumUsers() == 4 && top->getValues().getNumUsers() == 3 && top->getIndices().getNumUsers() == 1);
  std::set<const Node *> users;
  for (const NodeUse &use : top->getValues().getUsers()) {
    users.insert(use.getUser());
  }
  EXPECT(users.size() == 3 && users.count(F->getNodeByName("v2")) == 1);
  EXPECT_THROWS(std::logic_error, NodeValue(static_cast<Node *>(top)));
}

TEST_CASE(a_function_is_cloned_with_its_predicates) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {10}, "input", false);
  auto *counters = module.createPlaceholder(ElemKind::FloatTy, {10}, "counters", false);
  auto *outside = module.createPlaceholder(ElemKind::Int64ITy, {1}, "predicate", false);
  auto *external = F->createRelu("external", input);
  auto *internal = F->createRelu("internal", input);
  auto *ten = F->createSplat("ten", counters->getType(), 10.0f);
  auto *inside = F->createCmpLTE("lte", ten, counters);
  external->setPredicate(outside);
  internal->setPredicate(inside);
  std::unordered_map<const Node *, Node *> map;
  Function *G = F->clone("copy", &map);
  EXPECT(G->verify() && G->getNodes().size() == F->getNodes().size() && G->getParent() == F->getParent());
  EXPECT(external->getPredicate().getNode() == outside && internal->getPredicate().getNode() == inside);
  EXPECT(G->getNodeByName("external")->getPredicate().getNode() == outside);
  EXPECT(G->getNodeByName("internal")->getPredicate().getNode() == G->getNodeByName("lte"));
  EXPECT(map.at(inside) == G->getNodeByName("lte"));
}

TEST_CASE(a_module_is_cloned_whole) {
  Module copy;
  {
    Module module;
    Function *F = module.createFunction("main");
    auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 10}, "input", true);
    auto *add = F->createAdd("add", input, input);
    auto *constant = module.createConstant(add->getType(0), "C");
    auto *sum = F->createAdd("sum", add, constant);
    F->createSave("save", sum);
    module.clone(copy);
    EXPECT(module.getFunctions().size() == copy.getFunctions().size());
    EXPECT(module.getPlaceholders().size() == copy.getPlaceholders().size());
    EXPECT(module.getConstants().size() == copy.getConstants().size());
    EXPECT(module.getTypes().size() == copy.getTypes().size());
    EXPECT(module.toString() == copy.toString());
  }
  // Nothing of the original is left.
  EXPECT(copy.verify());
}

TEST_CASE(erasing_a_function_frees_what_it_used) {
  Module module;
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1}, "input", true);
  Function *one = module.createFunction("one");
  one->createLog("log", input);
  module.createFunction("two")->createLog("log", input);
  EXPECT(input->getNumUsers() == 2 && module.hasFunction("two") && !module.hasFunction("three"));
  module.eraseFunction(one);
  EXPECT(input->getNumUsers() == 1);
}

TEST_CASE(nodes_know_their_function) {
  Module module;
  auto *loose = new Constant("V", module.uniqueType(ElemKind::FloatTy, {3, 32}), "*");
  auto *owned = module.createConstant(loose->getType(), "V2");
  EXPECT(loose->getParent() == nullptr && owned->getParent() == nullptr);
  Function *F = module.createFunction("main");
  auto *add = F->createAdd("add", loose, owned);
  EXPECT(add->getParent() == F);
  auto *direct = new AddNode("direct", loose->getType(), add, add);
  EXPECT(direct->getParent() == nullptr);
  F->addNode(direct);
  EXPECT(direct->getParent() == F);
  EXPECT_THROWS(std::logic_error, F->addNode(direct));
  auto *copy = add->clone();
  EXPECT(copy->getParent() == nullptr);
  F->addNode(copy);
  delete loose;
}

TEST_CASE(storage_of_another_module_is_found) {
  Module A;
  Module B;
  auto *constant = A.createConstant(ElemKind::FloatTy, {1}, "C");
  auto *place = A.createPlaceholder(ElemKind::FloatTy, {1}, "P", false);
  Function *FA = A.createFunction("FA");
  FA->createSave("save", FA->createAdd("add", constant, place));
  Function *FB = B.createFunction("FB");
  FB->createSave("save", FB->createAdd("add", constant, place));
  EXPECT(A.verify() && !B.verify());
  B.clear();
}

TEST_CASE(comparisons_are_booleans) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::Int8QTy, {1, 3}, 0.3f, 5, "a", false);
  auto *cmp = F->createCmpEQ("eq", a, a);
  EXPECT(cmp->getResult().getElementType() == ElemKind::BoolTy && cmp->getResult().dims() == a->dims());
  EXPECT(cmp->verify());
}

TEST_CASE(orders_of_a_graph) {
  Module module;
  Function *F = module.createFunction("main");
  auto *in1 = module.createPlaceholder(ElemKind::FloatTy, {4, 10}, "input1", true);
  auto *in2 = module.createPlaceholder(ElemKind::FloatTy, {4, 10}, "input2", true);
  Node *zero = F->createSplat("zero", in1->getType(), 0.0f);
  Node *mul1 = F->createMul("mul1", zero, in1);
  Node *mul2 = F->createMul("mul2", zero, in2);
  Node *mul3 = F->createMul("mul3", mul1, mul2);
  SaveNode *ret1 = F->createSave("ret1", mul3);
  Node *one = F->createSplat("one", in2->getType(), 1.0f);
  Node *add1 = F->createAdd("add1", in2, one);
  Node *add2 = F->createAdd("add2", add1, one);
  Node *add3 = F->createAdd("add3", add2, one);
  SaveNode *ret2 = F->createSave("ret2", add2);
  Node *out1 = ret1->getPlaceholder();
  Node *out2 = ret2->getPlaceholder();
  const std::vector<Node *> pre = {ret1, mul3, mul1, zero, in1, mul2, in2, out1, add3, add2, add1, one, ret2, out2};
  const std::vector<Node *> post = {zero, in1, mul1, in2, mul2, mul3, out1, ret1, one, add1, add2, add3, out2, ret2};
  EXPECT(GraphPreOrderVisitor(*F).getPreOrder() == pre);
  EXPECT(GraphPostOrderVisitor(*F).getPostOrder() == post && F->getPostOrder() == post);
}

TEST_CASE(types_of_results_are_set_one_by_one) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 10}, "input", true);
  TypeRef values = module.uniqueType(ElemKind::FloatTy, {4, 5});
  TypeRef indices = module.uniqueType(ElemKind::Int64ITy, {4, 5});
  TypeRef half = module.uniqueType(ElemKind::Float16Ty, {4, 5});
  TopKNode *top = F->createTopK("top", values, indices, input, 5);
  top->setType(TopKNode::ValuesIdx, half);
  EXPECT(top->getType(TopKNode::ValuesIdx) == half && top->getType(TopKNode::IndicesIdx) == indices);
  top->getIndices().setType(half);
  EXPECT(top->getType(TopKNode::IndicesIdx) == half);
  EXPECT_THROWS(std::logic_error, (top->setType(0, input->getType()), 0));
  top->setTypeUnsafe(0, input->getType());
  EXPECT(top->getValues().getType() == input->getType());
}

TEST_CASE(equal_nodes_are_erased_one_by_one) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {3, 2}, "input", true);
  std::vector<Node *> nodes;
  for (int i = 0; i < 5; ++i) {
    nodes.push_back(F->createRelu("relu", input));
  }
  std::set<std::string> names;
  for (Node *node : nodes) {
    names.insert(node->getName().str());
  }
  EXPECT(names.size() == 5);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    F->eraseNode(*node);
  }
  EXPECT(F->getNodes().empty() && input->getNumUsers() == 0);
}

TEST_CASE(predicates_tell_nodes_apart) {
  Module module;
  Function *F = module.createFunction("main");
  auto *in = module.createPlaceholder(ElemKind::FloatTy, {5}, "in", false);
  Node *one = F->createRelu("one", in);
  Node *two = F->createRelu("two", in);
  EXPECT(*one == *two && one->getHash() == two->getHash());
  one->setPredicate(module.createPlaceholder(ElemKind::FloatTy, {1}, "pred", false)->getOutput());
  two->setPredicate(module.createPlaceholder(ElemKind::FloatTy, {1}, "pred", false)->getOutput());
  EXPECT(!one->isEqual(*two));
}

TEST_CASE(a_placeholder_has_one_writer_and_a_constant_none) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {5}, "input", false);
  auto *output = module.createPlaceholder(ElemKind::FloatTy, {5}, "output", false);
  F->createSave("one", input, output);
  EXPECT(module.verify());
  auto *second = F->createSave("two", input, output);
  EXPECT(!module.verify());
  F->eraseNode(second);
  NodeValue(output).replaceAllUsesOfWith(module.createConstant(ElemKind::FloatTy, {5}, "constant")->getOutput());
  EXPECT(!module.verify());
}

TEST_CASE(values_are_replaced) {
  Module module;
  Function *F = module.createFunction("main");
  Function *G = module.createFunction("other");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {3, 4}, "a", false);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {3, 4}, "b", false);
  auto *wide = module.createPlaceholder(ElemKind::FloatTy, {10, 10}, "wide", false);
  auto *one = F->createRelu("one", a);
  auto *two = F->createRelu("two", a);
  auto *other = G->createRelu("other", a);
  a->getOutput().replaceAllUsesOfWith(b->getOutput(), F, two);
  EXPECT(one->getInput() == b->getOutput() && two->getInput() == a->getOutput() && other->getInput() == a->getOutput());
  EXPECT_THROWS(std::logic_error, (a->getOutput().replaceAllUsesOfWith(wide->getOutput()), 0));
  a->getOutput().typeUnsafeReplaceAllUsesOfWith(wide->getOutput());
  EXPECT(two->getInput() == wide->getOutput() && other->getInput() == wide->getOutput() && a->getNumUsers() == 0);
}

TEST_CASE(the_type_of_a_constant_is_that_of_its_tensor) {
  Module module;
  auto *constant = module.createConstant(ElemKind::FloatTy, {5}, "c");
  EXPECT(module.verify());
  constant->setTypeUnsafe(0, module.uniqueType(ElemKind::FloatTy, {6}));
  EXPECT(!module.verify());
  EXPECT(module.getConstantsSize() == 20);
  EXPECT_THROWS(std::logic_error, (constant->assign(Tensor(ElemKind::FloatTy, {4})), 0));
}

TEST_CASE(bindings_hold_bytes) {
  Module module;
  auto *in = module.createPlaceholder(ElemKind::FloatTy, {2}, "in", false);
  auto *out = module.createPlaceholder(ElemKind::Int64ITy, {3}, "out", false);
  PlaceholderBindings bindings;
  const float values[] = {1.0f, 2.0f};
  bindings.allocate(in)->assign<float>(values);
  bindings.allocate(out);
  EXPECT(bindings.getDataSize() == 8 + 24 && bindings.count(in) == 1);
  EXPECT(bindings.getPlaceholderByNameSlow("out") == out);
  EXPECT_THROWS(std::logic_error, bindings.allocate(in));
  EXPECT_THROWS(std::logic_error, bindings.get(in)->elements<double>());
  PlaceholderBindings copy = bindings.clone();
  bindings.erase(in);
  EXPECT(bindings.get(in) == nullptr && copy.get(in)->elements<float>()[1] == 2.0f);
  EXPECT_THROWS(std::logic_error, (bindings.insert(in, Tensor(ElemKind::FloatTy, {3})), 0));
}

TEST_CASE(a_graph_has_a_picture) {
  Module module;
  Function *F = module.createFunction("main");
  auto *in = module.createPlaceholder(ElemKind::FloatTy, {2}, "in \"quoted\"", false);
  F->createSave("save", F->createSplat("splat", in->getType(), 1.5f));
  std::ostringstream picture;
  F->dumpDAG(picture);
  const std::string text = picture.str();
  EXPECT(text.find("digraph \"main\" {") == 0 && text.find("Value: 1.5") != std::string::npos);
  EXPECT(text.find(" -> ") != std::string::npos && text.find("label = \"Output\"") != std::string::npos);
}

TEST_CASE(fusion_groups_are_nodes) {
  Module module;
  Function *F = module.createFunction("main");
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {2});
  auto *in = module.createPlaceholder(type, "in", false);
  auto *inside = new FusionGroupPlaceholderNode("inside", type, 0);
  auto *relu = new ReluNode("relu", type, inside);
  const TypeRef types[] = {type};
  auto *group = F->createFusionGroup("group", types, {in}, {relu}, {inside}, {relu}, "elementwise");
  relu->setParentFusionGroup(group);
  EXPECT(relu->isFused() && group->getNthFusionGroupPlaceholder(0) == inside);
  EXPECT(group->getNumInputs() == 1 && group->getOutputsSize() == 1 && group->verify());
  Node *copy = group->clone();
  EXPECT(copy->isEqual(*group) && copy->getHash() == group->getHash());
  Node::destroyNode(copy);
  EXPECT_THROWS(InvalidIR, saveGraph(*F));
  F->clear();
  Node::destroyNode(relu);
  Node::destroyNode(inside);
}
