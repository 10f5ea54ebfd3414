// Instructions: the behaviour that Glow's tests/unittests/BasicIRTest.cpp asks for, and lowering.
#include "check.h"

#include <set>
#include <sstream>

using namespace glow;

TEST_CASE(types_are_unique) {
  Module module;
  Type one(ElemKind::FloatTy, {320, 200});
  Type two(ElemKind::FloatTy, {1, 2});
  EXPECT(module.uniqueType(one) == module.uniqueType(Type(ElemKind::FloatTy, {320, 200})));
  EXPECT(module.uniqueType(one) != module.uniqueType(two));
  Type quantized(ElemKind::Int8QTy, {1, 2}, 0.4f, 2);
  TypeRef known = module.uniqueType(quantized);
  TypeRef turned = module.uniqueTypeWithNewShape(known, {2, 1});
  EXPECT(known != turned && module.uniqueTypeWithNewShape(turned, {1, 2}) == known);
}

template <typename T> static void checkQuantized(ElemKind kind) {
  const float scale = 0.3f;
  const int offset = -45;
  Type type(kind, {2, 3}, scale, offset);
  EXPECT(type.isQuantizedType() && type.getScale() == scale && type.getOffset() == offset);
  EXPECT(type.getElementSize() == sizeof(T) && type.isType<T>());
  const auto range = type.getQuantizedValueRange();
  // The difference is exact in 64 bits, and is rounded once, as the type does it.
  const auto real = [&](T value) { return static_cast<float>(static_cast<std::int64_t>(value) - offset) * scale; };
  EXPECT(range.first == real(std::numeric_limits<T>::min()));
  EXPECT(range.second == real(std::numeric_limits<T>::max()));
}

TEST_CASE(quantized_types_stand_for_a_range) {
  checkQuantized<std::int8_t>(ElemKind::Int8QTy);
  checkQuantized<std::uint8_t>(ElemKind::UInt8QTy);
  checkQuantized<std::int16_t>(ElemKind::Int16QTy);
  checkQuantized<std::int32_t>(ElemKind::Int32QTy);
  for (ElemKind kind : {ElemKind::FloatTy, ElemKind::Int64ITy, ElemKind::UInt8ITy}) {
    Type plain(kind, {2, 3});
    EXPECT(!plain.isQuantizedType());
    EXPECT_THROWS(InvalidIR, plain.getScale());
  }
}

TEST_CASE(operands_can_be_replaced) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *one = builder.createWeightVar(ElemKind::FloatTy, {320, 200});
  auto *two = builder.createWeightVar(ElemKind::FloatTy, {320, 200});
  auto *copy = builder.createCopyInst("C", one, two);
  EXPECT(copy->getDest() == one && one->hasOneUse() && copy->getNumInputs() == 1 && copy->getNumOutputs() == 1);
  copy->setOperand(CopyInst::DestIdx, two);
  EXPECT(copy->getDest() == two && !one->hasUsers() && two->getNumUsers() == 2);
  EXPECT(M.verify());
}

