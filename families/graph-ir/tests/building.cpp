// Whole graphs, from their factory methods to instructions: the rest of what Glow's
// tests/unittests/GraphTest.cpp asks for. README.md lists the cases that have no counterpart.
#include "check.h"

#include <algorithm>

using namespace glow;

static ConvolutionNode *conv(Function *F, const char *name, NodeValue input, dim_t filters, unsigned_t group = 1) {
  Module *module = F->getParent();
  const dim_t channels = input.dims().back() / group;
  auto *filter = module->createPlaceholder(ElemKind::FloatTy, {filters, 3, 3, channels}, "filter", true);
  auto *bias = module->createPlaceholder(ElemKind::FloatTy, {filters}, "bias", true);
  return F->createConvolution(name, input, filter, bias, {3, 3}, {2, 2}, {3, 3, 3, 3}, group, {1, 1}, NHWC, NONE, {});
}

static FullyConnectedNode *connected(Function *F, const char *name, NodeValue input, dim_t outputs) {
  Module *module = F->getParent();
  auto *weights = module->createPlaceholder(ElemKind::FloatTy, {input.dims()[1], outputs}, "weights", true);
  auto *bias = module->createPlaceholder(ElemKind::FloatTy, {outputs}, "bias", true);
  return F->createFullyConnected(name, input, weights, bias);
}

/// A rule for nodes that Glow splits before it lowers.
static void connectByMatMul(FullyConnectedNode *node, IRGenerator &generator) {
  IRBuilder &builder = generator.getBuilder();
  auto *product = builder.createAllocActivationInst("product", node->getResult().getType());
  builder.createMatMulInst(node->getName(), product, generator.valueForNode(node->getInput()),
                           generator.valueForNode(node->getWeights()));
  auto *sum = builder.createAllocActivationInst("sum", node->getResult().getType());
  builder.createBatchedAddInst(node->getName(), sum, product, generator.valueForNode(node->getBias()));
  generator.registerIR(node->getResult(), sum);
}

template <typename InstrTy> static unsigned countOf(const IRFunction &M) {
  const InstrsList &list = M.getInstrs();
  return static_cast<unsigned>(
      std::count_if(list.begin(), list.end(), [](const Instruction &instruction) { return isa<InstrTy>(&instruction); }));
}

TEST_CASE(an_image_network_becomes_instructions) {
  Module module;
  Function *F = module.createFunction("F");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 32, 20, 8}, "input", true);
  auto *selected = module.createPlaceholder(ElemKind::Int64ITy, {4, 1}, "select", true);
  ConvolutionNode *first = conv(F, "Conv1", input, 16, 8);
  auto *relu = F->createRelu("Relu", first);
  F->createSave("Save", F->createSoftMax("SoftMax", relu, selected));
  EXPECT(F->verify() && first->getGroup() == 8 && first->getResult().dims()[1] == 18);
  EXPECT(F->toString().find("Convolution\nName : Conv1\n") != std::string::npos);
  std::ostringstream picture;
  F->dumpDAG(picture);
  EXPECT(picture.str().find("Conv1") != std::string::npos);
  IRFunction M(F);
  M.generateIR();
  EXPECT(M.verify() && countOf<ConvolutionInst>(M) == 1 && countOf<ReluInst>(M) == 1 && countOf<SoftMaxInst>(M) == 1);
  std::ostringstream text;
  M.dump(text);
  EXPECT(text.str() == M.toString());
}

TEST_CASE(layers_become_instructions_by_a_rule) {
  Module module;
  Function *F = module.createFunction("F");
  auto *A = module.createPlaceholder(ElemKind::FloatTy, {10, 2}, "A", true);
  auto *expected = module.createPlaceholder(ElemKind::FloatTy, {10, 1}, "Ex", true);
  auto *relu = F->createRelu("RELU1", connected(F, "FC1", A, 6));
  auto *last = F->createRelu("RELU2", connected(F, "FC2", relu, 1));
  auto *regression = F->createRegression("Regression", last, expected);
  F->createSave("Save", regression);
  EXPECT(F->verify() && last->getResult().dims() == expected->dims());
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.addRule<FullyConnectedNode>(connectByMatMul);
  generator.addRule<RegressionNode>([](RegressionNode *node, IRGenerator &own) {
    own.registerIR(node->getResult(), own.valueForNode(node->getInput()));
  });
  generator.run(*F);
  EXPECT(M.verify() && countOf<MatMulInst>(M) == 2 && countOf<BatchedAddInst>(M) == 2);
}

