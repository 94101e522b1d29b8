/* Failed assertions of the controller. */
#include "assert.h"

#include "controller.h"
#include "text.h"

void controller_assert(const char *expression, const char *file, int line, const char *function) {
  text_plain(file);
  SAY(":");
  text_unsigned((uint32_t)line);
  SAY(": ");
  text_plain(function);
  SAY(": Assertion `");
  text_plain(expression);
  SAY("' failed.\n");
  controller_abort();
}