static std::unique_ptr<IRFunction> manyInstructions(Module &module) {
  auto M = std::make_unique<IRFunction>(module.createFunction("main"));
  IRBuilder builder(M.get());
  TypeRef image = module.uniqueType(ElemKind::FloatTy, {1, 24, 24, 3});
  auto *I0 = builder.createWeightVar(image, "I0");
  auto *I1 = builder.createWeightVar(image, "I1");
  auto *I2 = builder.createWeightVar(ElemKind::FloatTy, {1, 3, 24, 24}, "I2", WeightVar::MutabilityKind::Constant);
  auto *I3 = builder.createWeightVar(ElemKind::FloatTy, {1, 12, 12, 64});
  auto *I4 = builder.createWeightVar(ElemKind::FloatTy, {1, 12, 12, 3});
  auto *I6 = builder.createWeightVar(ElemKind::FloatTy, {2, 12, 12, 64});
  auto *I8 = builder.createWeightVar(ElemKind::FloatTy, {1, 24, 3, 24}, "I8");
  auto *info = builder.createWeightVar(ElemKind::FloatTy, {2}, "info");
  auto *bias = builder.createWeightVar(ElemKind::FloatTy, {64}, "bias");
  auto *filter = builder.createWeightVar(ElemKind::FloatTy, {64, 7, 7, 3}, "filter");
  builder.createCopyInst("copy", I1, I0);
  builder.createConvolutionInst("conv", I3, I1, filter, bias, {7, 7}, {2, 2}, {3, 3, 3, 3}, 1, {1, 1}, NHWC, NONE, {});
  builder.createMaxPoolInst("pool", I4, I0, {7, 7}, {2, 2}, {3, 3, 3, 3}, NHWC);
  builder.createSigmoidInst("sigmoid", I1, I0);
  builder.createTanhInst("tanh", I1, I0);
  builder.createSoftMaxInst("softmax", I1, I0);
  builder.createTransposeInst("transpose", I8, I2, {0, 2, 3, 1});
  builder.createTensorViewInst("view", I2, module.uniqueType(ElemKind::FloatTy, {1, 24, 3, 24}), {0, 0, 0, 0});
  builder.createInsertTensorInst("insert", I6, I3, {0, 0, 0, 0}, 1, 0);
  builder.createElementMulInst("mul", I1, I0, I0);
  builder.createDebugPrintInst("print", I0, "console", "");
  builder.createQuantizationProfileInst("profile", I0, bias, info);
  return M;
}

TEST_CASE(instructions_of_many_kinds_verify_and_clone) {
  Module module;
  auto M = manyInstructions(module);
  Diagnostics diagnostics;
  M->verify(diagnostics);
  EXPECT(diagnostics.empty());
  auto copy = M->clone();
  EXPECT(copy->verify() && copy->toString() == M->toString());
  EXPECT(M->toString().find("%pool = maxpool @out %") != std::string::npos);
  EXPECT(M->toString().find("{Kernels: [7, 7], Strides: [2, 2], Pads: [3, 3, 3, 3], Layout: 0}") != std::string::npos);
}

TEST_CASE(casting_finds_the_class) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *input = builder.createWeightVar(ElemKind::FloatTy, {1, 224, 224, 3});
  auto *res = builder.createAllocActivationInst("sigmoid.res", input->getType());
  auto *sigmoid = builder.createSigmoidInst("sigmoid", res, input);
  auto *out = builder.createAllocActivationInst("pool.res", ElemKind::FloatTy, {1, 112, 112, 3});
  Value *pool = builder.createAvgPoolInst("pool", out, res, {2, 2}, {2, 2}, {0, 0, 0, 0}, NHWC, true);
  EXPECT(isa<AvgPoolInst>(pool) && !isa<AvgPoolInst>(static_cast<Value *>(input)));
  EXPECT(isa<SigmoidInst>(static_cast<Value *>(sigmoid)) && !isa<SigmoidInst>(pool));
  EXPECT(dyn_cast<AvgPoolInst>(pool) == pool && dyn_cast<SigmoidInst>(pool) == nullptr);
  EXPECT(dyn_cast<WeightVar>(static_cast<Value *>(input)) == input && !isa<Instruction>(static_cast<Value *>(input)));
  EXPECT_THROWS(BadCast, cast<SigmoidInst>(pool));
  auto *instruction = cast<AvgPoolInst>(pool);
  EXPECT(instruction->getNumOperands() == 2 && instruction->getOperandName(0) == "Dest");
  EXPECT(instruction->getOperandName(1) == "Src" && instruction->getNumFixedOperands() == 2);
  EXPECT_THROWS(std::out_of_range, instruction->getOperandName(2));
}