TEST_CASE(a_rule_takes_the_place_of_generated_lowering) {
  Module module;
  Function *F = module.createFunction("F");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 32, 20, 3}, "input", true);
  F->createSave("Save", conv(F, "Conv1", input, 16));
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.addRule<ConvolutionNode>([](ConvolutionNode *node, IRGenerator &own) {
    auto *out = own.getBuilder().createAllocActivationInst("out", node->getResult().getType());
    own.getBuilder().createSplatInst("CustomConvolutionInstruction", out, 0.0f);
    own.registerIR(node->getResult(), out);
  });
  generator.run(*F);
  EXPECT(M.verify() && countOf<ConvolutionInst>(M) == 0);
  EXPECT(M.toString().find("%CustomConvolutionInstruction = splat") != std::string::npos);
}

TEST_CASE(types_change_between_floats_and_integers) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 3}, "Input", true);
  auto *Q = F->createQuantize("quantize", module.uniqueType(ElemKind::Int8QTy, {1, 3}, 0.3f, 5), input);
  auto *A = F->createRescaleQuantized("rescale", module.uniqueType(ElemKind::Int8QTy, {1, 3}, 1.4f, 3), Q);
  F->createSave("ret", F->createDequantize("dequantize", module.uniqueType(ElemKind::FloatTy, {1, 3}), A));
  EXPECT(F->verify());
  IRFunction M(F);
  M.generateIR();
  EXPECT(M.verify() && countOf<QuantizeInst>(M) == 1 && countOf<RescaleQuantizedInst>(M) == 1);

  auto *table = module.createPlaceholder(ElemKind::Int8QTy, {2, 2}, 0.4f, 2, "input", true);
  auto *indices = module.createPlaceholder(ElemKind::Int64ITy, {1}, "index", true);
  auto *gather = F->createGather("gather", table, indices, 0);
  EXPECT(*gather->getResult().getType() == Type(ElemKind::Int8QTy, {1, 2}, 0.4f, 2) && gather->verify());

  auto *histogram = module.createPlaceholder(ElemKind::FloatTy, {10}, "histogram", false);
  auto *info = module.createPlaceholder(ElemKind::FloatTy, {2}, "info", false);
  auto *profile = F->createQuantizationProfile("profile", input, histogram, info, "Input", 0);
  EXPECT(profile->getNumInputs() == 3 && profile->hasSideEffects());
}

TEST_CASE(nodes_are_cloned_into_their_function) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 32, 20, 3}, "input", true);
  auto *selected = module.createPlaceholder(ElemKind::Int64ITy, {4, 1}, "select", true);
  Node *first = conv(F, "Conv1", input, 16);
  Node *relu = F->createRelu("Relu", first);
  Node *soft = F->createSoftMax("SoftMax", relu, selected);
  F->createSave("Save", F->createConcat("concat", {relu, relu, soft}, 0));
  for (Node *node : std::vector<Node *>{first, relu, soft}) {
    Node *copy = F->addNode(node->clone());
    EXPECT(copy != node && copy->isEqual(*node) && copy->getHash() == node->getHash());
    EXPECT(copy->getName() != node->getName() && copy->getParent() == F);
  }
  EXPECT(F->verify());
  Function *G = F->clone("new_main");
  EXPECT(G->verify() && G->getNodes().size() == F->getNodes().size() && G->getParent() == F->getParent());
}

