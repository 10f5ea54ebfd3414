// Modules as text and as bytes.
#include "saved_values.h"

#include "../../../../../templates/kit/cpp/packed.h"

#include <unordered_map>

namespace torchgen_support {

namespace {

/// Where an instruction is: the number of its module, and its own there.
struct address
{
    std::size_t module = 0;
    std::size_t number = 0;
};

/// A module is written before the instruction that has it, in the middle of the one around it.
class module_writer
{
    public:
    std::string written(module& m)
    {
        std::string out = "modules " + number_text(module_version) + "\n";
        open(out, m);
        while(!stack.empty())
        {
            part& last = stack.back();
            if(last.next == last.m->end())
            {
                modules[last.m].is_open = false;
                stack.pop_back();
                if(!stack.empty())
                    out += "in " + number_text(modules.at(stack.back().m).number) + "\n";
                continue;
            }
            const instruction& ins = *last.next;
            const auto inner = std::find_if(ins.modules.begin(), ins.modules.end(), [&](module_ref own) {
                return own != nullptr && (modules.count(own) == 0 || modules.at(own).is_open);
            });
            if(inner != ins.modules.end())
            {
                open(out, **inner);
                continue;
            }
            const std::size_t own = modules.at(last.m).number;
            line(out, ins, own);
            places.emplace(&ins, address{own, last.size++});
            ++last.next;
        }
        return out;
    }

    private:
    struct part
    {
        module_ref m;
        instruction_ref next;
        std::size_t size = 0;
    };
    struct known
    {
        std::size_t number = 0;
        bool is_open       = true;
    };

    void open(std::string& out, module& m)
    {
        if(!modules.emplace(&m, known{modules.size(), true}).second)
            throw bad_saved_module("the module " + m.name() + " has itself");
        out += "module " + escapedWord(m.name()) + "\n";
        stack.push_back({&m, m.begin()});
    }

    void line(std::string& out, const instruction& ins, std::size_t own)
    {
        if(ins.name() == "@param")
            out += "param " + escapedWord(ins.op.get<std::string>("parameter")) + " " + shape_text(ins.result);
        else if(ins.name() == "@literal")
            out += "literal " + shape_text(ins.result) + " " + elements_text(ins.constant);
        else if(ins.name() == "@return")
            out += "return";
        else
        {
            out += "op " + escapedWord(ins.name()) + " ";
            write_value(out, ins.op.to_value());
        }
        for(const instruction_ref input : ins.arguments)
        {
            const auto found = places.find(&*input);
            if(found == places.end())
                throw bad_saved_module(ins.name() + " has an input that does not come before it");
            out += " %";
            if(found->second.module != own)
                out += number_text(found->second.module) + ".";
            out += number_text(found->second.number);
        }
        for(const module_ref inner : ins.modules)
            out += inner == nullptr ? std::string(" @-") : " @" + number_text(modules.at(inner).number);
        if(ins.location)
            out += " !" + escapedWord(ins.location->file) + "," + number_text(ins.location->line) + "," +
                   number_text(ins.location->column);
        out += "\n";
    }

    std::vector<part> stack;
    std::unordered_map<module_ref, known> modules;
    std::unordered_map<const instruction*, address> places;
};

class module_reader
{
    public:
    module_reader(std::string_view text, const module_upgrade& older) : upgrade(older)
    {
        for(const std::string_view part : split(text, '\n'))
            lines.push_back(split(part, ' '));
    }

    loaded_modules read()
    {
        const std::vector<std::string_view> none;
        const auto& head = lines.empty() ? none : lines.front();
        if(head.size() != 2 || head[0] != "modules")
            throw bad_saved_module("the text does not begin with 'modules' and a version");
        version = to_number<unsigned>(head[1]);
        if(version > module_version)
            throw bad_saved_module("the text has version " + number_text(version) + ", and this program knows " +
                                   number_text(module_version));
        for(at = 1; at < lines.size(); ++at)
        {
            try
            {
                line(lines[at]);
            }
            catch(const exception& error)
            {
                throw bad_saved_module("line " + std::to_string(at + 1) + ": " + error.what());
            }
        }
        if(modules.empty())
            throw bad_saved_module("the text has no module");
        return std::move(made);
    }

    private:
    std::string word(std::string_view from)
    {
        std::string out;
        if(!unescapeWord(from, out))
            bad_word("a name", from);
        return out;
    }

