/* Calls each method of the C++ classes with NULL for one pointer argument after the other.

   test_null_in_cpp.py fills in the includes and the calls. */
#include <cstdio>
#include <cstring>
/* includes */

using namespace webots;

static Supervisor *robot;
static int numbers[16];
static double doubles[16];
static char bytes[256];

template <class Kind>
static Kind *device(const char *name) {
  return dynamic_cast<Kind *>(robot->getDevice(name));
}

/* The field with the name of a type. */
static Field *field(const char *type) {
  Node *owner = robot->getFromDef("FIELDS");
  return owner ? owner->getField(type) : nullptr;
}

static void begin(const char *call) {
  std::fprintf(stderr, "@%s\n", call);
  std::fflush(nullptr);
}

static void call_all(Node *node, ImageRef *image) { /* calls */ }

int main() {
  robot = new Supervisor();
  robot->step(32);
  Node *ball = robot->getFromDef("BALL");
  Node *node = ball ? ball : robot->getRoot();
  Display *display = device<Display>("display");
  call_all(node, display->imageNew(1, 1, bytes, Display::RGBA));
  delete robot;
  return 0;
}