TEST_CASE(instructions_have_predicates_equality_and_setters) {
  Module module;
  IRFunction M(module.createFunction("predicated"));
  IRBuilder builder(&M);
  auto *one = builder.createWeightVar(ElemKind::FloatTy, {320, 200});
  auto *two = builder.createWeightVar(ElemKind::FloatTy, {320, 200});
  auto *predicate = builder.createWeightVar(ElemKind::Int64ITy, {320}, "p1");
  auto *a = builder.createCopyInst("a", one, two);
  auto *b = builder.createCopyInst("b", one, two);
  EXPECT(*a == *b && a->getHash() == b->getHash());
  a->setPredicate(predicate);
  EXPECT(a->hasPredicate() && a->getPredicate() == predicate && !a->isEqual(*b) && predicate->hasOneUse());
  EXPECT(M.verify());
  auto *alloc = builder.createAllocActivationInst("alloc", one->getType());
  alloc->setTy(module.uniqueType(ElemKind::FloatTy, {1}));
  EXPECT(alloc->getTy()->size() == 1);
}

TEST_CASE(operands_must_be_memory) {
  Module module;
  IRFunction M(module.createFunction("invalid"));
  IRBuilder builder(&M);
  auto *lhs = builder.createWeightVar(ElemKind::FloatTy, {10, 10});
  auto *rhs = builder.createWeightVar(ElemKind::FloatTy, {10, 10});
  auto *out = builder.createWeightVar(ElemKind::FloatTy, {10, 10});
  auto *add = builder.createElementAddInst("add", out, lhs, rhs);
  EXPECT(M.verify());
  auto *wrong = builder.createElementAddInst("wrong", out, add, rhs);
  EXPECT(!M.verify());
  EXPECT_THROWS(InvalidIR, (M.verifyOrThrow(), 0));
  wrong->eraseFromParent();
  EXPECT(M.verify());
  builder.createElementAddInst("wrong", add, lhs, rhs);
  EXPECT(!M.verify());
}

/// The only violation in a function; none is an empty text.
static std::string violation(const IRFunction &M) {
  Diagnostics diagnostics;
  M.verify(diagnostics);
  std::ostringstream os;
  os << diagnostics;
  return os.str();
}

TEST_CASE(operands_share_memory_where_the_record_says_so) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *a = builder.createWeightVar(ElemKind::FloatTy, {4, 4}, "a");
  auto *b = builder.createWeightVar(ElemKind::FloatTy, {4, 4}, "b");
  builder.createElementAddInst("add", a, a, a);
  EXPECT(M.verify());
  auto *product = builder.createMatMulInst("product", a, a, b);
  EXPECT(violation(M).find("the operands Dest and LHS are the same value: "
                           "Dest is written and may not reuse the memory of LHS") != std::string::npos);
  EXPECT(!product->verify());
  product->eraseFromParent();
  // A view of all of it is the same memory; one of a part may be of another.
  auto *whole = builder.createTensorViewInst("whole", a, module.uniqueType(ElemKind::FloatTy, {4, 4}), {0, 0});
  auto *wrong = builder.createMatMulInst("wrong", a, whole, b);
  EXPECT(violation(M).find("the operands Dest and LHS are views of the same memory") != std::string::npos);
  wrong->eraseFromParent();
  builder.createElementAddInst("views", a, whole, b);
  auto *row = builder.createTensorViewInst("row", a, module.uniqueType(ElemKind::FloatTy, {1, 4}), {0, 0});
  auto *other = builder.createTensorViewInst("other", a, module.uniqueType(ElemKind::FloatTy, {1, 4}), {1, 0});
  builder.createSoftMaxInst("rows", row, other);
  EXPECT(M.verify());
  auto *values = builder.createWeightVar(ElemKind::Int64ITy, {4, 1}, "values");
  builder.createTopKInst("twice", values, values, a, 1);
  builder.deallocateActiveInstrs();
  EXPECT(violation(M).find("the operands Values and Indices are the same value: both are written") != std::string::npos);
}

