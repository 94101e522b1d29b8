/* Tests how a board stores and rounds numbers: computes with values unknown to the compiler and prints the
   bytes of the results in memory order. wbverify/rounding.py has the expected bytes. */
#include <stdint.h>
#include <stdio.h>
#include <webots/robot.h>

static void show(const void *number, unsigned int size) {
  const unsigned char *bytes = number;
  char text[2 * sizeof(uint64_t) + 1] = "";
  for (unsigned int k = 0; k < size; k++) {
    text[2 * k] = "0123456789abcdef"[bytes[k] >> 4];
    text[2 * k + 1] = "0123456789abcdef"[bytes[k] & 15];
  }
  puts(text);
}

#define SHOW(type, expression)        \
  do {                                \
    const type result = (expression); \
    show(&result, sizeof result);     \
  } while (0)

static void show_floats(void) {
  volatile float one = 1, three = 3, even = 16777216.0f;
  SHOW(float, one / three);
  SHOW(float, even + one);   /* a tie: rounds to the even neighbor below */
  SHOW(float, even + three); /* a tie: rounds to the even neighbor above */
  SHOW(float, one / three * three - one);
  SHOW(float, -three / 7);
}

static void show_doubles(void) {
  volatile double one = 1, three = 3, even = 16777216.0;
  SHOW(double, one / three);
  SHOW(double, even + one);
  SHOW(double, one / three * three - one);
  SHOW(double, -three / 7);
}

static void show_whole_numbers(void) {
  volatile double some = 2.75;
  SHOW(uint32_t, (uint32_t)0x01020304);
  SHOW(int32_t, (int32_t)some);
  SHOW(int32_t, (int32_t)-some);
}

#define OPENING_MS 100 /* for a computer to open the board's USB port */

int main(void) {
  wb_robot_init();
  wb_robot_step(OPENING_MS);
  show_floats();
  show_doubles();
  show_whole_numbers();
  puts("end");
  wb_robot_cleanup();
  return 0;
}
