// Shapes of results: what Glow's factory methods compute and its verification asks for.
#include "check.h"

using namespace glow;

using Dims = std::vector<dim_t>;
using Numbers = std::vector<unsigned_t>;

/// What verification says of a node; empty if nothing is wrong.
static std::string wrongWith(const Node *node) {
  Diagnostics diagnostics;
  node->verify(diagnostics);
  return diagnostics.str();
}

TEST_CASE(windows_give_the_shape_of_pools) {
  EXPECT(pooledDims(Dims{4, 320, 200, 3}, 1, Numbers{3, 3}, Numbers{2, 2}, Numbers{1, 1, 1, 1}) ==
         (Dims{4, 160, 100, 3}));
  EXPECT(pooledDims(Dims{4, 3, 320, 200}, 2, Numbers{3, 5}, Numbers{2, 1}, Numbers{1, 0, 2, 1}) ==
         (Dims{4, 3, 161, 197}));
  // Three axes with the padding of each axis in turn, as three-dimensional pools have it.
  EXPECT(pooledDims(Dims{1, 4, 8, 9, 2}, 1, Numbers{2, 3, 3}, Numbers{2, 1, 3}, Numbers{0, 2, 1, 1, 0, 0},
                    PadOrder::Pairs) == (Dims{1, 3, 8, 3, 2}));
  // A dilation spreads the window.
  EXPECT(pooledDims(Dims{1, 10, 10, 1}, 1, Numbers{3, 3}, Numbers{1, 1}, Numbers{0, 0, 0, 0},
                    PadOrder::StartsThenEnds, Numbers{2, 4}) == (Dims{1, 6, 2, 1}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{1, 2, 2, 1}, 1, Numbers{3, 3}, Numbers{1, 1}, Numbers{0, 0, 0, 0}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{1, 2, 2, 1}, 1, Numbers{1, 1}, Numbers{0, 1}, Numbers{0, 0, 0, 0}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{1, 2, 2, 1}, 1, Numbers{0, 1}, Numbers{1, 1}, Numbers{0, 0, 0, 0}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{1, 2, 2, 1}, 1, Numbers{1, 1}, Numbers{1}, Numbers{0, 0, 0, 0}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{1, 2, 2, 1}, 1, Numbers{1, 1}, Numbers{1, 1}, Numbers{0, 0}));
  EXPECT_THROWS(BadShape, pooledDims(Dims{2, 2, 1}, 1, Numbers{1, 1}, Numbers{1, 1}, Numbers{0, 0, 0, 0}));
}

TEST_CASE(convolutions_find_their_shape) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 320, 200, 8}, "input", true);
  auto *filter = module.createConstant(ElemKind::FloatTy, {16, 5, 5, 8}, "filter");
  auto *bias = module.createConstant(ElemKind::FloatTy, {16}, "bias");
  ConvolutionNode *conv =
      F->createConvolution("conv", input, filter, bias, {5, 5}, {2, 2}, {2, 2, 2, 2}, 1, {1, 1}, NHWC, NONE, {});
  EXPECT(conv->getResult().dims().vec() == (Dims{4, 160, 100, 16}) && conv->verify());
  // Each of the eight groups has a channel of its own.
  auto *narrow = module.createConstant(ElemKind::FloatTy, {16, 5, 5, 1}, "narrow");
  ConvolutionNode *grouped =
      F->createConvolution("grouped", input, narrow, bias, {5, 5}, {2, 2}, {2, 2, 2, 2}, 8, {1, 1}, NHWC, NONE, {});
  EXPECT(grouped->getGroup() == 8 && grouped->getResult().dims() == conv->getResult().dims() && grouped->verify());
  // Channels before the image, in the filter too.
  auto *planes = module.createPlaceholder(ElemKind::FloatTy, {4, 8, 320, 200}, "planes", true);
  auto *planar = module.createConstant(ElemKind::FloatTy, {16, 8, 5, 5}, "planar");
  ConvolutionNode *first =
      F->createConvolution("first", planes, planar, bias, {5, 5}, {2, 2}, {2, 2, 2, 2}, 1, {1, 1}, NCHW, NONE, {});
  EXPECT(first->getResult().dims().vec() == (Dims{4, 16, 160, 100}) && first->verify());
  ConvolutionNode *wide =
      F->createConvolution("wide", input, filter, bias, {5, 5}, {1, 1}, {0, 0, 0, 0}, 1, {2, 3}, NHWC, NONE, {});
  EXPECT(wide->getResult().dims().vec() == (Dims{4, 312, 188, 16}) && wide->verify());
}