TEST_CASE(activations_are_written_before_they_are_read) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *input = builder.createWeightVar(ElemKind::FloatTy, {2, 2}, "input", WeightVar::MutabilityKind::Constant);
  auto *out = builder.createWeightVar(ElemKind::FloatTy, {2, 2}, "out");
  auto *first = builder.createAllocActivationInst("first", input->getType());
  auto *view = builder.createTensorViewInst("view", first, input->getType(), {0, 0});
  auto *read = builder.createCopyInst("read", out, view);
  auto *write = builder.createCopyInst("write", first, input);
  auto *dealloc = builder.createDeallocActivationInst("dealloc", first);
  EXPECT(violation(M).find("the operand Src is read before something is written to it") != std::string::npos);
  M.moveInstruction(read, write);
  EXPECT(M.verify());
  // A view does not outlive its activation, and does not make a constant mutable.
  M.moveInstruction(read, dealloc);
  EXPECT(violation(M).find("the operand Src was deallocated before") != std::string::npos);
  M.moveInstruction(dealloc, read);
  auto *constant = builder.createTensorViewInst("constant", input, input->getType(), {0, 0});
  builder.createCopyInst("changes", constant, out);
  EXPECT(violation(M).find("a constant weight is written") != std::string::npos);
}

TEST_CASE(names_are_unique) {
  Module module;
  IRFunction M(module.createFunction("main"));
  std::set<std::string> names;
  IRBuilder builder(&M);
  auto *weight = builder.createWeightVar(ElemKind::FloatTy, {4}, "name");
  auto *other = builder.createWeightVar(ElemKind::FloatTy, {4}, "name");
  auto *values = builder.createAllocActivationInst("name", ElemKind::FloatTy, {2});
  auto *indices = builder.createAllocActivationInst("name", ElemKind::Int64ITy, {2});
  auto *top = builder.createTopKInst("name", values, indices, weight, 2);
  auto *dealloc = builder.createDeallocActivationInst("name", top->getScratch());
  for (const Value *value : std::vector<const Value *>{weight, other, values, indices, top, dealloc}) {
    EXPECT(names.insert(value->getName().str()).second);
  }
  EXPECT(dealloc->getAlloc() == top->getScratch());
  builder.deallocateActiveInstrs();
  EXPECT(M.verify());
}

TEST_CASE(scratch_is_allocated_by_the_builder) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *input = builder.createWeightVar(ElemKind::FloatTy, {10});
  auto *values = builder.createAllocActivationInst("values", ElemKind::FloatTy, {3});
  auto *indices = builder.createAllocActivationInst("indices", ElemKind::Int64ITy, {3});
  TopKInst *top = builder.createTopKInst("top", values, indices, input, 3);
  auto *scratch = cast<AllocActivationInst>(top->getScratch());
  EXPECT(top->getScratchSize() == 2 * 10 * 8 && scratch->getType()->size() == top->getScratchSize());
  EXPECT(scratch->getTy() == scratch->getType());
  // A size of nothing becomes one byte.
  auto *none = builder.createWeightVar(ElemKind::FloatTy, {0});
  TopKInst *empty = builder.createTopKInst("empty", values, indices, none, 3);
  EXPECT(empty->getScratchSize() == 0 && empty->getScratch()->getType()->size() == 1);
}

TEST_CASE(memory_is_reused_where_alias_sets_say_so) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *w = builder.createWeightVar(ElemKind::FloatTy, {10});
  Instruction *add = builder.createElementAddInst("add", w, w, w);
  EXPECT(add->isInplaceOp(0, 1) && add->isInplaceOp(0, 2) && !add->isInplaceOp(1, 0) && !add->isInplaceOp(0, 0));
  EXPECT(Instruction::isInplaceOp(add, 0, 1) && add->isDataParallel() && add->isCanonical());
  Instruction *splat = builder.createCPUMaxSplatInst("max", w, w, 1.0f);
  EXPECT(!splat->isCanonical());
}

