// torchgen_comment
// Includes everything that builders and their tests need: values, shapes, modules, the registry, the reference evaluator.
#pragma once

#include "builder_value.h"
#include "builder_shape.h"
#include "builder_argument.h"
#include "builder_module.h"
#include "builder_common.h"
#include "builder_registry.h"
#include "builder_inserter.h"
#include "builder_reflect.h"
#include "builder_save.h"
#include "builder_tensors.h"
