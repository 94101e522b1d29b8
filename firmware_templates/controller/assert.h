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
#ifdef __cplusplus
extern "C" {
#else
#define static_assert _Static_assert
#endif

/* Prints a failed assertion, ends the controller and stops the robot. */
void controller_assert(const char *expression, const char *file, int line, const char *function)
    __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
