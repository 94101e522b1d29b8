/* Robots whose simulator runs in this process: packets travel by function calls.

   A controller loses control only in a step and while it waits for an answer; there, the simulator and other
   controllers run, and the robot is made the current one again. */
#include <stdlib.h>
#include <string.h>
#include <webots/robot.h>

#include "../src/platform/system.h"
#include "../src/robot.h"
#include "binding.h"

#define LONGEST_REASON 200

/* What an answer is that the stepper has. */
static const char DELIVERED[] = "delivered";

/* An answer without messages, when the stepper had them: its size, and the delay. */
static const int32_t NOTHING[] = {2 * sizeof(int32_t), 0};

/* Functions of the simulator's side, its stepper, and the reason of the last failure. */
typedef struct {
  PyObject *send, *receive, *close;
  PyObject *stepper;        /* that may make the next step; NULL: there is none yet */
  const HostedCalls *calls; /* of the stepper */
  bool may_step;            /* it may make steps now */
  PyObject *asked;          /* the stepper of a step that has begun; NULL: there is none */
  const HostedCalls *asked_calls;
  Changes changes;      /* with which the step begins */
  unsigned long thread; /* the one in which the stepper makes steps */
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

static bool step_by_call(void *context, Robot *robot, int duration, const char **problem) {
  Link *link = context;
  if (!link->may_step || link->thread != PyThread_get_thread_ident()) return false;
  if (!changes_take(&link->changes, robot)) return false;
  Life *own = current_life;
  const HostedCalls *calls = link->calls;
  PyObject *stepper = Py_NewRef(link->stepper); /* another one may replace it meanwhile */
  const int done = calls->step(calls->context, duration, link->changes.items, link->changes.count);
  robot_make_current(robot);
  current_life = own;
  if (!done) changes_return(&link->changes, robot);
  if (done > 0) *problem = robot_take_answer(robot, calls->answer(calls->context));
  robot->connection->is_answered = done > 0;
  if (done == -2) *problem = reason(link);
  if (done == -1) {
    PyObject *former = link->asked;
    link->asked = stepper;
    link->asked_calls = calls;
    stepper = former;
  }
  Py_XDECREF(stepper);
  return done;
}

static const char *send_by_call(void *context, const void *data, size_t size) {
  Link *link = context;
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
  const char *problem = is_fine ? NULL : reason(link);
  if (is_fine && link->asked && !strcmp(data, DELIVERED)) {
    problem = robot_take_answer(robot, link->asked_calls->answer(link->asked_calls->context));
    put(answer, NOTHING, sizeof NOTHING);
    Py_CLEAR(link->asked);
  } else if (is_fine) {
    put(answer, data, (size_t)size);
  }
  Py_XDECREF(packet);
  return problem;
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
  Py_XDECREF(link->asked);
  free(link->changes.items);
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
  link->thread = PyThread_get_thread_ident();
  Connection *connection = allocate(sizeof *connection);
  connection->calls = (Calls){send_by_call, receive_by_call, end_by_call, link, step_by_call};
  current_life = NULL;
  if (robot_begin(connection)) {
    robot_current()->owner = system_process();
    keep_text(&robot_current()->arguments, arguments);
    begin_life(true);
    if (has_trouble) wb_robot_cleanup();
    if (has_trouble) end_life();
  }
  return has_trouble ? failed(none()) : none();
}
