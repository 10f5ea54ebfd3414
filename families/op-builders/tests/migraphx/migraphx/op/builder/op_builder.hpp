#pragma once
#include <migraphx/builders.hpp>
