// The expectations of upstream's tests of builders, case by case: the instructions, and the errors.
#include <cmath>

#include "check.h"

using namespace check;

namespace {

const auto f32 = shape::float_type;
const auto f16 = shape::half_type;
const auto i8  = shape::int8_type;

void batch_normalization()
{
    expect_error("rank 0 input tensor, unhandled data format",
                 [] { built("batchnorm", {shape(f32, std::vector<std::size_t>{}), {f32, {3}}, {f32, {3}}, {f32, {3}}, {f32, {3}}}); });
    expect_error("argument scale, bias, mean, or var rank != 1",
                 [] { built("batchnorm", {{f16, {2}}, {f32, {3, 2}}, {f32, {3}}, {f32, {3}}, {f32, {3}}}); });
    const std::vector<shape> flat{{f32, {10}}, {f32, {1}}, {f32, {1}}, {f32, {1}}, {f32, {1}}};
    scene ordered(flat);
    const auto e = ordered.number(1e-6, f32);
    auto centred = ordered.common("sub", {ordered.x[0], ordered.x[3]});
    auto r       = ordered.op("rsqrt", {ordered.common("add", {ordered.x[4], e})});
    const auto f = ordered.common("mul", {ordered.x[1], r});
    ordered.common("add", {ordered.common("mul", {centred, f}), ordered.x[2]});
    expect_same(ordered.m, "batchnorm", flat, options({value("epsilon", 1e-6)}));

    const std::vector<shape> deep{{f16, {2, 3, 4}}, {f32, {3}}, {f32, {3}}, {f32, {3}}, {f32, {3}}};
    scene more(deep);
    const auto small = more.number(1e-5, f16);
    const value one_axis = options({value("axes", value(std::vector<int>{1}))});
    const auto scale     = more.op("unsqueeze", {more.x[1]}, one_axis);
    const auto bias      = more.op("unsqueeze", {more.x[2]}, one_axis);
    const auto mean      = more.op("unsqueeze", {more.x[3]}, one_axis);
    const auto var       = more.op("unsqueeze", {more.x[4]}, one_axis);
    centred              = more.common("sub", {more.x[0], mean});
    r                    = more.op("rsqrt", {more.common("add", {var, small})});
    const auto factor    = more.common("mul", {scale, r});
    more.common("add", {more.common("mul", {centred, factor}), bias});
    expect_same(more.m, "batchnorm", deep);
}

void activations()
{
    const std::vector<shape> square{{f32, {3, 3}}};
    {
        scene s(square);
        const auto alpha = s.number(1.702, f32);
        const auto g     = s.op("sigmoid", {s.common("mul", {alpha, s.x[0]})});
        s.common("mul", {s.x[0], g});
        expect_same(s.m, "gelu_quick", square, options({value("alpha", 1.702)}));
    }
    const auto gelu_erf = [](scene& s, instruction_ref x) {
        const auto half = s.number(0.5, f32), one = s.number(1.0, f32), root = s.number(std::sqrt(2.0), f32);
        const auto halved = s.common("mul", {x, half});
        const auto e      = s.op("erf", {s.common("div", {x, root})});
        const auto added  = s.common("add", {e, one});
        return s.common("mul", {halved, added});
    };
    {
        scene s(square);
        gelu_erf(s, s.x[0]);
        expect_same(s.m, "gelu_erf", square);
    }
    for(const bool fast : {true, false})
    {
        scene s(square);
        const auto fit = s.number(fast ? 0.035677 : 0.044715, f32);
        const auto rpi = s.number(fast ? 0.797885 : std::sqrt(2.0 / 3.14159265358979323846), f32);
        const auto one = s.number(1, f32), half = s.number(0.5, f32), three = s.number(3, f32);
        const auto cubed = s.common("mul", {s.common("pow", {s.x[0], three}), fit});
        instruction_ref inner;
        if(fast)
        {
            const auto straight = s.common("mul", {rpi, s.x[0]});
            inner               = s.common("add", {cubed, straight});
        }
        else
            inner = s.common("mul", {s.common("add", {cubed, s.x[0]}), rpi});
        const auto t = s.common("add", {s.common("tanh", {inner}), one});
        const auto h = s.common("mul", {s.x[0], half});
        s.common("mul", {t, h});
        expect_same(s.m, "gelu_tanh", square, options({value("fast", fast)}));
    }
    {
        const std::vector<shape> wide{{f32, {2, 4, 6}}};
        scene s(wide);
        const auto cut = [&](int from, int to) {
            return s.op("slice", {s.x[0]},
                        options({value("axes", value(std::vector<int>{-1})), value("starts", value(std::vector<int>{from})),
                                 value("ends", value(std::vector<int>{to}))}));
        };
        const auto left = cut(0, 3), right = cut(3, 6);
        s.common("mul", {left, gelu_erf(s, right)});
        expect_same(s.m, "gelu_split", wide);
        expect_error("gelu_split op_builder: BiasSplitGelu must have even last dimension which is >= 2",
                     [] { built("gelu_split", {{f32, {3, 3}}}); });
    }
    {
        const std::vector<shape> x{{f32, {3}}};
        scene s(x);
        const value wide = options({value("out_lens", value(std::vector<int>{3}))});
        const auto zero  = s.op("multibroadcast", {s.number(0, f32)}, wide);
        const auto one   = s.op("multibroadcast", {s.number(1, f32)}, wide);
        const auto alpha = s.op("multibroadcast", {s.number(0.8, f32)}, wide);
        const auto line  = s.op("max", {zero, s.x[0]});
        const auto grown = s.op("exp", {s.op("div", {s.x[0], alpha})});
        const auto bent  = s.op("min", {zero, s.op("mul", {alpha, s.op("sub", {grown, one})})});
        s.op("add", {line, bent});
        expect_same(s.m, "celu", x, options({value("alpha", 0.8)}));
        expect_error("celu op_builder: alpha is zero (division by zero)",
                     [&] { built("celu", x, options({value("alpha", 0.0)})); });
        expect_error("celu op_builder: input tensor not float type", [] { built("celu", {{i8, {3}}}); });
    }
}

void clipping()
{
    const shape x(f32, {2, 4, 5});
    scene both({x, x, x});
    both.common("clip", both.x);
    expect_same(both.m, "clip", {x, x, x});
    scene low({x, x});
    low.common("max", low.x);
    expect_same(low.m, "clip", {x, x});
    scene none({x});
    none.op("identity", none.x);
    expect_same(none.m, "clip", {x});
    // An undefined input counts as missing.
    scene high({x, x});
    high.op("undefined", {});
    high.common("min", high.x);
    scene made({x, x});
    const auto missing = made.op("undefined", {});
    builder::add("clip", made.m, {made.x[0], missing, made.x[1]});
    expect(made.m == high.m, "clip takes an undefined bound for none");
}

void matrices()
{
    const shape s33(f32, {3, 3});
    const value turn = options({value("permutation", value(std::vector<int>{1, 0}))});
    expect_error("gemm op_builder: A and B should be rank 2, A is rank 1, B is rank 3",
                 [] { built("gemm", {{f32, {3}}, {f32, {3, 3, 3}}}); });
    {
        scene s({s33, s33});
        const auto a = s.op("transpose", {s.x[0]}, turn), b = s.op("transpose", {s.x[1]}, turn);
        s.op("dot", {a, b});
        expect_same(s.m, "gemm", {s33, s33}, options({value("alpha", 1.0), value("transA", true), value("transB", true)}));
    }
    for(const auto type : {f32, shape::fp8e4m3fnuz_type})
    {
        const shape x(type, {3, 3});
        scene s({x, x});
        auto a = s.common("mul", {s.number(1.1, f32), s.x[0]});
        if(type != f32)
            a = s.op("convert", {a}, options({value("target_type", type)}));
        s.op("dot", {a, s.x[1]});
        expect_same(s.m, "gemm", {x, x}, options({value("alpha", 1.1)}));
    }
    {
        const std::vector<shape> shapes{{f32, {1, 3}}, {f32, {3, 4}}, {f32, {1, 1}}};
        scene s(shapes);
        const auto d = s.op("dot", {s.x[0], s.x[1]});
        const auto c = s.op("multibroadcast", {s.x[2]}, options({value("out_lens", value(std::vector<int>{1, 4}))}));
        s.op("add", {d, c});
        expect_same(s.m, "gemm", shapes);
        scene without({shapes[0], shapes[1], shapes[2]});
        without.op("dot", {without.x[0], without.x[1]});
        expect_same(without.m, "gemm", shapes, options({value("beta", 0.0)}));
    }
    {
        const std::vector<shape::dynamic_dimension> open{{1, 4}, {1, 4}};
        const std::vector<shape> shapes{shape(f32, open), shape(f32, open), shape(f32, {1, 1})};
        scene s(shapes);
        const auto d = s.op("dot", {s.x[0], s.x[1]});
        s.op("add", {d, s.op("multibroadcast", {s.x[2], d})});
        expect_same(s.m, "gemm", shapes);
    }
    for(const auto type : {f32, shape::bf16_type})
    {
        const std::vector<shape> shapes{{type, {1, 3}}, {type, {3, 4}}, {type, {1, 4}}};
        scene s(shapes);
        const auto d = s.op("dot", {s.x[0], s.x[1]});
        auto c       = s.common("mul", {s.x[2], s.number(0.8, f32)});
        if(type != f32)
            c = s.op("convert", {c}, options({value("target_type", type)}));
        s.op("add", {d, c});
        expect_same(s.m, "gemm", shapes, options({value("beta", 0.8)}));
    }
}

void normalization_and_tiles()
{
    expect_error("Length of axes attribute needs to be equal to input tensor rank - 1",
                 [] { built("mean_variance_normalization", {{f32, {2, 2, 2}}}); });
    const std::vector<shape> x{{f32, {2, 2, 2, 2}}};
    scene s(x);
    const value over   = options({value("axes", value(std::vector<int>{0, 2, 3}))});
    const auto epsilon = s.number(1e-9, f32);
    const auto mean    = s.op("reduce_mean", {s.x[0]}, over);
    const auto squared = s.common("mul", {mean, mean});
    const auto squares = s.op("reduce_mean", {s.common("mul", {s.x[0], s.x[0]})}, over);
    const auto dev     = s.op("sqrt", {s.common("sub", {squares, squared})});
    const auto centred = s.common("sub", {s.x[0], mean});
    s.common("div", {centred, s.common("add", {dev, epsilon})});
    expect_same(s.m, "mean_variance_normalization", x);

    scene t({{f32, {2, 2}}});
    auto wide = t.op("unsqueeze", t.x, options({value("axes", value(std::vector<int>{0, 2}))}));
    wide      = t.op("multibroadcast", {wide}, options({value("out_lens", value(std::vector<int>{3, 2, 2, 2}))}));
    t.op("reshape", {wide}, options({value("dims", value(std::vector<int>{6, 4}))}));
    expect_same(t.m, "tile", {{f32, {2, 2}}}, options({value("repeats", value(std::vector<int>{3, 2}))}));
    expect_error("repeats size mismatch with input shape",
                 [] { built("tile", {{f32, {2, 2}}}, options({value("repeats", value(std::vector<int>{2}))})); });
}

void pointwise()
{
    const auto i64 = shape::int64_type;
    for(const char* name : {"add", "div", "logical_and", "logical_or", "logical_xor", "bitwise_and", "mul", "prelu", "sub",
                            "sqdiff", "pow"})
    {
        for(const std::size_t last : {4, 1})
        {
            const std::vector<shape> shapes{{i64, {2, 4}}, {i64, {2, last}}};
            scene s(shapes);
            s.common(name, s.x);
            expect_same(s.m, name, shapes);
        }
        const std::vector<shape> shapes{{i64, {2, 3, 4, 5}}, {i64, {3, 4}}};
        scene s(shapes);
        const auto b = s.op("broadcast", {s.x[1]},
                            options({value("axis", 1), value("out_lens", value(std::vector<int>{2, 3, 4, 5}))}));
        s.op(name, {s.x[0], b});
        expect_same(s.m, name, shapes, options({value("broadcasted_axis", 1)}));
    }
}

void quantization()
{
    const auto outlined = [](const std::string& name, const std::vector<shape>& shapes, const value& opts) {
        return outline(built(name, shapes, opts));
    };
    const value none = value::object{};
    const std::vector<shape> plain{{f32, {4, 3}}, {f32, {1}}, {i8, {1}}}, mixed{{f32, {4, 3}}, {f16, {1}}, {i8, {1}}};
    const value to16      = options({value("output_type", shape::int16_type)});
    const std::string two = "multibroadcast{4,3} multibroadcast{4,3} ";
    expect(outlined("quantizelinear", plain, none) == two + "quantizelinear", "per tensor");
    expect(outlined("quantizelinear", mixed, none) == two + "convert quantizelinear", "the scale gets the type of the input");
    expect(outlined("quantizelinear", plain, to16) == two + "quantizelinear", "with a type");
    expect(outlined("quantizelinear", mixed, to16) == two + "convert quantizelinear", "with a type and another scale");
    for(const auto& [name, type] : {std::pair{"none", i8}, std::pair{"int16", shape::int16_type}})
    {
        const module m = built("quantizelinear", plain, type == i8 ? none : to16);
        expect(std::prev(m.end())->get_shape().type() == type, std::string("the result has the type asked for: ") + name);
    }
    const value fp4 = options({value("output_type", shape::fp4x2_type)});
    expect(outlined("quantizelinear", {{f32, {3, 4}}, {f32, {1}}, {i8, {1}}}, fp4) ==
               "multibroadcast{3,4} multibroadcast{3,4} quantizelinear pack_fp4 unpack_fp4",
           "pairs of small floats");
    expect(outlined("quantizelinear", plain, fp4) ==
               two + "quantizelinear pad{0,0,0,1} pack_fp4 unpack_fp4 slice{1}",
           "pairs of small floats of an odd length");

    const auto with = [](int axis, int block) { return options({value("axis", axis), value("block_size", block)}); };
    const auto shapes = [](std::vector<std::size_t> x, std::vector<std::size_t> s) {
        return std::vector<shape>{shape(i8, x), shape(f32, s), shape(i8, s)};
    };
    const auto dequantized = [&](std::vector<std::size_t> x, std::vector<std::size_t> s, int axis, int block) {
        return outlined("dequantizelinear", shapes(x, s), with(axis, block));
    };
    const auto refused = [&](const std::string& text, std::vector<std::size_t> x, std::vector<std::size_t> s, int axis, int block) {
        expect_error("dequantizelinear op_builder: " + text, [&] { dequantized(x, s, axis, block); });
    };
    expect(dequantized({4, 3}, {1}, 1, 0) == two + "dequantizelinear", "dequantize per tensor");
    expect(dequantized({4, 3}, {3}, 1, 0) ==
               "unsqueeze{0} multibroadcast{4,3} unsqueeze{0} multibroadcast{4,3} dequantizelinear",
           "dequantize per axis");
    refused("For per axis granularity the length of y_scale (actual: 5) must be equal to size of x on axis 1(actual: 3)",
            {4, 3}, {5}, 1, 0);
    refused("axis 10 is out of range for rank 2", {4, 3}, {3}, 10, 0);
    const std::string blocked = "unsqueeze{2} multibroadcast{4,2,3} reshape{4,6} ";
    expect(dequantized({4, 6}, {4, 2}, 1, 3) == blocked + blocked + "dequantizelinear", "dequantize per block");
    refused("axis 2 is out of range for rank 2", {4, 6}, {4, 2}, 2, 3);
    refused("x(rank: 2) and y_scale(rank: 3) must be of same rank for block granularity", {4, 6}, {4, 2, 1}, 1, 3);
    refused("x(shape: {4, 6}) and y_scale(shape: {3, 2}) shapes may only differ along provided axis(1)", {4, 6}, {3, 2}, 1, 3);
    refused("Block size(actual: 2) must be within range [3, 5]", {4, 6}, {4, 2}, 1, 2);
    expect(dequantized({4, 6}, {4, 2}, 1, 0) == blocked + blocked + "dequantizelinear", "the least block by default");
    expect(dequantized({4, 6}, {4, 6}, 1, 1) == "dequantizelinear", "blocks of one");
    refused("y_scale(shape: {4, 1}) must have size > 1 along provided axis(1) for block granularity", {4, 6}, {4, 1}, 1, 3);
    expect(dequantized({4, 5}, {4, 2}, 1, 3) ==
               blocked + "slice{1} " + blocked + "slice{1} dequantizelinear",
           "the last block may be short");
}

void einsum_errors()
{
    const auto refused = [](const std::string& text, const std::string& equation, std::vector<std::vector<std::size_t>> lens) {
        std::vector<shape> shapes;
        for(const auto& l : lens)
            shapes.emplace_back(f32, l);
        expect_error(text, [&] { built("einsum", shapes, options({value("equation", equation)})); });
    };
    const std::vector<std::size_t> x{3, 3};
    const std::string head = "einsum op_builder: ";
    refused(head + "Einsum equation has multiple '->' symbols", "ii,jj->->ij", {x, x});
    refused(head + "No term specified before '->' symbol", "ii,->ij", {x, x});
    refused(head + "Ellipsis can only appear once per einsum equation term", "......ii,...jj->...ij", {x, x});
    refused(head + "Einsum equation can't have a ',' symbol in the output", "ii,jj->i,j", {x, x});
    refused(head + "No term specified before ',' symbol", "ii,,jj->ij", {x, x});
    refused(head + "Last input term is missing", "ii,jj,", {x, x});
    refused("Number of terms in the input equation - 3 does not match the number of inputs 2", "ii,jj,kk->ijk", {x, x});
    refused(head + "Every occurrence of ellipsis in the equation must represent the same number of dimensions",
            "...ii,...jj->...ij", {{3, 3, 3}, {3, 3, 3, 3}});
    refused(head + "Number of labels in 1. input_term (iik) does not match the rank (2) of corresponding input", "iik,jj->ij",
            {x, x});
    // Upstream shows the code of the character.
    refused(head + "Output term contains label k, which is not present in any of the input terms", "ii,jj->ijk", {x, x});
    refused(head + "Output term does not contain ellipsis (...) even though an input term does", "...ii,...jj->ij",
            {{3, 3, 3}, {3, 3, 3}});
    refused(head + "All duplicate labels have to be the same dimension", "ii->i", {{3, 4}});
    refused(head + "Output term contains label i more than once", "ij->ii", {x});
    refused(head + "Label j has the lengths 3 and 2", "ij,jk->ik", {{2, 3}, {2, 2}});
    refused(head + "Einsum equation has the character '+'", "i+j->ij", {x});
    expect_error("einsum op_builder: the option 'equation' is required", [] { built("einsum", {{f32, {3}}}); });
}

void einsum_instructions()
{
    const auto made = [](const std::string& equation, std::vector<std::vector<std::size_t>> lens) {
        std::vector<shape> shapes;
        for(const auto& l : lens)
            shapes.emplace_back(f32, l);
        return outline(built("einsum", shapes, options({value("equation", equation)})));
    };
    const auto expect_made = [&](const std::string& equation, std::vector<std::vector<std::size_t>> lens, const std::string& want) {
        const std::string found = made(equation, lens);
        expect(found == want, equation + " makes " + found);
    };
    expect_made("ij->ji", {{2, 3}}, "transpose{0,1} unsqueeze{} transpose{1,0}");
    expect_made("ij->", {{2, 3}}, "transpose{0,1} unsqueeze{} reduce_sum{0,1} squeeze{0,1}");
    expect_made("ij->j", {{2, 3}}, "transpose{0,1} unsqueeze{} reduce_sum{0} squeeze{0} transpose{0}");
    expect_made("ij->i", {{2, 3}}, "transpose{0,1} unsqueeze{} reduce_sum{1} squeeze{1} transpose{0}");
    expect_made("ij,j->i", {{2, 3}, {3}},
                "transpose{0,1} unsqueeze{} transpose{0} unsqueeze{0} transpose{0,1} transpose{0,1} reshape{1,-1,3} "
                "reshape{1,-1,3} transpose{0,2,1} dot reshape{2,1} transpose{0,1} squeeze{1} transpose{0}");
    expect_made("ij,kj->ik", {{2, 3}, {2, 3}},
                "transpose{0,1} unsqueeze{2} transpose{1,0} unsqueeze{0} transpose{0,2,1} transpose{0,2,1} reshape{1,-1,3} "
                "reshape{1,-1,3} transpose{0,2,1} dot reshape{2,2,1} transpose{0,2,1} squeeze{1} transpose{0,1}");
    expect_made("i,i->", {{3}, {3}},
                "transpose{0} unsqueeze{} transpose{0} unsqueeze{} transpose{0} transpose{0} reshape{1,-1,3} reshape{1,-1,3} "
                "transpose{0,2,1} dot reshape{1} transpose{0} squeeze{0}");
    expect_made("ij,ij->ij", {{2, 3}, {2, 3}},
                "transpose{0,1} unsqueeze{} transpose{0,1} unsqueeze{} transpose{0,1} transpose{0,1} reshape{6,-1,1} "
                "reshape{6,-1,1} transpose{0,2,1} dot reshape{2,3} transpose{0,1} transpose{0,1}");
    expect_made("pqrs,tuqvr->pstuv", {{2, 3, 5, 7}, {1, 3, 3, 7, 5}},
                "transpose{0,1,2,3} unsqueeze{4,5,6} transpose{2,4,0,1,3} unsqueeze{0,3} transpose{0,3,4,5,6,1,2} "
                "transpose{0,3,4,5,6,1,2} reshape{1,-1,15} reshape{1,-1,15} transpose{0,2,1} dot reshape{2,7,1,3,7,1,1} "
                "transpose{0,5,6,1,2,3,4} squeeze{1,2} transpose{0,1,2,3,4}");
    expect_made("ii->i", {{3, 3}}, "gathernd transpose{0} unsqueeze{} transpose{0}");
    expect_made("...ii->...i", {{3, 3, 3}}, "gathernd transpose{1,0} unsqueeze{} transpose{1,0}");
    expect_made("ij, jk -> ik", {{3, 1}, {2, 2}},
                "transpose{0,1} unsqueeze{2} transpose{0,1} unsqueeze{0} transpose{0,2,1} transpose{0,2,1} "
                "multibroadcast{3,1,2} reshape{1,-1,2} reshape{1,-1,2} transpose{0,2,1} dot reshape{3,2,1} transpose{0,2,1} "
                "squeeze{1} transpose{0,1}");
    // Upstream refuses these: two diagonals in a term, and a diagonal before other axes.
    expect_made("iijj->ij", {{3, 3, 2, 2}}, "gathernd transpose{2,0,1} gathernd transpose{1,0} unsqueeze{} transpose{0,1}");
    expect_made("ii...->i...", {{3, 3, 3}}, "transpose{2,0,1} gathernd transpose{1,0} unsqueeze{} transpose{0,1}");
}

} // namespace

int check::behaviours()
{
    batch_normalization();
    activations();
    clipping();
    matrices();
    normalization_and_tiles();
    pointwise();
    quantization();
    einsum_errors();
    einsum_instructions();
    return failures == 0 ? 0 : 1;
}
