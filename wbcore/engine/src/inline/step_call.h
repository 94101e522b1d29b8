// The call by which an inline controller makes a step, in native code as long as nothing needs a packet.
#pragma once

#include <nanobind/nanobind.h>

namespace wb {

void bind_step_call(nanobind::module_ &m);

}  // namespace wb
