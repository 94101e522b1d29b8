/* Calls each function of the C API with NULL for one pointer argument after the other.

   The argument of the program is the phase: "before" wb_robot_init, "running", or "after" wb_robot_cleanup.
   Outside of a running controller, each call has a process of its own, as a call may end the program.
   test_null.py fills in the includes and the calls. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* includes */

static bool may_end;
static WbNodeRef node;
static WbProtoRef proto;
static WbImageRef image;
static WbMotionRef motion;
static int numbers[16];
static double doubles[16];
static char bytes[256], *text = bytes;

/* The field with the name of a type. */
static WbFieldRef field(const char *type) {
  const WbNodeRef owner = may_end ? NULL : wb_supervisor_node_get_from_def("FIELDS");
  return owner ? wb_supervisor_node_get_field(owner, type) : NULL;
}

static void nothing(void *arg) { (void)arg; }

/* True if the call has to be made in this process. */
static bool begin(const char *call) {
  fprintf(stderr, "@%s\n", call);
  fflush(NULL);
  const pid_t child = may_end ? fork() : 0;
  if (!child) return true;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) fprintf(stderr, "signal %d\n", WTERMSIG(status));
  return false;
}

static void end(void) {
  fflush(NULL);
  if (may_end) _exit(0);
}

static void call_all(void) { /* calls */ }

static void find_references(void) {
  node = wb_supervisor_node_get_from_def("BALL");
  node = node ? node : wb_supervisor_node_get_root();
  proto = node ? wb_supervisor_node_get_proto(wb_supervisor_node_get_from_def("FIELDS")) : NULL;
  image = wb_display_image_new(wb_robot_get_device("display"), 1, 1, bytes, WB_IMAGE_RGBA);
}

int main(int argc, char **argv) {
  const char *phase = argc > 1 ? argv[1] : "";
  may_end = strcmp(phase, "running") != 0;
  if (strcmp(phase, "before")) {
    wb_robot_init();
    wb_robot_step(32);
    find_references();
  }
  if (!strcmp(phase, "after")) wb_robot_cleanup();
  call_all();
  if (!may_end) wb_robot_cleanup();
  return 0;
}