TEST_CASE(functions_share_the_placeholders_of_a_module) {
  Module module;
  Function *one = module.createFunction("one");
  Function *two = module.createFunction("two");
  std::vector<Placeholder *> places;
  for (const char *name : {"V1", "V2", "V3", "V4"}) {
    places.push_back(module.createPlaceholder(ElemKind::FloatTy, {4, 8}, name, true));
  }
  one->createSave("sv", one->createSub("1_sub_2", places[0], places[1]), places[0]);
  two->createSave("sv", places[2], places[1]);
  EXPECT(module.hasFunction("one") && module.hasFunction("two") && !module.hasFunction("four"));
  EXPECT(module.verify() && places[0]->getNumUsers() == 2 && places[1]->getNumUsers() == 2);
  EXPECT(one->getNodeByName("A1_sub_2") != nullptr && places[3]->getNumUsers() == 0);
}

TEST_CASE(a_value_is_used_again_and_again) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1}, "input", true);
  NodeValue a = F->createAdd("x2", input, input);
  a = F->createAdd("x4", a, a);
  a = F->createAdd("x8", a, a);
  F->createSave("Save", a);
  EXPECT(input->getNumUsers() == 2 && a.hasOneUse() && F->getNodes().size() == 4);
  auto *relu = F->createRelu("relu", input);
  const NodeValue value = relu->getResult();
  EXPECT(value.getNumUsers() == 0 && !value.hasOneUse());
  F->createSave("first", value);
  EXPECT(value.hasOneUse() && relu->getNumUsers() == 1);
  F->createSave("second", value);
  EXPECT(value.getNumUsers() == 2 && relu->getNumUsers() == 2 && !value.hasOneUse());
  IRFunction M(F);
  M.generateIR();
  EXPECT(M.verify() && countOf<ElementAddInst>(M) == 3);
}

TEST_CASE(predicates_reach_the_instructions) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 32, 32, 3}, "input", true);
  auto *predicate = module.createPlaceholder(ElemKind::BoolTy, {1}, "predicate", false);
  ConvolutionNode *first = conv(F, "conv1", input, 16);
  auto *relu = F->createRelu("relu1", first);
  auto *pool = F->createMaxPool("pool1", relu, {2, 2}, {2, 2}, {0, 0, 0, 0}, NHWC);
  for (Node *node : std::vector<Node *>{first, relu, pool}) {
    node->setPredicate(predicate);
  }
  F->createSave("ret", pool->getResult());
  EXPECT(F->verify() && predicate->getNumUsers() == 3);
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.addRule<MaxPoolNode>([](MaxPoolNode *node, IRGenerator &own) {
    auto *out = own.getBuilder().createAllocActivationInst("pool.res", node->getResult().getType());
    auto *pooled = own.getBuilder().createMaxPoolInst(node->getName(), out, own.valueForNode(node->getInput()),
                                                      node->getKernels(), node->getStrides(), node->getPads(),
                                                      node->getLayout());
    pooled->setPredicate(own.valueForNode(node->getPredicate()));
    own.registerIR(node->getResult(), out);
  });
  generator.run(*F);
  EXPECT(M.verify());
  unsigned predicated = 0;
  for (const Instruction &instruction : M.getInstrs()) {
    predicated += instruction.hasPredicate() && instruction.getPredicate() == M.getWeightForNode(predicate);
  }
  EXPECT(predicated == 3);
}

/// Where the instruction of a kind is in the list.
template <typename InstrTy> static std::ptrdiff_t placeOf(const IRFunction &M) {
  const InstrsList &list = M.getInstrs();
  auto found = std::find_if(list.begin(), list.end(), [](const Instruction &one) { return isa<InstrTy>(&one); });
  return std::distance(list.begin(), found);
}

