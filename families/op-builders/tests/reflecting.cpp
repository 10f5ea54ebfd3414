// Instructions of any operator, modules in files, and mix-ins of builders.
#include <cmath>
#include <limits>

#include "check.h"

using namespace check;

namespace {

/// A module with a literal before its parameters, a list among the attributes, and modules in modules.
struct sample
{
    sample()
    {
        const auto number = inner.add_literal(literal(shape(shape::double_type, {3}), {0.1, -0.0, 1e300}));
        const auto x      = main.add_parameter("a b", shape(shape::float_type, {2, 3}));
        inner.add_instruction(make_op("mul"), {x, x});
        innermost.add_return({innermost.add_literal(literal(shape(shape::int64_type), {std::int64_t{-5}}))});
        inner.add_instruction(make_op("sigmoid"), {number}, {&innermost});
        main.add_literal(literal(shape(shape::float_type, {2}), {1.5, std::numeric_limits<double>::infinity()}));
        main.add_parameter("y", shape(shape::half_type, std::vector<shape::dynamic_dimension>{{1, 4}, {3, 3}}));
        turned = main.add_instruction(make_op("transpose", options({value("permutation", std::vector<int>{1, 0})})), {x});
        last   = main.add_instruction(make_op("mul"), {turned, turned}, {&inner, &inner});
        main.add_return({last, x});
    }
    module innermost{"innermost"}, inner{"inner %"}, main{"main"};
    instruction_ref turned, last;
};

void attributes()
{
    sample s;
    expect(attribute_of(s.turned, "permutation").size() == 2, "an attribute by its key");
    expect_error("transpose has no attribute 'permutatio', did you mean", [&] { attribute_of(s.turned, "permutatio"); });
    expect_error("mul has no attribute 'a'", [&] { set_attribute(s.last, "a", 1); });
    const value before = s.turned->get_operator().to_value();
    expect_error("its shape would be", [&] { set_attribute(s.turned, "permutation", std::vector<int>{0, 1}); });
    expect(s.turned->get_operator().to_value() == before, "nothing changes if it fails");
    scene edge({shape(shape::float_type, {2})});
    const auto pad = edge.op("pad", {edge.x[0]}, options({value("pads", std::vector<int>{0, 1}), value("value", 0.5)}));
    set_attribute(pad, "value", 0.25);
    expect(pad->get_operator().get<float>("value") == 0.25f, "an attribute is set");
}

void uses_and_walks()
{
    sample s;
    const use_table table(s.main);
    const auto x = s.main.get_parameter("a b");
    expect(table.uses_of(s.turned).size() == 2 && table.uses_of(s.turned)[1].input == 1, "both inputs of one user");
    expect(table.uses_of(x).size() == 4, "uses in the modules of instructions count");
    expect(modules_in(s.main).size() == 3, "modules of modules");
    std::string order;
    walk(
        s.last, [&](instruction_ref ins) { order += "<" + ins->name(); }, [&](instruction_ref ins) { order += ">" + ins->name(); });
    expect(order == "<mul<transpose<@param>@param>transpose>mul", order);
    scene chain({shape(shape::float_type, {2})});
    auto last = chain.x[0];
    // A call for each level would need more than the usual stack of 8 MiB.
    const std::size_t levels = 200000;
    for(std::size_t i = 0; i < levels; ++i)
        last = chain.op("sigmoid", {last});
    std::size_t count = 0;
    walk(last, [&](instruction_ref) { ++count; });
    expect(count == levels + 1, "a long chain");
    set_location(last, {"model.py", 3, 7});
    expect(location_of(last)->line == 3 && location_of(chain.x[0]) == nullptr, "locations");
    const module copy = chain.m;
    expect(std::prev(copy.end())->location->file == "model.py" && copy == chain.m, "copies have the same place");
}

void files()
{
    sample s;
    set_location(s.last, {"a file.py", 12, 5});
    const std::string text = save_module(s.main);
    for(const std::string& saved : {text, save_module_as_bytes(s.main)})
    {
        loaded_modules loaded = load_module(saved);
        // Modules that use instructions of others are equal to none.
        expect(to_string(loaded.main()) == to_string(s.main) && loaded.all.size() == 3, to_string(loaded.main()));
        expect(save_module(loaded.main()) == text, "and is written as before");
    }
    expect(load_module(save_module(s.innermost)).main() == s.innermost, "what was read is equal");
    expect(location_of(std::prev(load_module(text).main().end(), 2))->file == "a file.py", "places come back");
    // Values of every type, which no operator has.
    const double none = std::nan("7");
    const value all   = options({value("n", nullptr), value("t", true), value("i", -5), value("u", ~std::uint64_t{0}),
                               value("d", 0.1), value("q", none), value("s", "a b%\n=;"), value("b", value::binary{0, 255}),
                               value("e", value::array{}), value("o", value::object{}), value("l", value::array{1, "x", value::array{2}})});
    operation_signature any;
    any.attributes = options({value("x", nullptr)});
    any.rule.shape_of = [](const operation&, const std::vector<shape>&) { return shape(); };
    register_op("any", any);
    module m;
    m.add_instruction(make_op("any", options({value("x", all)})), std::vector<instruction_ref>{});
    const std::string written = save_module(m);
    module read               = load_module(written).main();
    expect(save_module(read) == written && written.find("q=x7ff8") != std::string::npos, written);
    const value& back = read.begin()->get_operator().to_value().at("x");
    expect(back.at("s").get_string() == "a b%\n=;" && back.at("b").get_binary().size() == 2 && back.at("e").is_array() &&
               back.at("o").is_object() && back.at("u").get_uint64() == ~std::uint64_t{0},
           "values of every type");
    // An instruction of another module, and modules without end.
    scene other({shape(shape::float_type, {2})});
    module wrong;
    wrong.add_instruction(make_op("sigmoid"), {other.x[0]});
    expect_error("sigmoid has an input that does not come before it", [&] { save_module(wrong); });
    module endless("endless");
    const auto y = endless.add_parameter("y", shape(shape::float_type, {2}));
    endless.add_instruction(make_op("sigmoid"), {y}, {&endless});
    expect_error("the module endless has itself", [&] { save_module(endless); });
}

void broken_files()
{
    sample s;
    const std::string text = save_module(s.main), bytes = save_module_as_bytes(s.main);
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"", "does not begin"},
        {"modules 9\n", "has version 9, and this program knows 0"},
        {"modules 0\n", "the text has no module"},
        {"modules 0\nparam x float_type:2/1\n", "line 2: a module is missing"},
        {"modules 0\nmodule m\nparam x float_type:2\n", "line 3: 'float_type:2' is not a shape"},
        {"modules 0\nmodule m\nparam x float_type:9999999999999999999999/1\n", "is not a number"},
        {"modules 0\nmodule m\nop sigmoid {} %0\n", "'0' is not an instruction before this one"},
        {"modules 0\nmodule m\nop sigmoid {} %3.0\n", "is not an instruction before this one"},
        {"modules 0\nmodule m\nop sigmoid {} @0 @7\n", "'@7' is not a module"},
        {"modules 0\nmodule m\nop sigmoi {}\n", "did you mean 'sigmoid'"},
        {"modules 0\nmodule m\nop sigmoid {a=i1}\n", "No key 'a' in sigmoid"},
        {"modules 0\nmodule m\nop sigmoid {a=i}\n", "'' is not a number"},
        {"modules 0\nmodule m\nop sigmoid [i1;i2\n", "is not a value"},
        {"modules 0\nmodule m\nop sigmoid " + std::string(100000, '[') + "\n", "of so few lists in each other"},
        {"modules 0\nmodule m\nliteral float_type:100000000/1 x00\n", "is not the elements of the literal"},
        {"modules 0\nmodule m\nop sigmoid {} !a,1\n", "is not a place"},
        {bytes.substr(0, bytes.size() - 3), ""},
    };
    for(const auto& [saved, part] : wrong)
        expect_error(part, [&, what = saved] { load_module(what); });
    // What ends anywhere is read or refused.
    for(std::size_t size = 0; size < text.size(); ++size)
        thrown([&] { load_module(text.substr(0, size)); });
}

} // namespace

int check::reflecting()
{
    attributes();
    uses_and_walks();
    files();
    broken_files();
    return failures == 0 ? 0 : 1;
}
