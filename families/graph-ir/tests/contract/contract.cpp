// Uses every name that the generated classes have for the public, once: what programs that were
// written against Glow's generated code rely on. A test compares the names here with a list of
// them, and with the headers that are generated for ir.yaml.
#include "../check.h"

using namespace contract;

// What the family file leaves to the user.
bool VerifiedNode::verify() const { return !getName().equals("bad"); }
Node *VerifiedNode::getGrad(GraphGradMapper &builder) {
  builder.addGradient(getInput(), builder.getGradient(getResult()));
  return nullptr;
}
void CheckedNode::checkMore(Diagnostics &diagnostics) const {
  diagnostics.require(getNumUsers() < 3, whereIs(*this), "there are too many users");
}
dim_t MixInst::getScratchSize() const { return dim_t{K_} * getSrc()->getType()->size(); }
bool SpecialInst::verify() const { return getDest()->getType()->size() == 2; }

static MembersNode *members(Function *F, NodeValue a, NodeValue b, MembersNode::Mode mode = MembersNode::Mode::Exact) {
  TypeRef type = F->getParent()->uniqueType(ElemKind::FloatTy, {7});
  return F->createMembers("members", type, mode, a, b, -1, 2, -3, 4, 5, 0.5f, true, "text", type, 1, Point{1, 2}, {-1},
                          {2}, {-3}, {4}, {5}, {0.5f});
}

TEST_CASE(nodes_have_inputs_results_and_members) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {3}, "b", true);
  MembersNode *node = members(F, a, b);
  const MembersNode *fixed = node;
  static_assert(MembersNode::InputIdx == 0 && MembersNode::OtherIdx == 1, "inputs are numbered in order");
  static_assert(MembersNode::ResultIdx == 0 && MembersNode::SecondIdx == 1, "results are numbered in order");
  MembersNode::InputIndices input = MembersNode::OtherIdx;
  MembersNode::ResultIndices result = MembersNode::SecondIdx;
  static_assert(MembersNode::numFixedInputs == 2 && MembersNode::numFixedResults == 2 && MembersNode::numMembers == 17,
                "the numbers of parts");
  EXPECT(fixed->getInput() == a->getOutput() && fixed->getOther() == b->getOutput());
  EXPECT(fixed->getResult() == node->getResult() && fixed->getSecond() == node->getSecond());
  EXPECT(node->getSecond().getType() == a->getType() && node->getNthResult(result) == node->getSecond());
  EXPECT(node->getNumInputs() == 2 && node->getInputName(1) == "Other" && node->getOutputName(1) == "Second");
  EXPECT(node->getNthInput(input) == b->getOutput());
  node->setNthInput(MembersNode::OtherIdx, a);
  EXPECT(node->inputHandle(MembersNode::OtherIdx)->getNode() == a);
  EXPECT(node->getOther() == a->getOutput() && b->getNumUsers() == 0);
  EXPECT(node->getWide() == -1 && node->getCount() == 2 && node->getSigned() == -3 && node->getSize() == 4);
  EXPECT(node->getExtent() == 5 && node->getFactor() == 0.5f && node->getFlag() && node->getText() == "text");
  EXPECT(node->getShape()->dims()[0] == 7 && node->getChoice() == 1 && samePoint(node->getPlace(), Point{1, 2}));
  EXPECT(node->getWides()[0] == -1 && node->getCounts()[0] == 2 && node->getSigns()[0] == -3);
  EXPECT(node->getSizes()[0] == 4 && node->getExtents()[0] == 5 && node->getFactors()[0] == 0.5f);
  const std::vector<unsigned_t> counts = {8, 9};
  node->setCount(7);
  node->setCounts(counts);
  node->setPlace(Point{3, 4});
  EXPECT(node->getCount() == 7 && node->getCounts() == counts && node->getPlace().y == 4);
  EXPECT(node->getMode() == MembersNode::Mode::Exact && StringRef(node->getModeStr()) == "Exact");
  EXPECT(StringRef(MembersNode::getModeStr(MembersNode::Mode::Fast)) == "Fast");
  EXPECT(MembersNode::classof(node) && !MembersNode::classof(a) && isa<MembersNode>(static_cast<Node *>(node)));
  EXPECT(StringRef(MembersNode::classInfo().name) == "Members" && node->getMemberText("Place") == "3,4");
  EXPECT(!node->isOverwrittenNthInput(0) && !node->hasSideEffects() && node->isCanonical() && node->isDataParallel());
  EXPECT(node->getDebugDesc().find("Wides : [-1]") != std::string::npos);
  EXPECT(StringRef(node->className()) == "MembersNode of Members");
  MembersNode *fast = members(F, a, a, MembersNode::Mode::Fast);
  Node *copy = node->clone();
  EXPECT(node->isEqual(*cast<MembersNode>(copy)) && node->getHash() == copy->getHash() && !node->isEqual(*fast));
  Node::destroyNode(copy);
  Diagnostics diagnostics;
  node->verify(diagnostics);
  EXPECT(node->verify() && diagnostics.empty());
}

