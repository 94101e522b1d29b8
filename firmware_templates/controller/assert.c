/* Failed assertions of the controller. */
#include "assert.h"

#include "controller.h"
#include "text.h"

void controller_assert(const char *expression, const char *file, int line, const char *function) {
  text_plain(file);
  PRINT(":");
  text_unsigned((uint32_t)line);
  PRINT(": ");
  text_plain(function);
  PRINT(": Assertion `");
  text_plain(expression);
  PRINT("' failed.\n");
  controller_abort();
}