TEST_CASE(convolutions_refuse_parts_that_do_not_fit) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 8, 8, 6}, "input", false);
  auto *filter = module.createConstant(ElemKind::FloatTy, {4, 3, 3, 6}, "filter");
  auto *bias = module.createConstant(ElemKind::FloatTy, {4}, "bias");
  auto *longBias = module.createConstant(ElemKind::FloatTy, {5}, "long_bias");
  auto *intBias = module.createConstant(ElemKind::Int32ITy, {4}, "int_bias");
  auto make = [&](NodeValue b, Numbers kernels, unsigned_t group) {
    return F->createConvolution("conv", input, filter, b, kernels, {1, 1}, {0, 0, 0, 0}, group, {1, 1}, NHWC, NONE, {});
  };
  EXPECT(make(bias, {3, 3}, 1)->verify());
  EXPECT_THROWS(InvalidIR, make(longBias, {3, 3}, 1));
  EXPECT_THROWS(InvalidIR, make(bias, {3, 2}, 1));
  EXPECT_THROWS(InvalidIR, make(bias, {9, 9}, 1));
  EXPECT_THROWS(InvalidIR, make(bias, {3, 3}, 4));
  EXPECT_THROWS(InvalidIR, make(bias, {3, 3}, 0));
  EXPECT(wrongWith(make(intBias, {3, 3}, 1)).find("a convolution of floats has a bias of floats") != std::string::npos);
  try {
    make(bias, {3, 3}, 4);
  } catch (const InvalidIR &error) {
    EXPECT(std::string(error.what()) == "Convolution 'conv': 6 channels cannot be divided into 4 groups\n");
  }
  // What a factory method refuses is an error of a node that was made otherwise.
  TypeRef type = module.uniqueType(ElemKind::FloatTy, {1, 6, 6, 5});
  Node *node = F->createConvolution("node", type, input, filter, bias, {3, 3}, {1, 1}, {0, 0, 0, 0}, 1, {1, 1}, NHWC,
                                    NONE, {});
  EXPECT(wrongWith(node) == "Convolution 'node': Result has the shape <1 x 6 x 6 x 5>, its inputs and members give "
                            "<1 x 6 x 6 x 4>\n");
  node = F->createConvolution("group", type, input, filter, bias, {3, 3}, {1, 1}, {0, 0, 0, 0}, 4, {1, 1}, NHWC, NONE,
                              {});
  EXPECT(wrongWith(node) == "Convolution 'group': 6 channels cannot be divided into 4 groups\n");
}

TEST_CASE(quantized_convolutions_take_the_type_of_their_result) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::Int8QTy, {1, 224, 224, 3}, 0.4f, 2, "Input", true);
  auto *filter = module.createPlaceholder(ElemKind::Int8QTy, {16, 5, 5, 3}, 3.3f, 4, "F", true);
  auto *bias = module.createPlaceholder(ElemKind::Int32QTy, {16}, 1.3f, 5, "B", true);
  TypeRef type = module.uniqueType(ElemKind::Int8QTy, {1, 220, 220, 16}, 1.5f, 6);
  auto *conv = F->createConvolution("conv", type, input, filter, bias, {5, 5}, {1, 1}, {0, 0, 0, 0}, 1, {1, 1}, NHWC,
                                    NONE, {});
  EXPECT(conv->verify() && conv->getResult().getScale() == 1.5f && conv->getResult().getOffset() == 6);
  auto *flat = F->createReshape("flat", conv, {1, 220 * 220 * 16}, "*");
  auto *weights = module.createPlaceholder(ElemKind::Int8QTy, {220 * 220 * 16, 6}, 0.4f, 2, "W", true);
  auto *shift = module.createPlaceholder(ElemKind::Int32QTy, {6}, 0.4f, 2, "S", true);
  auto *fc = F->createFullyConnected("fc", flat, weights, shift);
  EXPECT(F->verify() && fc->getResult().dims().vec() == (Dims{1, 6}) && fc->getResult().getType()->getScale() == 1.5f);
}