struct Counter : NodeWalker {
  using NodeWalker::post;
  using NodeWalker::pre;
  int before = 0;
  int after = 0;
  void pre(Node *, Node *) override { ++before; }
  void pre(const Node *, const Node *) override { ++before; }
  void post(Node *, Node *) override { ++after; }
  void post(const Node *, const Node *) override { ++after; }
  bool shouldVisit(Node *, Node *node) override { return !isa<Constant>(node); }
  bool shouldVisit(const Node *, const Node *node) override { return !isa<Constant>(node); }
};

TEST_CASE(nodes_are_visited) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  MembersNode *node = members(F, a, a);
  Counter counter;
  node->visit(nullptr, &counter);
  static_cast<const MembersNode *>(node)->visit(nullptr, &counter);
  // The node, and its input twice, each time.
  EXPECT(counter.before == 6 && counter.after == 6);
}

TEST_CASE(gradients_have_names_of_their_own) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  MembersNode *node = members(F, a, a);
  GraphGradMapper map(F);
  map.addGradient(node->getResult(), node->getResult());
  map.addGradient(node->getSecond(), node->getSecond());
  MembersGradNode *grad = node->getGrad(map);
  F->addNode(grad);
  EXPECT(grad->getOriginalOutputForResult() == node->getResult());
  EXPECT(grad->getOriginalOutputForSecond() == node->getSecond());
  EXPECT(grad->getGradOfOriginalOutputNamedResult() == node->getResult());
  EXPECT(grad->getGradOfOriginalOutputNamedSecond() == node->getSecond());
  EXPECT(grad->getGradOfInputNamedInput().getType() == a->getType());
  EXPECT(grad->getGradOfInputNamedOther().getType() == a->getType());
  EXPECT(MembersGradNode::OriginalOutputForResultIdx == 2 && MembersGradNode::GradOfOriginalOutputNamedResultIdx == 3);
  EXPECT(MembersGradNode::OriginalOutputForSecondIdx == 4 && MembersGradNode::GradOfOriginalOutputNamedSecondIdx == 5);
  EXPECT(MembersGradNode::GradOfInputNamedInputIdx == 0 && MembersGradNode::GradOfInputNamedOtherIdx == 1);
  EXPECT(grad->getCount() == node->getCount() && grad->getName() == "members_grad");
  EXPECT(StringRef(grad->className()) == "MembersGradNode of MembersGrad");
  EXPECT(map.hasGradient(a));
  VerifiedNode *verified = F->createVerified("verified", a);
  EXPECT(verified->getGrad(map) == nullptr);
}

TEST_CASE(nodes_have_lists) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  const TypeRef types[] = {a->getType(), a->getType()};
  ListsNode *node = F->createLists("lists", a->getType(), types, a, {a, a, a});
  EXPECT(node->getInputs().size() == 3 && node->getNumInputs() == 4 && node->getInputName(2) == "Inputs1");
  EXPECT(node->getOutputsSize() == 2 && node->getOutputs().size() == 2 && node->getOutputsNth(1).getResNo() == 2);
  EXPECT(node->getOutputName(2) == "Outputs1" && node->getFixed() == a->getOutput() && node->getCount() == 2);
  EXPECT(node->getFirst().getResNo() == ListsNode::FirstIdx && ListsNode::FixedIdx == 0);
}

