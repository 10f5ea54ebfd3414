// Computes nodes of Glow's graph, so that tests can compare what graphs compute before and after a
// rule. Elements of quantized tensors are the numbers that they represent. Floats are computed as
// `double`; other elements are rounded to what their type can hold.
#pragma once

#include "evaluate/elements.h"
#include "evaluate/moves.h"
#include "evaluate/sums.h"
