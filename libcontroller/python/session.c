/* The program's robot: its connection, steps and end, and what the C library asks of Python. */
#include <string.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>

#include "../src/platform/system.h"
#include "../src/report.h"
#include "../src/robot.h"
#include "binding.h"
#include "by_hand.h"

#define LONGEST_PLACE 512
#define NO_END (-1)

bool has_trouble;
PyObject *no_robot;
static int end_code = NO_END;
static PyObject *writer, *placer; /* functions of wbridge.hal.client.native */

/* The threads of a controller take turns in calls that wait, which release the interpreter's lock meanwhile.
 */
static PyThread_type_lock turn;
static unsigned long holder;
static int depth; /* a signal's handler may call while its thread waits */

void begin_turn(void) {
  if (current_life && current_life->is_hosted) return; /* its simulator decides who runs */
  const unsigned long own = PyThread_get_thread_ident();
  if (holder != own) {
    if (!PyThread_acquire_lock(turn, NOWAIT_LOCK)) {
      Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(turn, WAIT_LOCK);
      Py_END_ALLOW_THREADS
    }
    holder = own;
  }
  ++depth;
}

void end_turn(void) {
  if (!depth || --depth) return;
  holder = 0;
  PyThread_release_lock(turn);
}

/* What the C library asks of Python. */

static void keep_end(int code) {
  end_code = code;
  has_trouble = true;
}

/* Write by Python; an exception in the API call stays as it is. */
static void write_line(const char *line) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *shown = PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace");
  PyObject *done = shown ? PyObject_CallFunctionObjArgs(writer, shown, NULL) : NULL;
  if (!done) PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(shown);
  PyErr_Restore(type, value, trace);
  PyGILState_Release(state);
}

static const char *find_place(void) {
  static char place[LONGEST_PLACE];
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject *where = PyObject_CallObject(placer, NULL);
  const char *text = where ? PyUnicode_AsUTF8AndSize(where, NULL) : NULL;
  PyOS_snprintf(place, sizeof place, "%s", text ? text : "");
  PyErr_Clear();
  Py_XDECREF(where);
  PyErr_Restore(type, value, trace);
  PyGILState_Release(state);
  return place;
}

static bool is_interrupted(void) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool is = PyErr_Occurred() || PyErr_CheckSignals();
  if (is) has_trouble = true;
  PyGILState_Release(state);
  return is;
}

static void wait_without_lock(bool begins) {
  static _Thread_local PyThreadState *waiting;
  if (begins)
    waiting = PyEval_SaveThread();
  else
    PyEval_RestoreThread(waiting);
}

/* Calls. */

PyObject *failed(PyObject *result) {
  const int code = end_code;
  end_code = NO_END;
  has_trouble = false;
  if (!result || PyErr_Occurred()) {
    Py_XDECREF(result);
    return NULL;
  }
  if (code == NO_END) return result;
  Py_DECREF(result);
  PyObject *number = PyLong_FromLong(code);
  PyErr_SetObject(PyExc_SystemExit, number);
  Py_XDECREF(number);
  return NULL;
}

/* init(): connect to the simulator, unless connected. */
static PyObject *init(PyObject *self, PyObject *nothing) {
  (void)self;
  (void)nothing;
  if (!current_life) {
    begin_turn();
    wb_robot_init();
    if (robot_is_there()) begin_life(false);
    end_turn();
  }
  return has_trouble ? failed(none()) : none();
}

/* cleanup(robot): disconnect it, if connected; a forked process leaves the connection to its parent. */
static PyObject *cleanup(PyObject *self, PyObject *robot) {
  (void)self;
  Life *life = ((Object *)robot)->life;
  if (!life || !life->robot) return none();
  if (!begin_call(robot, true)) return NULL;
  if (life->robot->owner == system_process()) wb_robot_cleanup();
  end_life();
  end_turn();
  return has_trouble ? failed(none()) : none();
}

/* use(writer, placer, no_robot): functions that write a line and tell the line of the program, and an
 * exception. */
static PyObject *use(PyObject *self, PyObject *args) {
  (void)self;
  if (!PyArg_ParseTuple(args, "OOO", &writer, &placer, &no_robot)) return NULL;
  Py_INCREF(writer);
  Py_INCREF(placer);
  Py_INCREF(no_robot);
  report_host = (Host){keep_end, write_line, is_interrupted, find_place, wait_without_lock};
  return none();
}

static PyMethodDef functions[] = {
    {"init", init, METH_NOARGS, NULL},          {"allow_steps", allow_steps, METH_VARARGS, NULL},
    {"attach", attach, METH_VARARGS, NULL},     {"cleanup", cleanup, METH_O, NULL},
    {"use", use, METH_VARARGS, NULL},           {"use_mapper", use_mapper, METH_O, NULL},
    {"use_classes", use_classes, METH_O, NULL}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "wbridge.hal.client._native", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) {
  PyObject *module = PyModule_Create(&definition);
  if (!turn) turn = PyThread_allocate_lock();
  if (module && turn && binding_add_types(module)) return module;
  Py_XDECREF(module);
  return NULL;
}

/* Steps. */

/* The duration: a number, or the basic time step. */
static bool read_duration(const char *method, PyObject *const *args, Py_ssize_t count, PyObject *names,
                          int *duration) {
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (count + named > 1 ||
      (named && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "time_step") &&
       PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "duration"))) {
    PyErr_Format(PyExc_TypeError, "%s() takes one argument, time_step", method);
    return false;
  }
  if (count + named && args[0] != Py_None) return read_int(args[0], duration);
  *duration = (int)wb_robot_get_basic_time_step();
  return true;
}

static PyObject *step_by(PARAMETERS, const char *method, int (*function)(int)) {
  int duration = 0;
  if (!begin_call(self, false) || !read_duration(method, args, count, names, &duration)) return NULL;
  begin_turn();
  const int delay = function(duration);
  end_turn();
  return has_trouble ? failed(PyLong_FromLong(delay)) : PyLong_FromLong(delay);
}

PyObject *robot_step(PARAMETERS) { return step_by(self, args, count, names, "step", wb_robot_step); }

PyObject *robot_step_begin(PARAMETERS) {
  return step_by(self, args, count, names, "stepBegin", wb_robot_step_begin);
}

PyObject *robot_step_end(PyObject *self, PyObject *nothing) {
  (void)nothing;
  return begin_call(self, true) ? end_call(PyLong_FromLong(wb_robot_step_end()), true) : NULL;
}