TEST_CASE(nodes_have_properties) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {2}, "b", true);
  WriteNode *write = F->createWrite("write", a, b);
  write->addExtraResult(a->getType());
  EXPECT(write->isOverwrittenNthInput(WriteNode::OutputIdx) && write->getOutput() == b->getOutput());
  EXPECT(write->getNumResults() == 1 && write->hasSideEffects() && !write->isCanonical());
  FuseNode *fuse = F->createFuse("fuse", a, NONE, {});
  EXPECT(!fuse->hasFusedActivation() && fuse->getFusedActivationArgs().empty() && fuse->verify());
  const float arguments[] = {1.5f};
  fuse->setFusedActivation(RELU);
  fuse->setFusedActivationArgs(arguments);
  // Members that are added by a key are in the gradient as well.
  GraphGradMapper map(F);
  map.addGradient(fuse->getResult(), fuse->getResult());
  FuseGradNode *grad = F->addNode(fuse->getGrad(map));
  EXPECT(grad->getFusedActivation() == RELU && grad->getFusedActivationArgs()[0] == 1.5f && grad->verify());
  EXPECT(fuse->hasFusedActivation() && fuse->getFusedActivation() == RELU && fuse->inferDimsOfResult().size() == 1);
  VerifiedNode *bad = F->createVerified("bad", a);
  CheckedNode *checked = F->createChecked("checked", a);
  Diagnostics diagnostics;
  bad->verify(diagnostics);
  checked->checkMore(diagnostics);
  EXPECT(!bad->verify() && checked->verify() && diagnostics.size() == 1);
  for (int i = 0; i < 3; ++i) {
    F->createChecked("user", checked);
  }
  EXPECT(!checked->verify());
}

// The lists are macros, for tables of one's own.
static const char *const nodeNames[] = {
#define DEF_NODE(CLASS, NAME) #NAME,
#include "AutoGenNodes.def"
};
static int instructions = 0;
static int backendSpecific = 0;
static int values = 0;
static Kinded::Kind firstInstruction;
static Kinded::Kind lastInstruction;
static void countInstructions() {
#define DEF_INSTR(CLASS, NAME) ++instructions;
#define DEF_BACKEND_SPECIFIC_INSTR(CLASS, NAME) ++backendSpecific;
#define DEF_VALUE(CLASS, NAME) ++values;
#define DEF_INSTR_RANGE(CLASS, FIRST, LAST)                                                        \
  firstInstruction = Kinded::Kind::FIRST##Kind;                                                    \
  lastInstruction = Kinded::Kind::LAST##Kind;
#include "AutoGenInstr.def"
}

TEST_CASE(lists_are_macros) {
  countInstructions();
  // Mix, its gradient, Join, Fuse, Twist, FusionGroup, and the three that the support library
  // builds on.
  EXPECT(instructions == 11 && backendSpecific == 1 && values == 1);
  EXPECT(firstInstruction == Kinded::Kind::MixInstKind && lastInstruction == Kinded::Kind::SpecialInstKind);
  EXPECT(StringRef(nodeNames[0]) == "Storage" && getKindFromNodeName("Members") == Kinded::Kind::MembersNodeKind);
}

