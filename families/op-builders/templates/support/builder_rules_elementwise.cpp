// torchgen_comment
#include "builder_rules.h"

#include <algorithm>
#include <cmath>

namespace torchgen_support {

namespace {

/// All inputs must have one shape and type; the result has the same, with their layout if they share one.
shape same_shape(const operation&, const std::vector<shape>& inputs)
{
    for(const shape& s : inputs)
    {
        if(s.type() != inputs.front().type())
            throw exception("the inputs have different types");
    }
    if(any_dynamic(inputs))
    {
        const bool equal = std::all_of(inputs.begin(), inputs.end(), [&](const shape& s) {
            return s.ndim() == inputs.front().ndim();
        });
        if(!equal)
            throw exception("the inputs have different ranks");
        dims_t dims = inputs.front().dyn_dims();
        for(const shape& s : inputs)
        {
            for(std::size_t i = 0; i < dims.size(); ++i)
            {
                const auto both = dims[i].intersection(s.dyn_dims()[i]);
                if(!both.has_value())
                    throw exception("the inputs have different lengths");
                dims[i] = *both;
            }
        }
        return {inputs.front().type(), dims};
    }
    bool layout = true;
    for(const shape& s : inputs)
    {
        if(s.lens() != inputs.front().lens())
            throw exception("the inputs have different lengths");
        layout = layout && s.packed() && s.strides() == inputs.front().strides();
    }
    return layout ? inputs.front() : shape(inputs.front().type(), inputs.front().lens());
}

template <class F>
operation_signature unary(F f)
{
    operation_signature op;
    op.least_inputs = op.most_inputs = 1;
    op.rule.shape_of                 = same_shape;
    op.rule.value_of = [f](const operation&, const shape& s, const std::vector<argument>& inputs) {
        argument result(s);
        for(std::size_t i = 0; i < result.elements(); ++i)
        {
            if constexpr(std::is_invocable_v<F, double, bool>)
            {
                if(inputs[0].integral())
                    result.set(i, f(inputs[0].integer(i), true));
                else
                    result.set(i, f(inputs[0].real(i), true));
            }
            else
                result.set(i, static_cast<double>(f(inputs[0].real(i))));
        }
        return result;
    };
    return op;
}

/// An operator that computes integers exactly.
template <class F>
operation_signature binary(F f)
{
    operation_signature op;
    op.least_inputs = op.most_inputs = 2;
    op.rule.shape_of                 = same_shape;
    op.rule.value_of = [f](const operation&, const shape& s, const std::vector<argument>& inputs) {
        argument result(s);
        for(std::size_t i = 0; i < result.elements(); ++i)
        {
            if(inputs[0].integral())
                result.set(i, static_cast<std::int64_t>(f(inputs[0].integer(i), inputs[1].integer(i))));
            else
                result.set(i, static_cast<double>(f(inputs[0].real(i), inputs[1].real(i))));
        }
        return result;
    };
    return op;
}

/// Overflow wraps around, as in hardware.
std::int64_t wrapped(std::uint64_t x) { return static_cast<std::int64_t>(x); }

struct add_op
{
    double operator()(double a, double b) const { return a + b; }
    std::int64_t operator()(std::int64_t a, std::int64_t b) const
    {
        return wrapped(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
};
struct sub_op
{
    double operator()(double a, double b) const { return a - b; }
    std::int64_t operator()(std::int64_t a, std::int64_t b) const
    {
        return wrapped(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    }
};
struct mul_op
{
    double operator()(double a, double b) const { return a * b; }
    std::int64_t operator()(std::int64_t a, std::int64_t b) const
    {
        return wrapped(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    }
};
struct div_op
{
    double operator()(double a, double b) const { return a / b; }
    std::int64_t operator()(std::int64_t a, std::int64_t b) const
    {
        if(b == 0)
            throw exception("div: integer division by zero");
        return b == -1 ? sub_op{}(std::int64_t{0}, a) : a / b;
    }
};
struct bitwise_and_op
{
    std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a & b; }
    double operator()(double a, double b) const { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }
};

double erf_of(double x) { return std::erf(x); }

} // namespace

void register_elementwise_ops(op_table_t& table)
{
    table["add"]         = binary(add_op{});
    table["sub"]         = binary(sub_op{});
    table["mul"]         = binary(mul_op{});
    table["div"]         = binary(div_op{});
    table["bitwise_and"] = binary(bitwise_and_op{});
    table["max"]         = binary([](auto a, auto b) { return a < b ? b : a; });
    table["min"]         = binary([](auto a, auto b) { return b < a ? b : a; });
    table["pow"]         = binary([](auto a, auto b) { return std::pow(static_cast<double>(a), static_cast<double>(b)); });
    table["prelu"]       = binary([](auto a, auto b) { return a < 0 ? mul_op{}(a, b) : a; });
    table["sqdiff"]      = binary([](auto a, auto b) {
        const auto d = sub_op{}(a, b);
        return mul_op{}(d, d);
    });
    table["logical_and"] = binary([](auto a, auto b) { return a != 0 && b != 0 ? 1 : 0; });
    table["logical_or"]  = binary([](auto a, auto b) { return a != 0 || b != 0 ? 1 : 0; });
    table["logical_xor"] = binary([](auto a, auto b) { return (a != 0) != (b != 0) ? 1 : 0; });

    const auto exact = [](auto f) { return [f](auto x, bool) { return f(x); }; };
    table["identity"] = unary(exact([](auto x) { return x; }));
    table["neg"]      = unary(exact([](auto x) { return sub_op{}(decltype(x){0}, x); }));
    table["abs"]      = unary(exact([](auto x) { return x < 0 ? sub_op{}(decltype(x){0}, x) : x; }));
    table["relu"]     = unary(exact([](auto x) { return x < 0 ? decltype(x){0} : x; }));
    table["exp"]      = unary([](double x) { return std::exp(x); });
    table["log"]      = unary([](double x) { return std::log(x); });
    table["sqrt"]     = unary([](double x) { return std::sqrt(x); });
    table["rsqrt"]    = unary([](double x) { return 1.0 / std::sqrt(x); });
    table["erf"]      = unary(erf_of);
    table["tanh"]     = unary([](double x) { return std::tanh(x); });
    table["sigmoid"]  = unary([](double x) { return 1.0 / (1.0 + std::exp(-x)); });
    table["floor"]    = unary([](double x) { return std::floor(x); });
    table["ceil"]     = unary([](double x) { return std::ceil(x); });
    table["nearbyint"] = unary([](double x) { return std::nearbyint(x); });

    operation_signature clip;
    clip.least_inputs = clip.most_inputs = 3;
    clip.rule.shape_of                   = same_shape;
    clip.rule.value_of = [](const operation&, const shape& s, const std::vector<argument>& inputs) {
        argument result(s);
        for(std::size_t i = 0; i < result.elements(); ++i)
        {
            if(inputs[0].integral())
                result.set(i, std::min(std::max(inputs[0].integer(i), inputs[1].integer(i)), inputs[2].integer(i)));
            else
                result.set(i, std::fmin(std::fmax(inputs[0].real(i), inputs[1].real(i)), inputs[2].real(i)));
        }
        return result;
    };
    table["clip"] = clip;

    operation_signature convert;
    convert.attributes   = value({attribute("target_type", nullptr)});
    convert.least_inputs = convert.most_inputs = 1;
    convert.rule.shape_of = [](const operation& op, const std::vector<shape>& inputs) {
        return inputs[0].with_type(op.get<shape::type_t>("target_type"));
    };
    convert.rule.value_of = [](const operation&, const shape& s, const std::vector<argument>& inputs) {
        argument result(s);
        for(std::size_t i = 0; i < result.elements(); ++i)
            result.copy(i, inputs[0], i);
        return result;
    };
    table["convert"] = convert;

    operation_signature undefined;
    undefined.rule.shape_of = [](const operation&, const std::vector<shape>&) { return shape(); };
    table["undefined"]      = undefined;
}

} // namespace torchgen_support
