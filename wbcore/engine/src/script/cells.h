// Motors and sensors of robots that a script drives: attributes that it sets and reads in each step.
//
// They are plain Python types whose attributes are C functions: an access costs about 20 ns. What is not
// common goes to a method in Python, with all its checks.
#pragma once

#include <nanobind/nanobind.h>

namespace wb {

void bind_script_cells(nanobind::module_ &m);

}  // namespace wb