    /// What follows the first words of an instruction.
    struct rest
    {
        std::vector<instruction_ref> inputs;
        std::vector<module_ref> modules;
        std::shared_ptr<const source_location> location;
    };

    rest read_rest(const std::vector<std::string_view>& words, std::size_t from)
    {
        rest found;
        for(std::size_t i = from; i < words.size(); ++i)
        {
            const std::string_view text = words[i].substr(std::min<std::size_t>(1, words[i].size()));
            if(words[i].substr(0, 1) == "%")
                found.inputs.push_back(input(text));
            else if(words[i].substr(0, 1) == "@")
            {
                const std::size_t number = text == "-" ? 0 : to_number<std::size_t>(text);
                if(number >= modules.size())
                    bad_word("a module", words[i]);
                found.modules.push_back(text == "-" ? nullptr : modules[number]);
            }
            else if(words[i].substr(0, 1) == "!")
            {
                const auto parts = split(text, ',');
                if(parts.size() != 3)
                    bad_word("a place", words[i]);
                found.location = std::make_shared<const source_location>(
                    source_location{word(parts[0]), to_number<unsigned>(parts[1]), to_number<unsigned>(parts[2])});
            }
            else
                bad_word("an input, a module or a place", words[i]);
        }
        return found;
    }

    instruction_ref input(std::string_view text)
    {
        const std::size_t dot    = text.find('.');
        const bool is_own        = dot == std::string_view::npos;
        const std::size_t place  = is_own ? own : to_number<std::size_t>(text.substr(0, dot));
        const std::size_t number = to_number<std::size_t>(is_own ? text : text.substr(dot + 1));
        if(place >= places.size() || number >= places[place].size())
            bad_word("an instruction before this one", text);
        return places[place][number];
    }

    void line(const std::vector<std::string_view>& words)
    {
        if(words.size() == 2 && words[0] == "module")
        {
            made.all.emplace_back(word(words[1]));
            modules.push_back(&made.all.back());
            places.emplace_back();
            own = modules.size() - 1;
            return;
        }
        if(words.empty() || modules.empty())
            throw bad_saved_module("a module is missing");
        if(words.size() == 2 && words[0] == "in")
        {
            own = to_number<std::size_t>(words[1]);
            if(own >= modules.size())
                bad_word("a module", words[1]);
            return;
        }
        module& m = *modules[own];
        if(words[0] == "param" && words.size() >= 3)
            put(m.insert_parameter(m.end(), word(words[1]), to_shape(words[2])), read_rest(words, 3));
        else if(words[0] == "literal" && words.size() >= 3)
            put(m.insert_literal(m.end(), to_literal(to_shape(words[1]), words[2])), read_rest(words, 3));
        else if(words[0] == "return")
        {
            const rest found = read_rest(words, 1);
            put(m.add_return(found.inputs), found);
        }
        else if(words[0] == "op" && words.size() >= 3)
        {
            const rest found = read_rest(words, 3);
            put(m.add_instruction(upgraded(word(words[1]), words[2]), found.inputs, found.modules), found);
        }
        else
            bad_word("an instruction", words[0]);
    }

    operation upgraded(std::string name, std::string_view attributes)
    {
        saved_instruction ins{std::move(name), value_reader(attributes).whole()};
        if(version < module_version && upgrade && !upgrade(ins, version))
            throw bad_saved_module(ins.name + " of version " + number_text(version) + " cannot be read");
        return make_op(ins.name, ins.attributes);
    }

    void put(instruction_ref ins, const rest& found)
    {
        ins->location = found.location;
        places[own].push_back(ins);
    }

    const module_upgrade& upgrade;
    std::vector<std::vector<std::string_view>> lines;
    std::size_t at   = 0;
    unsigned version = 0;
    loaded_modules made;
    std::vector<module_ref> modules;
    /// The number of the module that lines are about.
    std::size_t own = 0;
    std::vector<std::vector<instruction_ref>> places;
};

} // namespace

std::string save_module(module& m) { return module_writer().written(m); }

std::string save_module_as_bytes(module& m) { return packText(save_module(m)); }

loaded_modules load_module(const std::string& saved, const module_upgrade& upgrade)
{
    std::string text;
    if(isPacked(saved) && !unpackText(saved, text))
        throw bad_saved_module("the bytes end too early");
    return module_reader(isPacked(saved) ? text : saved, upgrade).read();
}

} // namespace torchgen_support
