// Arguments: `contract`, `behaviours`, `reflecting`, or `cases FILE`.
#include "check.h"

int main(int count, char** arguments)
{
    const std::string what = count > 1 ? arguments[1] : "";
    if(what == "contract")
        return check::contract();
    if(what == "behaviours")
        return check::behaviours();
    if(what == "reflecting")
        return check::reflecting();
    return count > 2 && what == "cases" ? check::cases(arguments[2]) : 2;
}
