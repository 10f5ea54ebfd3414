// Tests the contract of the registry and of every builder, and the defects of upstream's builders.
#include <algorithm>
#include <cmath>

#include "check.h"

using namespace check;

namespace {

/// Written by hand, like upstream's builders.
struct halved : builder::op_builder<halved>
{
    float by = 2.0f;

    template <class Self, class F>
    static auto reflect(Self& self, F f)
    {
        return pack(f(self.by, "by"));
    }

    refs insert(module& m, instruction_ref ins, const refs& args) const
    {
        const auto number = m.add_literal(literal(shape(args[0]->get_shape().type()), {by}));
        return {builder::insert_common_op(m, ins, "div", args[0], number)};
    }
};

/// Takes modules, or has two names.
struct branches : builder::op_builder<branches>
{
    refs insert(module& m, instruction_ref ins, const refs& args, const std::vector<module_ref>& modules) const
    {
        return {m.insert_instruction(ins, make_op("identity"), args, modules)};
    }
};
struct doubled : builder::op_builder<doubled>
{
    static std::vector<std::string> names() { return {"twice_relu", "twice_neg"}; }
    refs insert(const std::string& op_name, module& m, instruction_ref ins, const refs& args) const
    {
        const auto op = make_op(op_name.substr(6));
        return {m.insert_instruction(ins, op, m.insert_instruction(ins, op, args[0]))};
    }
};
/// Has another name than its class, as the base class of upstream's documentation allows.
struct renamed : builder::op_builder<renamed>
{
    static std::string name() { return "once_relu"; }
    refs insert(module& m, instruction_ref ins, const refs& args) const { return {m.insert_instruction(ins, make_op("relu"), args)}; }
};
/// Fails after its first instruction.
struct half_way : builder::op_builder<half_way>
{
    refs insert(module& m, instruction_ref ins, const refs& args) const
    {
        m.add_literal(1.0f);
        m.insert_instruction(ins, make_op("relu"), args[0]);
        throw exception("half_way op_builder: stops");
    }
};

/// Shapes that each builder accepts, by the builder's name.
struct sample
{
    std::string name;
    std::vector<shape> shapes;
    value opts = value::object{};
};

std::vector<sample> samples()
{
    const auto f32 = shape::float_type;
    const auto i8  = shape::int8_type;
    const shape x(f32, {2, 4}), c(f32, {4}), one(f32, {1});
    std::vector<sample> all;
    for(const char* name : {"gelu_quick", "gelu_erf", "gelu_tanh", "gelu_split", "celu"})
        all.push_back({name, {x}});
    for(const char* name : {"add", "sub", "mul", "div", "pow", "prelu", "sqdiff", "logical_and", "logical_or", "logical_xor",
                            "bitwise_and"})
    {
        all.push_back({name, {x, c}});
        all.push_back({name, {{f32, {2, 4}}, {f32, {2}}}, options({value("broadcasted_axis", 0)})});
    }
    all.push_back({"clip", {x, one, one}});
    all.push_back({"gemm", {{f32, {2, 3}}, {f32, {3, 4}}, {f32, {4}}},
                   options({value("alpha", 2), value("beta", 0.5)})});
    all.push_back({"dot", {{f32, {2, 1, 2, 3}}, {f32, {5, 3, 4}}}});
    all.push_back({"quant_dot", {{i8, {2, 3}}, {i8, {3, 4}}}});
    all.push_back({"convolution", {{f32, {1, 1, 4, 4}}, {f32, {1, 1, 2, 2}}, {f32, {1}}}});
    const auto u8 = shape::uint8_type;
    all.push_back({"quant_convolution", {{u8, {1, 1, 4, 4}}, {u8, {1, 1, 2, 2}}, {u8, {1}}, {u8, {1}}}});
    all.push_back({"einsum", {{f32, {2, 3}}, {f32, {3, 3}}}, options({value("equation", "ij,jj->i")})});
    all.push_back({"batchnorm", {{f32, {2, 4, 3}}, c, c, c, c}});
    all.push_back({"mean_variance_normalization", {x}, options({value("axes", value(std::vector<int>{1}))})});
    all.push_back({"tile", {x}, options({value("repeats", value(std::vector<int>{2, 3}))})});
    all.push_back({"rotary_embedding", {{f32, {2, 1, 3, 4}}, {shape::int32_type, {1}}, {f32, {5, 2}}, {f32, {5, 2}}}});
    all.push_back({"bias_uint8", {{u8, {2}}, {u8, {2}}}, options({value("has_bias", true)})});
    all.push_back({"quantizelinear", {{f32, {3, 3}}, {f32, {3}}, {i8, {3}}}, options({value("output_type", "fp4x2_type")})});
    all.push_back({"dequantizelinear", {{i8, {4, 5}}, {f32, {4, 2}}}, options({value("block_size", 3)})});
    return all;
}

/// Defect 1: instructions are inserted before the place, in the middle of a module, for every builder and for operators.
void insertion()
{
    std::vector<std::string> seen;
    for(const sample& s : samples())
    {
        scene made(s.shapes);
        const auto seed  = made.m.add_parameter("seed", shape(shape::float_type, {1}));
        const auto first = made.op("relu", {seed});
        const auto place = made.op("relu", {first});
        made.m.add_return({place});
        const std::size_t before = made.m.size();
        const refs results       = builder::insert(s.name, made.m, place, made.x, s.opts);
        expect(made.m.validate() == made.m.end(), s.name + " uses instructions before they are made:\n" + to_string(made.m));
        expect(made.m.size() > before, s.name + " inserts instructions");
        expect(std::next(place)->name() == "@return" && std::next(place, 2) == made.m.end(), s.name + " keeps what follows");
        bool between = false;
        for(auto ins = made.m.begin(); ins != place; ++ins)
        {
            between = between || ins == first;
            if(between && ins != first)
                expect(ins->name()[0] != '@', s.name + " puts constants first");
        }
        for(const instruction_ref result : results)
            expect(result == std::prev(place) || made.m.has_instruction(result), s.name + " returns what it made");
        seen.push_back(s.name);
    }
    for(const std::string& name : builder::get_op_builder_names())
    {
        const bool own = name == "halved" || name == "branches" || name.rfind("twice_", 0) == 0 || name == "once_relu" || name == "half_way";
        expect(own || std::find(seen.begin(), seen.end(), name) != seen.end(), name + " is inserted by this test");
    }
    scene s({{shape::float_type, {2}}});
    module body("body");
    const auto last = s.op("relu", {s.x[0]});
    const auto made = builder::insert("neg", s.m, last, {s.x[0]}, std::vector<module_ref>{&body}).at(0);
    expect(std::next(made) == last && made->module_inputs().size() == 1, "an operator is inserted with its modules");
}

/// Defects 2 and 7: unknown keys and wrong types are errors that name the key.
void option_checks()
{
    const shape x(shape::float_type, {2, 2});
    expect_error("gemm op_builder: there is no option 'transb', did you mean 'transB'?",
                 [&] { built("gemm", {x, x}, options({value("transb", true)})); });
    expect_error("gelu_erf op_builder: there is no option 'alpha': it takes no options",
                 [&] { built("gelu_erf", {x}, options({value("alpha", 1.0)})); });
    expect_error("gemm op_builder: option 'alpha' must be a float, not \"two\" (string)",
                 [&] { built("gemm", {x, x}, options({value("alpha", "two")})); });
    expect_error("gemm op_builder: option 'transA' must be a bool, not 2 (int)",
                 [&] { built("gemm", {x, x}, options({value("transA", 2)})); });
    expect_error("tile op_builder: option 'repeats' must be a list, not 2 (int)",
                 [&] { built("tile", {x}, options({value("repeats", 2)})); });
    expect_error("quantizelinear op_builder: option 'output_type' must be an element type, not \"int9\"",
                 [&] { built("quantizelinear", {x, x}, options({value("output_type", "int9")})); });
    expect_error("tile op_builder: the option 'repeats' is required", [&] { built("tile", {x}); });
    expect_error("No key 'axis' in relu", [&] { built("relu", {x}, options({value("axis", 1)})); });
}

/// Defect 3: the number of inputs is checked before anything is inserted.
void arity_checks()
{
    const shape x(shape::float_type, {2, 2});
    expect_error("gemm op_builder: takes at least 2 inputs, but 1 are given: B is missing", [&] { built("gemm", {x}); });
    expect_error("gemm op_builder: takes at most 3 inputs, but 4 are given", [&] { built("gemm", {x, x, x, x}); });
    scene s({x});
    const auto none = s.op("undefined", {});
    expect_error("gemm op_builder: the input B is undefined", [&] { builder::add("gemm", s.m, {s.x[0], none}); });
    for(const std::string& name : builder::get_op_builder_names())
    {
        const std::size_t before = s.m.size();
        const std::string what   = thrown([&] { builder::add(name, s.m, refs(9, s.x[0]), builder::get_op_builder_value(name)); });
        if(name != "einsum" && name != "halved" && name != "branches" && name.rfind("twice_", 0) != 0 && name != "once_relu" &&
           name != "half_way")
            expect(what.find(name + " op_builder: takes at most") == 0, name + ": " + what);
        if(what != "nothing is thrown")
            expect(s.m.size() == before, name + " inserts nothing if it fails");
    }
}

/// An error leaves the module unchanged: after some instructions, in the middle of a module, and after other builders.
void unchanged_on_error()
{
    const shape x(shape::float_type, {2, 2});
    scene s({x, shape(shape::float_type, {3, 3})});
    const auto place = s.op("relu", {s.x[0]});
    s.m.add_literal(2.0f);
    const module before(s.m);
    const std::vector<std::pair<std::string, refs>> failing{{"half_way", {s.x[0]}}, {"gemm", {s.x[0], s.x[1]}}, {"add", s.x}};
    for(const auto& [name, args] : failing)
    {
        for(const auto at : {s.m.begin(), s.x[0], place, s.m.end()})
        {
            const std::string what = thrown([&, &n = name, &a = args] { builder::insert(n, s.m, at, a); });
            expect(what.find(name + " op_builder: ") == 0, what);
            expect(s.m == before, name + " leaves the module as it was:\n" + to_string(s.m));
        }
    }
    module empty;
    expect_error("half_way", [&] { builder::add("half_way", empty, {s.x[0]}); });
    expect(empty.size() == 0, "an empty module stays empty");
}

/// Defect 4: names of builders are unique. A builder may have the name of an operator, which stays available.
void names()
{
    builder::op_builder_if other;
    expect_error("there are two builders named 'gemm'", [&] { builder::register_builder("gemm", other); });
    expect(builder::has_op_builder("add") && has_op("add"), "`add` is a builder and an operator");
    expect(!builder::has_op_builder("relu"), "`relu` is an operator only");
    expect_error("there is no op_builder and no operator 'gem', did you mean 'gemm'?",
                 [] { built("gem", {{shape::float_type, {2, 2}}}); });
    expect_error("there is no op_builder 'gem', did you mean 'gemm'?", [] { builder::get_op_builder_value("gem"); });
    expect(builder::get_op_builder_names().size() == 30 + 6, "there are 30 names, and those of this test");
}

/// Defects 8 and 9: names, options, defaults and inputs can be queried.
void facts()
{
    const value gemm = builder::get_op_builder_value("gemm");
    expect(to_string(gemm) == "{alpha: 1, beta: 1, transA: false, transB: false}", "the options of gemm are " + to_string(gemm));
    expect(to_string(builder::get_op_builder_value("mean_variance_normalization")) == "{axes: [0, 2, 3]}", "a list by default");
    expect(to_string(builder::get_op_builder_value("mul")) == "{broadcasted_axis: null}", "an option that is left out");
    expect(builder::get_op_builder_value("transpose").contains("permutation"), "operators have attributes");
    expect(builder::gemm::name() == "gemm" && builder::gemm::names().size() == 1, "a builder knows its name");
    expect(builder::gemm().name() == "gemm" && halved::name() == "halved" && doubled::name() == "twice_relu", "by any means");
    expect(renamed::names() == std::vector<std::string>{"once_relu"}, "or gives it");
    expect(builder::pointwise::name() == "add" && builder::pointwise::names().size() == 11, "and its names");
    // Options to members and back.
    const value given = options({value("alpha", 2), value("transB", true)});
    const auto made   = from_value<builder::gemm>(given);
    expect(made.alpha == 2.0 && made.beta == 1.0 && made.transB && !made.transA, "options become members");
    expect(from_value<builder::gemm>(to_value(made)).transB && to_value(made).at("alpha").to<double>() == 2.0, "and back");
    const auto conv = from_value<builder::convolution>(
        options({value("paddings", value(std::vector<int>{1, 2})), value("auto_pad", "VALID")}));
    expect(conv.paddings == std::vector<std::int64_t>{1, 2} && conv.auto_pad == "VALID", "lists and text too");
    expect(from_value<builder::quantizelinear>(options({value("output_type", shape::int8_type)})).output_type ==
               shape::int8_type,
           "element types too");
}

/// The usage that upstream documents.
void usage()
{
    module m;
    auto a      = m.add_parameter("a", {shape::float_type, {2, 3}});
    auto b      = m.add_parameter("b", {shape::float_type, {4, 3}});
    auto result = op::builder::add("gemm", m, {a, b}, { {"alpha", 2}, {"transB", true} });
    expect(result.at(0)->get_shape() == shape(shape::float_type, {2, 4}), "an int serves as a float");
    auto place = m.add_instruction(make_op("relu"), result.at(0));
    value opts;
    opts.insert({"alpha", 2});
    opts.insert({"transB", true});
    auto inserted = op::builder::insert("gemm", m, place, {a, b}, opts);
    expect(std::next(inserted.at(0)) == place, "before the place");
    op::builder::insert("gemm", m, place, {a, b}, std::vector<module_ref>{}, opts);
    op::builder::add("gemm", m, {a, b}, std::vector<module_ref>{}, opts);
    expect(m.validate() == m.end(), "all four forms");
    expect_error("Module args should be empty", [&] { op::builder::add("gelu_quick", m, {a}, {&m}); });
}

/// Typed functions insert the same instructions as the string interface.
void typed()
{
    const shape x(shape::float_type, {2, 2});
    scene s({x, x, x});
    const auto made = builder::add_gemm(s.m, s.x[0], s.x[1], s.x[2], 2.0, 0.5, false, true);
    expect(made == std::prev(s.m.end()), "a result");
    const value opts = options({value("alpha", 2.0), value("beta", 0.5), value("transB", true)});
    expect(s.m == built("gemm", {x, x, x}, opts), "add_gemm inserts what add inserts");
    scene t({x, x});
    builder::insert_mul(t.m, t.x[1], t.x[0], t.x[0]);
    expect(std::next(t.x[0])->name() == "mul", "insert_mul inserts");
    scene u({x, x});
    builder::add_clip(u.m, u.x[0], std::nullopt, u.x[1]);
    expect(outline(u.m) == "min", "an input may be left out in the middle");
    expect_error("gemm op_builder: A and B should be rank 2",
                 [] { scene v({shape(shape::float_type, {2})}); builder::add_gemm(v.m, v.x[0], v.x[0]); });
}

/// Builders written by hand work beside generated ones.
void by_hand()
{
    const shape x(shape::float_type, {2});
    expect(outline(built("halved", {x})) == "multibroadcast{2} div", "a builder written by hand");
    expect_error("halved op_builder: there is no option 'bye', did you mean 'by'?",
                 [&] { built("halved", {x}, options({value("bye", 1)})); });
    expect_error("halved op_builder: Module args should be empty", [&] {
        scene s({x});
        builder::add("halved", s.m, s.x, std::vector<module_ref>{&s.m});
    });
    expect(outline(built("twice_neg", {x})) == "neg neg", "it is called by the name");
    expect(outline(built("once_relu", {x})) == "relu", "by a name of its own");
    scene s({x});
    module body("body");
    const auto made = builder::add("branches", s.m, s.x, std::vector<module_ref>{&body}).at(0);
    expect(made->module_inputs().at(0) == &body, "it gets the modules");
}

/// The trace hook reports the builder of each instruction.
void traces()
{
    scene s({{shape::float_type, {2, 4}}});
    std::vector<std::string> lines;
    const auto before = builder::set_trace_hook(
        [&](const builder::trace_event& event) { lines.push_back(event.builder + " " + event.instruction->name()); });
    builder::add("gelu_split", s.m, s.x);
    builder::set_trace_hook(before);
    const std::size_t made = lines.size();
    expect(made == s.m.size() - 1, "every instruction is seen");
    expect(lines.front() == "gelu_split slice", "the first is " + lines.front());
    expect(std::find(lines.begin(), lines.end(), "gelu_split/gelu_erf erf") != lines.end(), "builders in builders");
    expect(lines.back() == "gelu_split mul", "the last is " + lines.back());
    builder::add("gelu_split", s.m, s.x);
    expect(lines.size() == made, "no hook, no lines");
}

/// Dynamic shapes: built once, evaluated with several lengths.
void dynamic_shapes()
{
    const std::vector<shape::dynamic_dimension> open{{1, 4}, {3, 3}};
    const shape x(shape::float_type, open);
    scene s({x, shape(shape::float_type, {3})});
    const auto sum = builder::add("add", s.m, s.x).at(0);
    const auto g   = builder::add("gelu_quick", s.m, {sum}).at(0);
    s.m.add_return({g});
    for(const std::size_t n : {std::size_t(1), std::size_t(3)})
    {
        argument a(shape(shape::float_type, {n, 3})), b(shape(shape::float_type, {3}), {1.0, 2.0, 3.0});
        for(std::size_t i = 0; i < a.elements(); ++i)
            a.set(i, 0.1 * static_cast<double>(i));
        const auto y = s.m.eval({ {"p0", a}, {"p1", b} }).at(0);
        expect(y.get_shape().lens() == std::vector<std::size_t>{n, 3}, "the lengths are those of the inputs");
        const double t = a.real(2) + 3.0;
        expect(std::fabs(y.real(2) - t / (1.0 + std::exp(-t))) < 1e-5, "the values are right");
    }
    scene c({shape(shape::float_type, std::vector<shape::dynamic_dimension>{{1, 2}, {1, 1}, {4, 6}, {4, 6}}),
             shape(shape::float_type, {1, 1, 3, 3}), shape(shape::float_type, {1})});
    const auto y = builder::add("convolution", c.m, c.x, options({value("auto_pad", "SAME_UPPER")})).at(0);
    c.m.add_return({y});
    const argument ones(shape(shape::float_type, {1, 1, 5, 5}), std::vector<double>(25, 1.0));
    const argument w(shape(shape::float_type, {1, 1, 3, 3}), std::vector<double>(9, 1.0));
    const auto z = c.m.eval({ {"p0", ones}, {"p1", w}, {"p2", argument(shape(shape::float_type, {1}))} }).at(0);
    expect(z.get_shape().lens() == std::vector<std::size_t>{1, 1, 5, 5} && z.real(0) == 4.0 && z.real(6) == 9.0,
           "a convolution over lengths that are not known");
    const std::vector<shape::dynamic_dimension> rows{{1, 4}, {2, 2}, {3, 3}};
    scene d({shape(shape::float_type, rows), shape(shape::float_type, {3, 2})});
    builder::add("dot", d.m, d.x);
    expect(outline(d.m) == "broadcast_for_dot broadcast_for_dot dot", "dot broadcasts batches that are not known");
}

} // namespace

int check::contract()
{
    insertion();
    option_checks();
    arity_checks();
    unchanged_on_error();
    names();
    facts();
    usage();
    typed();
    by_hand();
    traces();
    dynamic_shapes();
    return failures == 0 ? 0 : 1;
}