TEST_CASE(what_writes_a_placeholder_waits_for_those_that_read_it) {
  for (bool saveFirst : {true, false}) {
    Module module;
    Function *F = module.createFunction("main");
    auto *A = module.createPlaceholder(ElemKind::FloatTy, {3, 32}, "A", true);
    auto *B = module.createPlaceholder(A->getType(), "B", true);
    auto *zero = module.createPlaceholder(A->getType(), "zero", true);
    if (saveFirst) {
      F->createSave("resetA", zero, A);
    }
    F->createSave("ret", F->createAdd("addAB", A, B));
    if (!saveFirst) {
      F->createSave("resetA", zero, A);
    }
    IRFunction M(F);
    M.generateIR();
    EXPECT(M.verify() && countOf<CopyInst>(M) == 2);
    const Value *a = M.getWeightForNode(A);
    std::ptrdiff_t reset = -1;
    std::ptrdiff_t at = 0;
    for (const Instruction &instruction : M.getInstrs()) {
      if (const auto *copy = dyn_cast<CopyInst>(&instruction)) {
        reset = copy->getDest() == a ? at : reset;
      }
      ++at;
    }
    EXPECT(reset > placeOf<ElementAddInst>(M));
  }
}

TEST_CASE(numbers_name_the_same_values_as_getters) {
  Module module;
  Function *F = module.createFunction("F");
  auto *I = module.createPlaceholder(ElemKind::FloatTy, {10, 10}, "input", true);
  auto *O = module.createPlaceholder(ElemKind::FloatTy, {10, 3, 10, 3}, "output", true);
  TopKNode *top = F->createTopK("topk", I, 3);
  GatherNode *gather = F->createGather("gather", top->getValues(), top->getIndices(), 0);
  TanhNode *tanh = F->createTanh("tanh", gather);
  SaveNode *save = F->createSave("save", tanh, O);
  EXPECT(I->getNthResult(Storage::OutputIdx) == I->getOutput());
  EXPECT(top->getNthInput(TopKNode::InputIdx) == top->getInput() && top->getInput() == I->getOutput());
  EXPECT(top->getNthResult(TopKNode::ValuesIdx) == top->getValues());
  EXPECT(top->getNthResult(TopKNode::IndicesIdx) == top->getIndices());
  EXPECT(gather->getNthInput(GatherNode::DataIdx) == gather->getData() && gather->getData() == top->getValues());
  EXPECT(gather->getNthInput(GatherNode::IndicesIdx) == top->getIndices());
  EXPECT(tanh->getNthInput(TanhNode::InputIdx) == gather->getNthResult(GatherNode::ResultIdx));
  EXPECT(save->getNthInput(SaveNode::InputIdx) == tanh->getNthResult(TanhNode::ResultIdx));
  EXPECT(save->getNthInput(SaveNode::OutputIdx) == O->getOutput() && save->getOutput() == O->getOutput());
  EXPECT(save->getPlaceholder() == O && O->hasOneUse() && O->getUsers().front().getUser() == save);
}

TEST_CASE(nodes_and_functions_are_printed) {
  Module module;
  auto *place = module.createPlaceholder(ElemKind::FloatTy, {4, 320, 200, 100, 3}, "input", true);
  const std::string text = "Placeholder\n"
                           "Name : input\n"
                           "Layout : *\n"
                           "Output : float<4 x 320 x 200 x 100 x 3>\n"
                           "Trainable : true\n"
                           "Static : false\n"
                           "Users : 0\n";
  std::ostringstream dumped;
  std::ostringstream streamed;
  place->dump(dumped);
  streamed << *place;
  EXPECT(place->toString() == text && dumped.str() == text && streamed.str() == text);

  auto *second = module.createPlaceholder(ElemKind::FloatTy, {10, 10}, "input", true);
  second->setStatic(true);
  Function *F = module.createFunction("F2");
  F->createTopK("topk", second, 3);
  const std::string expected = "Graph structure F2:\n"
                               "Placeholder\n"
                               "Name : input__1\n"
                               "Layout : *\n"
                               "Output : float<10 x 10>\n"
                               "Trainable : true\n"
                               "Static : true\n"
                               "Users : 1\n"
                               "\n"
                               "TopK\n"
                               "Name : topk\n"
                               "Input : float<10 x 10>\n"
                               "K : 3\n"
                               "Users : 0\n"
                               "Values : float<10 x 3>\n"
                               "Indices : index64<10 x 3>\n"
                               "\n";
  EXPECT(F->toString() == expected);
  module.createConstant(ElemKind::FloatTy, {1, 1}, "dummy");
  const std::string whole = module.toString();
  EXPECT(whole.find("Constant\nName : dummy\nLayout : *\nOutput : float<1 x 1>\nUsers : 0\n") != std::string::npos);
  EXPECT(whole.find(text) != std::string::npos && whole.find(expected) != std::string::npos);
}

