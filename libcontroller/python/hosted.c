/* Robots whose simulator runs in this process: packets travel by function calls.

   A controller loses control only while it waits for an answer; there, the simulator and other controllers
   run, and the robot is made the current one again. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/robot.h>

#include "../src/robot.h"
#include "binding.h"

#define LONGEST_REASON 200

/* Functions of the simulator's side, and the reason of the last failure. */
typedef struct {
  PyObject *send, *receive, *close;
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
  if (is_fine) put(answer, data, (size_t)size);
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
  free(link);
}

/* attach(send, receive, close, arguments): begin a robot over functions that exchange packets. */
PyObject *attach(PyObject *self, PyObject *args) {
  (void)self;
  PyObject *send, *receive, *close;
  const char *arguments;
  if (!PyArg_ParseTuple(args, "OOOs", &send, &receive, &close, &arguments)) return NULL;
  Link *link = allocate(sizeof *link);
  *link = (Link){Py_NewRef(send), Py_NewRef(receive), Py_NewRef(close), ""};
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