TEST_CASE(instructions_have_operands_and_members) {
  Module module;
  IRFunction M(module.createFunction("main"));
  IRBuilder builder(&M);
  auto *a = builder.createWeightVar(ElemKind::FloatTy, {2}, "a");
  auto *b = builder.createWeightVar(ElemKind::FloatTy, {2}, "b");
  MixInst *mix = builder.createMixInst("mix", a, b, a, 3, 16);
  static_assert(MixInst::DestIdx == 0 && MixInst::SrcIdx == 1 && MixInst::StateIdx == 2, "operands in order");
  static_assert(MixInst::ScratchIdx == 3 && MixInst::TableIdx == 4, "scratch comes last");
  MixInst::OperandIndices index = MixInst::SrcIdx;
  EXPECT(mix->getDest() == a && mix->getSrc() == b && mix->getState() == a && mix->getOperandName(index) == "Src");
  EXPECT(mix->getOperand(MixInst::StateIdx).second == OperandKind::InOut);
  EXPECT(mix->getOperand(MixInst::ScratchIdx).second == OperandKind::Out && mix->getNumFixedOperands() == 5);
  EXPECT(mix->getScratchSize() == 6 && mix->getScratch()->getType()->size() == 6);
  EXPECT(mix->getTableSize() == 16 && mix->getTable()->getType()->size() == 16);
  EXPECT(mix->getK() == 3 && mix->twiceK() == 6 && mix->getMemberText("K") == "3");
  mix->setK(4);
  mix->setSrc(a);
  EXPECT(mix->getK() == 4 && mix->getSrc() == a && mix->getType() == b->getType());
  EXPECT(MixInst::classof(mix) && StringRef(MixInst::classInfo().className) == "MixInst");
  EXPECT(mix->isInplaceOp(0, 1) && !mix->isInplaceOp(1, 0) && mix->isCanonical() && !mix->isDataParallel());
  EXPECT(!mix->isMemory());
  Instruction *copy = mix->clone();
  EXPECT(mix->isEqual(*cast<MixInst>(copy)) && mix->getHash() == copy->getHash());
  Instruction::destroyInstruction(copy);
  std::ostringstream text;
  mix->dump(text);
  EXPECT(text.str() == "%mix = mix @out %a, @in %a, @inout %a, @out %mix_scratch, @out %mix_table {K: 4, TableSize: 16}");
  // Dest may reuse the memory of Src, and not that of State.
  Diagnostics diagnostics;
  mix->verify(diagnostics);
  EXPECT(!mix->verify() && diagnostics.size() == 2);
  EXPECT(diagnostics[0].message == "the operands Dest and State are the same value: both are written");
  mix->setOperand(MixInst::StateIdx, b);
  EXPECT(mix->verify());

  // The gradient reads the operand and the gradient of the result, and writes that of the operand.
  auto *c = builder.createWeightVar(ElemKind::FloatTy, {2}, "c");
  MixGradInst *grad = builder.createMixGradInst("grad", a, b, c, 3, 16);
  EXPECT(grad->getSrc() == a && grad->getDestGrad() == b && grad->getSrcGrad() == c && grad->twiceK() == 6);
  static_assert(MixGradInst::DestGradIdx != MixGradInst::SrcGradIdx, "an operand each");
  EXPECT(grad->getOperand(MixGradInst::SrcGradIdx).second == OperandKind::Out);
  EXPECT(grad->getOperand(MixGradInst::DestGradIdx).second == OperandKind::In);
  // The element type that a rule names holds for the gradient too.
  auto *whole = builder.createWeightVar(ElemKind::Int64ITy, {2}, "whole");
  auto *other = builder.createWeightVar(ElemKind::Int64ITy, {2}, "other");
  MixGradInst *wrong = builder.createMixGradInst("wrong", whole, whole, other, 3, 16);
  Diagnostics found;
  wrong->verify(found);
  EXPECT(grad->verify() && found.size() == 1 && found[0].message == "the element type of SrcGrad is not FloatTy");

  JoinInst *join = builder.createJoinInst("join", a, b, {a, b});
  EXPECT(join->getFirst() == b && join->getMore().size() == 2 && join->getMore()[1] == b && join->isDataParallel());
  static_assert(JoinInst::FirstIdx == 1, "the list is not numbered");
  SpecialInst *special = builder.createSpecialInst("special", a);
  EXPECT(!special->isCanonical() && special->verify() && special->getDest() == a);
}

