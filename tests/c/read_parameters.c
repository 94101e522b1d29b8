/* Reads parameters of cars from a file, each behind its size (four bytes), and prints what they are, one JSON
   text per line: the numbers and the sound, or what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "vehicle/parameters.h"

static void print_text(const char *text) {
  putchar('"');
  for (; *text; ++text) printf(strchr("\"\\", *text) || (unsigned char)*text < ' ' ? "\\u%04x" : "%c", *text);
  putchar('"');
}

static void print_parameters(const Parameters *one) {
  const double numbers[] = {
      one->wheelbase,         one->track_front,       one->track_rear,      one->front_wheel_radius,
      one->rear_wheel_radius, one->brake_coefficient, one->wheels_damping,  one->engine,
      one->max_torque,        one->max_power,         one->min_rpm,         one->max_rpm,
      one->coefficients[0],   one->coefficients[1],   one->coefficients[2], one->split_ratio,
      one->split_rpm,         one->sound_rpm};
  printf("[");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) printf("%.17g, ", numbers[i]);
  for (int i = 0; i < one->gear_count; ++i) printf("%.17g, ", one->gear_ratios[i]);
  print_text(one->sound);
  puts("]");
}

static void read_one(const char *text) {
  Parameters parameters;
  Texts problems = {0};
  if (parameters_read(&parameters, text, &problems)) {
    print_parameters(&parameters);
    parameters_end(&parameters);
  } else {
    print_text(problems.items[0]);
    puts("");
  }
  texts_free(&problems);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  unsigned char head[4];
  while (file && fread(head, 1, sizeof head, file) == sizeof head) {
    Reader in = {.data = head, .size = sizeof head};
    const size_t size = read_u32(&in);
    char *text = allocate(size + 1);
    if (fread(text, 1, size, file) != size) return 2;
    read_one(text);
    free(text);
  }
  return file ? fclose(file) : 2;
}
