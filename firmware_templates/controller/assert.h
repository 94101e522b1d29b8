/* Replaces the C library's header, so that a failed assertion prints the same on all boards. */
#undef assert

#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : controller_assert(#expression, __FILE__, __LINE__, __func__))
#endif

#ifndef CONTROLLER_ASSERT
#define CONTROLLER_ASSERT
#define static_assert _Static_assert

/* Prints a failed assertion, ends the controller and stops the robot. */
_Noreturn void controller_assert(const char *expression, const char *file, int line, const char *function);

#endif
