/* Robots whose simulator runs in this process: packets travel by function calls.

   A controller loses control only in a step and while it waits for an answer; there, the simulator and other
   controllers run, and the robot is made the current one again. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/robot.h>

#include "../src/robot.h"
#include "binding.h"
#include "hosted_calls.h"

#define LONGEST_REASON 200

/* What an answer is that the stepper has. */
static const char DELIVERED[] = "delivered";

/* Functions of the simulator's side, its stepper, and the reason of the last failure. */
typedef struct {
  PyObject *send, *receive, *close;
  PyObject *stepper;        /* of the last step without Python; NULL: there was none */
  const HostedCalls *calls; /* of the stepper */
  bool may_step;            /* such steps are possible now */
  char why[LONGEST_REASON];
} Link;

/* Turn an exception into the reason of a failure. Exceptions that end the program stay. */
static const char *reason(Link *link) {
  PyObject *type, *value, *trace;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) {
    robot_current()->connection->is_interrupted = has_trouble = true;
    return "it was interrupted";
  }
  PyErr_Fetch(&type, &value, &trace);
  PyObject *shown = value ? PyObject_Str(value) : NULL;
  const char *text = shown ? PyUnicode_AsUTF8AndSize(shown, NULL) : NULL;
  PyOS_snprintf(link->why, sizeof link->why, "%s", text ? text : "");
  PyErr_Clear();
  Py_XDECREF(shown);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return link->why;
}

static void put_answer(const HostedCalls *calls, Buffer *out) {
  size_t size = 0;
  const char *answer = calls->answer(calls->context, &size);
  put(out, answer, size);
}

/* Carry out a request without Python; the result is that of HostedCalls. */
static int step_by_call(const Link *link, const void *data, size_t size) {
  if (!link->may_step) return 0;
  Life *own = current_life;
  Robot *robot = robot_current();
  const HostedCalls *calls = link->calls;
  PyObject *stepper = Py_NewRef(link->stepper); /* another one may replace it meanwhile */
  const int done = calls->step(calls->context, data, size);
  robot_make_current(robot);
  current_life = own;
  if (done > 0) put_answer(calls, &robot->connection->in);
  Py_DECREF(stepper);
  return done;
}

static const char *send_by_call(void *context, const void *data, size_t size) {
  Link *link = context;
  const int outcome = step_by_call(link, data, size);
  if (outcome) return outcome == -2 ? reason(link) : NULL;
  PyObject *packet = PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
  PyObject *done = packet ? PyObject_CallFunctionObjArgs(link->send, packet, NULL) : NULL;
  Py_XDECREF(packet);
  Py_XDECREF(done);
  return done ? NULL : reason(link);
}

static const char *receive_by_call(void *context, Buffer *answer) {
  Link *link = context;
  Life *own = current_life;
  Robot *robot = robot_current();
  PyObject *packet = PyObject_CallObject(link->receive, NULL);
  robot_make_current(robot);
  current_life = own;
  char *data;
  Py_ssize_t size;
  const bool is_fine = packet && !PyBytes_AsStringAndSize(packet, &data, &size);
  if (is_fine && link->calls && !strcmp(data, DELIVERED))
    put_answer(link->calls, answer);
  else if (is_fine)
    put(answer, data, (size_t)size);
  Py_XDECREF(packet);
  return is_fine ? NULL : reason(link);
}

static void end_by_call(void *context) {
  Link *link = context;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *done = PyObject_CallObject(link->close, NULL);
  if (!done) PyErr_Clear();
  Py_XDECREF(done);
  PyErr_Restore(type, value, trace);
  Py_DECREF(link->send);
  Py_DECREF(link->receive);
  Py_DECREF(link->close);
  Py_XDECREF(link->stepper);
  free(link);
}

/* allow_steps(robot, stepper): let the stepper carry out requests; None: not any more. */
PyObject *allow_steps(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *object, *stepper;
  if (!PyArg_ParseTuple(args, "OO", &object, &stepper)) return NULL;
  const Life *life = ((Object *)object)->life;
  if (!life || !life->robot || !life->robot->connection) return none();
  Link *link = life->robot->connection->calls.context;
  link->may_step = stepper != Py_None;
  if (!link->may_step || stepper == link->stepper) return none();
  PyObject *capsule = PyObject_GetAttrString(stepper, "calls");
  const HostedCalls *calls = capsule ? PyCapsule_GetPointer(capsule, HOSTED_CALLS) : NULL;
  Py_XDECREF(capsule); /* the stepper keeps it */
  link->may_step = calls != NULL;
  if (!calls) return NULL;
  Py_XDECREF(link->stepper);
  link->stepper = Py_NewRef(stepper);
  link->calls = calls;
  return none();
}

/* attach(send, receive, close, arguments): begin a robot over functions that exchange packets. */
PyObject *attach(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *send, *receive, *close;
  const char *arguments;
  if (!PyArg_ParseTuple(args, "OOOs", &send, &receive, &close, &arguments)) return NULL;
  Link *link = allocate(sizeof *link);
  *link = (Link){.send = Py_NewRef(send), .receive = Py_NewRef(receive), .close = Py_NewRef(close)};
  Connection *connection = allocate(sizeof *connection);
  connection->calls = (Calls){send_by_call, receive_by_call, end_by_call, link};
  current_life = NULL;
  if (robot_begin(connection)) {
    robot_current()->owner = getpid();
    keep_text(&robot_current()->arguments, arguments);
    begin_life(true);
    if (has_trouble) wb_robot_cleanup();
    if (has_trouble) end_life();
  }
  return has_trouble ? failed(none()) : none();
}