TEST_CASE(effects_belong_to_operands_and_lists) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {2}, "b", true);
  auto *c = module.createPlaceholder(ElemKind::FloatTy, {2}, "c", true);
  UpdateNode *update = F->createUpdate("update", a, b, {a, c});
  EXPECT(!update->isOverwrittenNthInput(UpdateNode::InputIdx) && update->isOverwrittenNthInput(UpdateNode::StateIdx));
  EXPECT(update->isOverwrittenNthInput(2) && update->isOverwrittenNthInput(3) && !update->isOverwrittenNthInput(4));
  EXPECT(update->getState() == b->getOutput() && update->getMore().size() == 2);
  EXPECT(UpdateNode::classInfo().operands[1].kind == OperandKind::InOut);
  EXPECT(UpdateNode::classInfo().operands[2].kind == OperandKind::InOut);
  F->eraseNode(update);

  // What the node writes, the instruction writes, in the same memory.
  AdvanceNode *advance = F->createAdvance("advance", a, b, c);
  EXPECT(advance->getLast() == c->getOutput() && AdvanceNode::classInfo().operands[2].kind == OperandKind::Out);
  static_assert(AdvanceNode::LastIdx == 2, "an input");
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.run(*F);
  auto *advanced = cast<AdvanceInst>(generator.getInstruction(advance));
  std::ostringstream text;
  advanced->dump(text);
  EXPECT(text.str() == "%advance = advance @out %c, @in %a, @inout %b");

  IRBuilder builder(&M);
  Value *x = M.getWeightForNode(a);
  SplitInst *split = builder.createSplitInst("split", x, x, x, {x, x});
  static_assert(SplitInst::HighIdx == 0 && SplitInst::LowIdx == 1 && SplitInst::SrcIdx == 2, "as the record says");
  EXPECT(split->getHigh() == x && split->getLow() == x && split->getRest().size() == 2);
  EXPECT(split->isInplaceOp(SplitInst::HighIdx, SplitInst::SrcIdx));
  EXPECT(!split->isInplaceOp(SplitInst::LowIdx, SplitInst::SrcIdx));
  EXPECT(split->isInplaceOp(SplitInst::LowIdx, 3) && split->isInplaceOp(SplitInst::LowIdx, 4));
  EXPECT(!split->isInplaceOp(SplitInst::LowIdx, 5) && !split->isInplaceOp(SplitInst::HighIdx, 3));
}

TEST_CASE(graphs_become_instructions_and_files) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  FuseNode *fuse = F->createFuse("fuse", a, RELU, {0.5f});
  auto *b = module.createPlaceholder(ElemKind::FloatTy, {2}, "b", true);
  TwistNode *twist = F->createTwist("twist", fuse, b, 4, 0.25f);
  F->createSave("save", twist);
  IRFunction M(F);
  IRGenerator generator(&M);
  generator.run(*F);
  auto *lowered = cast<FuseInst>(generator.getInstruction(fuse));
  EXPECT(lowered->getFusedActivation() == RELU && lowered->getFusedActivationArgs()[0] == 0.5f && M.verify());
  EXPECT(generator.valueForNode(fuse->getResult()) == lowered->getDest());
  // Parts are matched by name, in whatever order the instruction has them.
  auto *twisted = cast<TwistInst>(generator.getInstruction(twist));
  static_assert(TwistInst::OtherIdx == 0 && TwistInst::SrcIdx == 1 && TwistInst::DestIdx == 2, "as the record says");
  EXPECT(twisted->getOther() == M.getWeightForNode(b) && twisted->getSrc() == lowered->getDest());
  EXPECT(twisted->getDest() == generator.valueForNode(twist->getResult()));
  EXPECT(twisted->getNumber() == 4 && twisted->getFactor() == 0.25f);

  const TypeRef types[] = {a->getType()};
  F->createSave("first", F->createLists("lists", a->getType(), types, fuse, {a, fuse}, 5)->getFirst());
  const std::string text = saveGraph(*F);
  EXPECT(text.find("Glow_Fuse") != std::string::npos && text.find("Glow_Lists") != std::string::npos);
  Module other;
  Diagnostics diagnostics;
  Function *G = loadGraph(other, text, "main", diagnostics);
  EXPECT(G && saveGraph(*G) == text && cast<ListsNode>(G->getNodeByName("lists"))->getCount() == 5);
  const std::string bytes = saveGraphAsBytes(*F);
  Module third;
  Function *H = loadGraph(third, bytes, "main", diagnostics);
  EXPECT(H && saveGraph(*H) == text && bytes.size() < text.size());
  // Bytes that end too early are a shorter graph, or none.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Module empty;
    Diagnostics found;
    const Function *cut = loadGraph(empty, bytes.substr(0, size), "cut", found);
    EXPECT(cut ? cut->getNodes().size() <= F->getNodes().size() && found.empty() : !found.empty());
  }
}