TEST_CASE(sizes_of_constants_and_bindings) {
  Module module;
  EXPECT(module.getConstantsSize() == 0);
  auto *one = module.createConstant(ElemKind::FloatTy, {1}, "var");
  EXPECT(module.getConstantsSize() == sizeof(float) * one->getPayload().size());
  module.createConstant(ElemKind::FloatTy, {1, 32, 32, 16}, "var2");
  EXPECT(module.getConstantsSize() == sizeof(float) * (1 + 32 * 32 * 16));
  one->getPayloadMutable() = Tensor(ElemKind::Float16Ty, {1});
  EXPECT(!one->verify() && !module.verify());

  PlaceholderBindings bindings;
  auto *place = module.createPlaceholder(ElemKind::FloatTy, {4, 32, 20, 3}, "input", true);
  EXPECT(bindings.getDataSize() == 0);
  bindings.allocate(place);
  EXPECT(bindings.get(place)->size() == 4 * 32 * 20 * 3);
  EXPECT(bindings.getDataSize() == sizeof(float) * bindings.get(place)->size());
  PlaceholderBindings copy = bindings.clone();
  EXPECT(copy.get(place) != bindings.get(place) && copy.get(place)->isEqual(*bindings.get(place)));
  copy.get(place)->bytes()[0] = 1;
  EXPECT(!copy.get(place)->isEqual(*bindings.get(place)));
}

TEST_CASE(fusion_groups_follow_each_other) {
  Module module;
  Function *F = module.createFunction("F");
  auto place = [&](ElemKind kind, std::initializer_list<dim_t> dims, const char *name) {
    return module.createPlaceholder(module.uniqueType(kind, dims, 1.0f, 0), name, false);
  };
  auto *input = place(ElemKind::Int8QTy, {128, 32}, "input");
  auto *weights = place(ElemKind::Int8QTy, {32, 64}, "weights");
  auto *bias = place(ElemKind::Int32QTy, {64}, "bias");
  auto *out = module.createPlaceholder(ElemKind::Float16Ty, {128, 64}, "out", false);
  auto *last = module.createPlaceholder(ElemKind::Float16Ty, {128, 64}, "last", false);
  auto *fc = F->createFullyConnected("fc", input, weights, bias);
  auto *floats = F->createDequantize("floats", out->getType(), fc);

  std::vector<NodeValue> inputs;
  std::vector<Node *> entries;
  for (unsigned i = 0; i < fc->getNumInputs(); ++i) {
    inputs.push_back(fc->getNthInput(i));
    entries.push_back(F->createFusionGroupPlaceholder("entry", inputs[i].getType(), i));
  }
  const TypeRef types[] = {fc->getType(0), floats->getType(0)};
  auto *group = F->createFusionGroup("group", types, inputs, {fc->getResult(), floats->getResult()}, entries,
                                     {fc, floats}, "FC_Deq");
  for (Node *node : std::vector<Node *>{fc, floats}) {
    node->setParentFusionGroup(group);
  }
  for (unsigned i = 0; i < 3; ++i) {
    fc->setNthInput(i, NodeValue(group->getNthFusionGroupPlaceholder(i)));
  }
  // What follows takes the results of the group.
  auto *again = F->createDequantize("again", last->getType(), group->getNthResult(0));
  F->createSave("return1", group->getNthResult(1), out);
  F->createSave("return2", again, last);
  EXPECT(F->verify() && group->getNumInputs() == 3 && group->getOutputsSize() == 2);
  EXPECT(input->hasOneUse() && input->getUsers().front().getUser() == group);
  EXPECT(fc->isFused() && fc->getParentFusionGroup() == group && !again->isFused());
  EXPECT(group->getNthResult(1).hasOneUse() && group->getOutputs()[0] == group->getNthResult(0));
}
