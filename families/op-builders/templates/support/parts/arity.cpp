// Checks of inputs and modules.
#include "builder_inserter.h"

namespace torchgen_support::torchgen_builders {

void check_arity(const std::string& name, const std::vector<instruction_ref>& args, const arity& wanted)
{
    const std::string given = std::to_string(args.size());
    if(args.size() < wanted.least)
    {
        std::string names;
        for(std::size_t i = args.size(); i < wanted.least && i < wanted.names.size(); ++i)
            names += (names.empty() ? "" : ", ") + std::string(wanted.names[i]);
        const bool one = names.find(',') == std::string::npos;
        refuse(name, "takes at least " + std::to_string(wanted.least) + " inputs, but " + given +
                         " are given: " + names + (one ? " is missing" : " are missing"));
    }
    if(args.size() > wanted.most)
        refuse(name, "takes at most " + std::to_string(wanted.most) + " inputs, but " + given + " are given");
    for(std::size_t i = 0; i < wanted.least; ++i)
    {
        if(args[i]->is_undefined())
            refuse(name, "the input " + std::string(i < wanted.names.size() ? wanted.names[i] : "list") + " is undefined");
    }
}

void check_modules(const std::string& name, const std::vector<module_ref>& module_args, std::size_t least, std::size_t most)
{
    if(module_args.size() < least || module_args.size() > most)
        refuse(name, "takes " + std::to_string(least) + (least == most ? "" : " or more") + " modules, but " +
                         std::to_string(module_args.size()) + " are given");
}

} // namespace torchgen_support::torchgen_builders