TEST_CASE(three_dimensions_are_convolved) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {4, 8, 20, 30, 3}, "input", true);
  auto *filter = module.createConstant(ElemKind::FloatTy, {12, 3, 5, 7, 3}, "filter");
  auto *bias = module.createConstant(ElemKind::FloatTy, {12}, "bias");
  // Frames are padded by 1 and 0, rows by 2 and 2, columns by 3 and 3.
  auto *conv = F->createConvolution3D("conv", input, filter, bias, {3, 5, 7}, {1, 2, 3}, {1, 0, 2, 2, 3, 3}, 1);
  EXPECT(conv->getResult().dims().vec() == (Dims{4, 7, 10, 10, 12}) && F->verify());
  EXPECT_THROWS(InvalidIR, F->createConvolution3D("deep", input, filter, bias, {9, 5, 7}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1));
  auto *pool = F->createAvgPool("pool", input, {2, 2, 3}, {2, 2, 3}, {0, 0, 0, 0, 0, 0}, NTHWC, true);
  EXPECT(pool->getResult().dims().vec() == (Dims{4, 4, 10, 10, 3}) && pool->verify());
}

TEST_CASE(transposed_convolutions_have_room) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::FloatTy, {1, 4, 4, 6}, "input", true);
  auto *filter = module.createConstant(ElemKind::FloatTy, {5, 3, 3, 6}, "filter");
  auto *bias = module.createConstant(ElemKind::FloatTy, {5}, "bias");
  auto *least = F->createConvTranspose("least", input, filter, bias, {3, 3}, {2, 2}, {0, 0, 0, 0}, 1, {1, 1});
  EXPECT(least->getResult().dims().vec() == (Dims{1, 9, 9, 5}) && least->verify());
  // Padding of the output makes it larger.
  TypeRef larger = module.uniqueType(ElemKind::FloatTy, {1, 10, 10, 5});
  EXPECT(F->createConvTranspose("larger", larger, input, filter, bias, {3, 3}, {2, 2}, {0, 0, 0, 0}, 1, {1, 1})->verify());
  TypeRef smaller = module.uniqueType(ElemKind::FloatTy, {1, 8, 9, 5});
  EXPECT(!F->createConvTranspose("smaller", smaller, input, filter, bias, {3, 3}, {2, 2}, {0, 0, 0, 0}, 1, {1, 1})->verify());
  TypeRef batch = module.uniqueType(ElemKind::FloatTy, {2, 9, 9, 5});
  EXPECT(!F->createConvTranspose("batch", batch, input, filter, bias, {3, 3}, {2, 2}, {0, 0, 0, 0}, 1, {1, 1})->verify());
  EXPECT_THROWS(InvalidIR, F->createConvTranspose("stride", input, filter, bias, {3, 3}, {4, 2}, {0, 0, 0, 0}, 1, {1, 1}));
}

