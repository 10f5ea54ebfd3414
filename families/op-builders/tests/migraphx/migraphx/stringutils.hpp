#pragma once
#include <migraphx/declarations.hpp>
