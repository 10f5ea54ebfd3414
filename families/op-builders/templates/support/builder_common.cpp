// torchgen_comment
#include "builder_common.h"

#include <algorithm>

namespace torchgen_support {

std::vector<std::size_t> compute_broadcasted_lens(std::vector<std::size_t> a, std::vector<std::size_t> b)
{
    if(a.size() > b.size())
        a.swap(b);
    std::vector<std::size_t> result = b;
    const std::size_t offset        = b.size() - a.size();
    for(std::size_t i = 0; i < a.size(); ++i)
    {
        const std::size_t other = b[i + offset];
        if(a[i] != other && a[i] != 1 && other != 1)
            throw exception("the shapes " + to_string(a) + " and " + to_string(b) + " do not broadcast");
        result[i + offset] = a[i] == 1 ? other : a[i];
    }
    return result;
}

std::vector<shape::dynamic_dimension> compute_broadcasted_dyn_dims(std::vector<shape::dynamic_dimension> a,
                                                                   std::vector<shape::dynamic_dimension> b)
{
    const shape::dynamic_dimension one{1, 1};
    if(a.size() > b.size())
        a.swap(b);
    auto result              = b;
    const std::size_t offset = b.size() - a.size();
    for(std::size_t i = 0; i < a.size(); ++i)
    {
        const auto& other = b[i + offset];
        if(a[i] == other || other == one)
            result[i + offset] = a[i];
        else if(a[i] != one)
        {
            const auto both = a[i].intersection(other);
            if(!both.has_value())
                throw exception("the dynamic shapes " + to_string(shape(shape::float_type, a)) + " and " +
                                to_string(shape(shape::float_type, b)) + " do not broadcast");
            result[i + offset] = *both;
        }
    }
    return result;
}

shape::type_t compute_common_type(shape::type_t a, shape::type_t b)
{
    if(a == b)
        return a;
    // A float type wins over an integer type, and double over other floats. Two different smaller floats become float.
    const auto small = [](shape::type_t t) {
        return t != shape::bool_type && t != shape::float_type && t != shape::double_type && !shape::is_integral(t);
    };
    if(a == shape::double_type || b == shape::double_type)
        return shape::double_type;
    if(small(a) && (shape::is_integral(b) || b == shape::bool_type))
        return a;
    if(small(b) && (shape::is_integral(a) || a == shape::bool_type))
        return b;
    if(small(a) || small(b) || a == shape::float_type || b == shape::float_type)
        return shape::float_type;
    // Integers narrower than 32 bits are promoted to int.
    const auto rank = [](shape::type_t t) {
        switch(t)
        {
        case shape::uint64_type: return 4;
        case shape::int64_type: return 3;
        case shape::uint32_type: return 2;
        default: return 1;
        }
    };
    const int wider = std::max(rank(a), rank(b));
    return wider == 4   ? shape::uint64_type
           : wider == 3 ? shape::int64_type
           : wider == 2 ? shape::uint32_type
                        : shape::int32_type;
}

shape common_shape(const std::vector<shape>& shapes)
{
    if(shapes.empty())
        return {};
    std::vector<std::size_t> lens = shapes.front().lens();
    shape::type_t type            = shapes.front().type();
    for(const shape& s : shapes)
    {
        lens = compute_broadcasted_lens(lens, s.lens());
        type = compute_common_type(type, s.type());
    }
    return {type, lens};
}

std::vector<instruction_ref> insert_common_args(module& m, instruction_ref ins, std::vector<instruction_ref> inputs)
{
    if(inputs.empty())
        return inputs;
    const bool dynamic = std::any_of(
        inputs.begin(), inputs.end(), [](instruction_ref input) { return input->get_shape().dynamic(); });
    shape::type_t type = inputs.front()->get_shape().type();
    if(dynamic)
    {
        auto dims = inputs.front()->get_shape().dyn_dims();
        for(const instruction_ref input : inputs)
        {
            dims = compute_broadcasted_dyn_dims(dims, input->get_shape().dyn_dims());
            type = compute_common_type(type, input->get_shape().type());
        }
        // The lengths are computed at run time: from all inputs first, then from the first result.
        const operation op = make_op("multibroadcast", value({value("out_dyn_dims", to_value(dims))}));
        inputs.front()     = m.insert_instruction(ins, op, inputs);
        for(std::size_t i = 1; i < inputs.size(); ++i)
            inputs[i] = m.insert_instruction(ins, op, {inputs[i], inputs.front()});
    }
    else
    {
        std::vector<shape> shapes;
        for(const instruction_ref input : inputs)
            shapes.push_back(input->get_shape());
        const shape common = common_shape(shapes);
        type               = common.type();
        for(instruction_ref& input : inputs)
        {
            if(input->get_shape().lens() != common.lens())
                input = m.insert_instruction(
                    ins, make_op("multibroadcast", value({value("out_lens", value(common.lens()))})), input);
            if(input->get_shape().type() != type)
                input = m.insert_instruction(ins, make_op("convert", value({value("target_type", value(type))})), input);
        }
        return inputs;
    }
    for(instruction_ref& input : inputs)
    {
        if(input->get_shape().type() != type)
            input = m.insert_instruction(ins, make_op("convert", value({value("target_type", value(type))})), input);
    }
    return inputs;
}

instruction_ref
insert_common_op(module& m, instruction_ref ins, const operation& op, std::vector<instruction_ref> inputs)
{
    return m.insert_instruction(ins, op, insert_common_args(m, ins, std::move(inputs)));
}

} // namespace torchgen_support