TEST_CASE(instructions_are_inserted_before_others) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *w = builder.createWeightVar(ElemKind::FloatTy, {10});
  auto *last = builder.createReluInst("last", w, w);
  builder.setInsertPoint(last);
  auto *first = builder.createTanhInst("first", w, w);
  auto *second = builder.createTanhInst("second", w, w);
  builder.setInsertPoint(nullptr);
  auto *end = builder.createReluInst("end", w, w);
  std::vector<const Instruction *> order;
  for (const Instruction &instruction : M.getInstrs()) {
    order.push_back(&instruction);
  }
  EXPECT((order == std::vector<const Instruction *>{first, second, last, end}));
  M.moveInstruction(first, end);
  EXPECT(&M.getInstrs().front() == end);
  end->removeFromParent();
  EXPECT(end->getParent() == nullptr && M.getInstrs().size() == 3);
  Instruction::destroyInstruction(end);
}

TEST_CASE(instructions_are_fused) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *w = builder.createWeightVar(ElemKind::FloatTy, {10});
  auto *one = builder.createSigmoidInst("one", w, w);
  auto *two = builder.createTanhInst("two", w, w);
  auto *group = builder.createFusionGroupInst("group", {one, two});
  EXPECT(one->isFused() && two->getParentGroupFusionInstr() == group && M.verify());
  EXPECT(group->toString() == "%group = fusiongroup { %one, %two }");
}

TEST_CASE(graphs_are_lowered) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "a", false);
  auto *b = module.createConstant(ElemKind::FloatTy, {2, 3}, "b");
  auto *gate = module.createPlaceholder(ElemKind::BoolTy, {1}, "gate", false);
  auto *add = F->createAdd("add", a, b);
  add->setPredicate(gate);
  auto *soft = F->createSoftMax("soft", add, a);
  F->createSave("save", soft);
  EXPECT(F->verify());
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.run(*F);
  EXPECT(M.verify());
  auto *lowered = cast<ElementAddInst>(generator.getInstruction(add));
  EXPECT(generator.valueForNode(add->getResult()) == lowered->getDest());
  EXPECT(lowered->getLHS() == M.getWeightForNode(a) && lowered->getRHS() == M.getWeightForNode(b));
  EXPECT(lowered->getPredicate() == M.getWeightForNode(gate));
  EXPECT(M.toString() == "function main\n"
                         "\n"
                         "declare {\n"
                         "  %gate = WeightVar bool<1> mutable\n"
                         "  %a = WeightVar float<2 x 3> mutable\n"
                         "  %b = WeightVar float<2 x 3> const\n"
                         "  %save = WeightVar float<2 x 3> mutable\n"
                         "}\n"
                         "\n"
                         "code {\n"
                         "  0 %add_res = allocactivation  {Ty: float<2 x 3>}\n"
                         "  1 %add = elementadd @out %add_res, @in %a, @in %b, @in %gate\n"
                         "  2 %soft_res = allocactivation  {Ty: float<2 x 3>}\n"
                         "  3 %soft = softmax @out %soft_res, @in %add_res\n"
                         "  4 %dealloc_add_res = deallocactivation @out %add_res\n"
                         "  5 %save__1 = copy @out %save, @in %soft_res\n"
                         "  6 %dealloc_soft_res = deallocactivation @out %soft_res\n"
                         "}\n");
}

TEST_CASE(nodes_without_an_instruction_need_a_rule) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2, 3}, "a", false);
  auto *gelu = F->createGelu("gelu", a);
  F->createSave("save", gelu);
  IRFunction failing(F);
  EXPECT_THROWS(InvalidIR, (failing.generateIR(), 0));
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.addRule<GeluNode>([](GeluNode *node, IRGenerator &own) {
    auto *out = own.getBuilder().createAllocActivationInst("gelu.res", node->getResult().getType());
    auto *relu = own.getBuilder().createReluInst(node->getName(), out, own.valueForNode(node->getInput()));
    own.registerIR(node->getResult(), relu->getDest());
  });
  generator.run(*F);
  EXPECT(M.verify() && M.toString().find("%gelu = relu") != std::string::npos);
}
