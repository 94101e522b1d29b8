/* Makes the calls of the C API that a file lists, one per line, words separated by tabs; prints what each
   returns.

   calling.py fills in the includes and the calls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* includes */

static char line[1 << 16], *rest;
static const char *called;
static WbNodeRef nodes[1000];
static WbFieldRef fields[1000];
static WbProtoRef protos[1000];
static WbImageRef images[1000];
static WbMotionRef motions[1000];
static int node_count, field_count, proto_count, image_count, motion_count;

static char *next_text(void) {
  char *start = rest;
  if (!start) return "";
  rest = strchr(start, '\t');
  if (rest) *rest++ = '\0';
  return start;
}

static int next_int(void) { return atoi(next_text()); }

static double next_double(void) { return strtod(next_text(), NULL); }

static const double *next_doubles(int count) {
  static double numbers[4][8];
  static int turn;
  double *made = numbers[turn = (turn + 1) % 4];
  char *at = next_text();
  for (int i = 0; i < count; ++i) made[i] = strtod(at, &at);
  return made;
}

static WbNodeRef next_node(void) { return nodes[next_int()]; }

static WbFieldRef next_field(void) { return fields[next_int()]; }

static WbProtoRef next_proto(void) { return protos[next_int()]; }

static WbImageRef next_image(void) { return images[next_int()]; }

static WbMotionRef next_motion(void) { return motions[next_int()]; }

/* Before the result of a call its name. */
static void begin(void) {
  if (called) printf("[\"%s\", ", called);
  called = NULL;
}

static void print_nothing(void) {
  begin();
  fputs("null", stdout);
}

static void print_int(int value) {
  begin();
  printf("%d", value);
}

static void print_double(double value) {
  begin();
  if (isnan(value))
    fputs("NaN", stdout);
  else if (isinf(value))
    fputs(value > 0 ? "Infinity" : "-Infinity", stdout);
  else
    printf("%.17g", value);
}

static void print_doubles(int count, const double *values) {
  begin();
  if (!values) {
    print_nothing();
    return;
  }
  fputs("[", stdout);
  for (int i = 0; i < count; ++i) {
    fputs(i ? ", " : "", stdout);
    print_double(values[i]);
  }
  fputs("]", stdout);
}

static void print_text(const char *text) {
  begin();
  if (!text) {
    print_nothing();
    return;
  }
  fputs("\"", stdout);
  for (; *text; ++text) {
    if (strchr("\"\\\n\t\r", *text))
      printf("\\u%04x", (unsigned char)*text);
    else
      putchar(*text);
  }
  fputs("\"", stdout);
}

static void print_node(WbNodeRef node) {
  nodes[node_count++] = node;
  print_text(node ? "node" : NULL);
}

static void print_field(WbFieldRef field) {
  fields[field_count++] = field;
  print_text(field ? "field" : NULL);
}

static void print_proto(WbProtoRef proto) {
  protos[proto_count++] = proto;
  print_text(proto ? "proto" : NULL);
}

static void print_image(WbImageRef image) {
  images[image_count++] = image;
  print_text(image ? "image" : NULL);
}

static void print_motion(WbMotionRef motion) {
  motions[motion_count++] = motion;
  print_text(motion ? "motion" : NULL);
}

static void call(const char *name) {
  called = name;
  /* calls */
  fprintf(stderr, "there is no %s\n", name);
  exit(1);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    rest = line;
    call(next_text());
    puts("]");
    fflush(stdout);
  }
  wb_robot_cleanup();
  return 0;
}