TEST_CASE(mix_ins_know_their_class) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  const TypeRef types[] = {a->getType()};
  ListsNode *lists = F->createLists("lists", a->getType(), types, a, {a, a}, 5);
  EXPECT(lists->describe() == "a Lists" && lists->getClassInfo().hasTrait("Described"));
  EXPECT(!a->getClassInfo().hasTrait("Described"));
  EXPECT(StringRef(JoinInst::classInfo().traits[0]) == "Described");
  // The mix-in is a second base class.
  EXPECT(fieldOf(*lists, "Count") == FieldValue(std::uint64_t{5}) && memberOf<unsigned_t>(*lists, 0) == 5);
}

TEST_CASE(graphs_have_versions) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  F->createPlaced("placed", a, Point{1, -2})->setLocation({"model.py", 12, 5});
  const std::string text = saveGraph(*F);
  EXPECT(graphVersion == 2 && text.rfind("graph main 2\n", 0) == 0);
  std::string old = text;
  old.replace(old.find(" 2\n"), 3, " 1\n");
  for (std::size_t at = 0; (at = old.find("Place=", at)) != std::string::npos;) {
    old.replace(at, 6, "Where=");
  }
  unsigned asked = 0;
  const auto upgrade = [&](SavedNode &node, unsigned version) {
    asked += version;
    if (node.type != "Glow_Placed") {
      return false;
    }
    node.attributes["Place"] = node.attributes["Where"];
    return node.attributes.erase("Where") == 1;
  };
  Module other;
  Diagnostics found;
  EXPECT(!loadGraph(other, old, "plain", found) && found.size() == 1);
  Function *G = loadGraph(other, old, "main", found, upgrade);
  EXPECT(G && asked == 1 && saveGraph(*G) == text);
  const Node *placed = G->getNodeByName("placed");
  EXPECT(*placed->getLocation() == (SourceLocation{"model.py", 12, 5}) && textOf(*placed->getLocation()) == "model.py:12:5");
  EXPECT(*G->clone("clone")->getNodeByName("placed")->getLocation() == *placed->getLocation());
  // What is of this version is not upgraded, and what is of a later one is not read.
  EXPECT(loadGraph(other, text, "again", found, upgrade) && asked == 1);
  Diagnostics refused;
  std::string newer = text;
  newer.replace(newer.find(" 2\n"), 3, " 3\n");
  EXPECT(!loadGraph(other, newer, "newer", refused, upgrade) && refused.size() == 1);
  EXPECT(!loadGraph(other, "graph main two\n", "odd", refused) && refused.size() == 2);
  old.replace(old.find("Glow_Placed"), 11, "Glow_Hidden");
  EXPECT(!loadGraph(other, old, "cannot", refused, upgrade) && refused.size() == 3);
  std::string lost = text;
  lost.replace(lost.find("12,5,"), 5, "12,");
  EXPECT(!loadGraph(other, lost, "lost", refused) && refused.size() == 4);
}

TEST_CASE(members_of_own_types_are_written_if_they_can_be) {
  Module module;
  Function *F = module.createFunction("main");
  auto *a = module.createPlaceholder(ElemKind::FloatTy, {2}, "a", true);
  F->createPlaced("placed", a, Point{1, -2});
  const std::string text = saveGraph(*F);
  Module other;
  Diagnostics diagnostics;
  Function *G = loadGraph(other, text, "main", diagnostics);
  auto *placed = cast<PlacedNode>(G->getNodeByName("placed"));
  EXPECT(saveGraph(*G) == text && samePoint(placed->getPlace(), Point{1, -2}));
  const std::size_t at = text.find("Place=");
  Diagnostics found;
  EXPECT(!loadGraph(other, text.substr(0, at) + "Place=x" + text.substr(text.find(' ', at)), "bad", found));
  EXPECT(found.size() == 1);
  HiddenNode *hidden = F->createHidden("hidden", a, Secret{3});
  EXPECT(hidden->getSecret().value == 3);
  EXPECT_THROWS(InvalidIR, saveGraph(*F));
}

int main() {
  for (const Case &test : cases()) {
    test.run();
  }
  std::printf("%zu cases, %d failed\n", cases().size(), failed());
  return failed() == 0 ? 0 : 1;
}