TEST_CASE(pools_find_both_results) {
  Module module;
  Function *F = module.createFunction("main");
  auto *input = module.createPlaceholder(ElemKind::Int8QTy, {2, 9, 9, 3}, 0.5f, 3, "input", false);
  auto *pool = F->createMaxPool("pool", input, {3, 3}, {3, 3}, {0, 0, 0, 0}, NHWC);
  EXPECT(*pool->getResult().getType() == Type(ElemKind::Int8QTy, {2, 3, 3, 3}, 0.5f, 3));
  EXPECT(*pool->getArgmax().getType() == Type(ElemKind::Int64ITy, {2, 3, 3, 3}) && pool->verify());
  const Numbers pads = {3, 3, 0, 0};
  pool->setPads(pads);
  EXPECT(pool->inferDimsOfResult() == (Dims{2, 4, 4, 3}));
  EXPECT(wrongWith(pool).find("MaxPool 'pool': Argmax has the shape <2 x 3 x 3 x 3>") != std::string::npos);
  auto *adaptive = module.createPlaceholder(ElemKind::FloatTy, {1, 8, 4, 2}, "adaptive", false);
  auto ok = [&](std::initializer_list<dim_t> dims) {
    return F->createAdaptiveAvgPool("adaptive", module.uniqueType(ElemKind::FloatTy, dims), adaptive)->verify();
  };
  EXPECT(ok({1, 3, 3, 2}) && !ok({1, 9, 3, 2}) && !ok({1, 3, 3, 3}) && !ok({2, 3, 3, 2}) && !ok({1, 3, 3}));
}

TEST_CASE(half_precision_passes_through) {
  for (ElemKind kind : {ElemKind::Float16Ty, ElemKind::BFloat16Ty}) {
    Module module;
    Function *F = module.createFunction("main");
    auto in = [&](std::initializer_list<dim_t> dims) {
      return module.createPlaceholder(kind, dims, "in", false)->getOutput();
    };
    auto *conv = F->createConvolution("conv", in({4, 32, 20, 3}), in({16, 5, 5, 3}), in({16}), {5, 5}, {1, 1},
                                      {2, 2, 2, 2}, 1, {1, 1}, NHWC, NONE, {});
    auto *conv3d = F->createConvolution3D("conv3d", in({4, 8, 8, 8, 3}), in({16, 3, 3, 3, 3}), in({16}), {3, 3, 3},
                                          {1, 1, 1}, {1, 1, 1, 1, 1, 1}, 1);
    auto *layer = F->createLayerNormalization("layer", in({1, 4, 5, 5}), in({5, 5}), in({5, 5}), 1e-5f);
    auto *batch = F->createBatchNormalization("batch", in({1, 3, 5, 5}), in({3}), in({3}), in({3}), in({3}), 1, 1e-5f,
                                              0.9f);
    auto *products = F->createBatchMatMul("products", in({2, 3, 4}), in({2, 4, 5}));
    for (Node *node : std::vector<Node *>{conv, conv3d, layer, batch, products}) {
      F->createSave("save", node);
      EXPECT(node->getElementType(0) == kind);
    }
    EXPECT(F->verify() && products->getResult().dims().vec() == (Dims{2, 3, 5}));
  }
}

