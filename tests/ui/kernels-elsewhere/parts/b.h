#include "../a.cpp"
#include "c.h"