TEST_CASE(other_nodes_find_their_shape) {
  Module module;
  Function *F = module.createFunction("main");
  auto in = [&](std::initializer_list<dim_t> dims, ElemKind kind = ElemKind::FloatTy) {
    return module.createPlaceholder(kind, dims, "in", false)->getOutput();
  };
  auto gives = [](const Node *node, const Dims &dims) { return node->dims(0).vec() == dims && node->verify(); };
  const NodeValue ints = in({2, 2}, ElemKind::Int64ITy);
  EXPECT(gives(F->createMatMul("a", in({2, 3}), in({3, 4})), {2, 4}));
  EXPECT(gives(F->createGemm("b", in({3, 2}), in({4, 3}), in({4}), 1, 1, true, true), {2, 4}));
  EXPECT(gives(F->createTranspose("c", in({2, 3, 4}), {2, 0, 1}, "*"), {4, 2, 3}));
  EXPECT(gives(F->createConcat("d", {in({2, 3}), in({2, 5})}, 1), {2, 8}));
  EXPECT(gives(F->createTile("e", in({2, 3}), 4, 1), {2, 12}));
  EXPECT(gives(F->createGather("f", in({3, 5}), ints, 0), {2, 2, 5}));
  EXPECT(gives(F->createGather("g", in({3, 5}), ints, 1), {3, 2, 2}));
  EXPECT(gives(F->createGatherND("h", in({3, 4, 5}), ints, 0), {2, 5}));
  EXPECT(gives(F->createBatchedReduceAdd("i", in({3, 4, 5}), 1), {3, 5}));
  EXPECT(gives(F->createBatchedReduceMean("j", in({3, 4, 5}), {0, 2}), {4}));
  EXPECT(gives(F->createArgMax("k", in({3, 4}), 1, true), {3, 1}));
  EXPECT(gives(F->createArgMin("l", in({3, 4}), 1, false), {3}));
  EXPECT(gives(F->createTopK("m", in({3, 4}), 2), {3, 2}));
  EXPECT(gives(F->createReshape("n", in({3, 4}), {2, 6}, "*"), {2, 6}));
  EXPECT(gives(F->createPad("o", in({3, 4}), CONSTANT, {1, -1, 0, 2}, 0), {4, 5}));
  EXPECT(gives(F->createSpaceToDepth("p", in({1, 4, 6, 3}), 2), {1, 2, 3, 12}));
  EXPECT(gives(F->createResizeNearest("q", in({1, 3, 4, 1}), {1, 2, 1.5f, 1}), {1, 6, 6, 1}));
  EXPECT(gives(F->createBroadcast("r", in({3, 1}), 1, {2, 3, 4}), {2, 3, 4}));
  EXPECT(gives(F->createEmbedding("s", in({9, 5}), ints, 0, false, false), {2, 2, 5}));
  EXPECT(gives(F->createBatchedPairwiseDotProduct("t", {in({2, 4}), in({2, 4}), in({2, 4})}), {2, 3}));
  EXPECT(*F->createArgMax("u", in({3, 4}), 1, true)->getType(0) == Type(ElemKind::Int64ITy, {3, 1}));
  EXPECT(F->createSlice("v", module.uniqueType(ElemKind::FloatTy, {2, 2}), in({3, 4}), {1, 2})->verify());
  EXPECT(!F->createSlice("w", module.uniqueType(ElemKind::FloatTy, {2, 3}), in({3, 4}), {1, 2})->verify());
  EXPECT(!F->createSlice("x", module.uniqueType(ElemKind::FloatTy, {2, 3}), in({3, 4}), {1})->verify());

  EXPECT_THROWS(InvalidIR, F->createMatMul("a", in({2, 3}), in({4, 4})));
  EXPECT_THROWS(InvalidIR, F->createTranspose("b", in({2, 3}), {0, 0}, "*"));
  EXPECT_THROWS(InvalidIR, F->createConcat("c", {in({2, 3}), in({3, 3})}, 1));
  EXPECT_THROWS(InvalidIR, F->createConcat("d", {}, 1));
  EXPECT_THROWS(InvalidIR, F->createConcat("e", {in({2, 3})}, 2));
  EXPECT_THROWS(InvalidIR, F->createTile("f", in({2}), 0, 0));
  EXPECT_THROWS(InvalidIR, F->createGather("g", in({2}), ints, 1));
  EXPECT_THROWS(InvalidIR, F->createGatherND("h", in({2}), ints, 0));
  EXPECT_THROWS(InvalidIR, F->createBatchedReduceMean("i", in({2, 3}), {1, 1}));
  EXPECT_THROWS(InvalidIR, F->createTopK("j", in({2, 3}), 4));
  EXPECT_THROWS(InvalidIR, F->createReshape("k", in({2, 3}), {7}, "*"));
  EXPECT_THROWS(InvalidIR, F->createPad("l", in({2}), CONSTANT, {-1, -1}, 0));
  EXPECT_THROWS(InvalidIR, F->createSpaceToDepth("m", in({1, 3, 4, 1}), 2));
  EXPECT_THROWS(InvalidIR, F->createSpaceToDepth("n", in({1, 3, 4, 1}), 0));
  EXPECT_THROWS(InvalidIR, F->createResizeNearest("o", in({2}), {0.1f}));
  EXPECT_THROWS(InvalidIR, F->createBroadcast("p", in({2, 3}), 0, {2, 4}));
  EXPECT_THROWS(InvalidIR, F->createSigmoidCrossEntropyWithLogits("q", in({}), in({})));
  EXPECT_THROWS(InvalidIR, F->createBatchMatMul("r", in({2, 3, 4}), in({3, 4, 5})));
}
