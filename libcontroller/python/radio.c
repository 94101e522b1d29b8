/* Radios: messages to send, and callbacks for received ones. */
#include <webots/radio.h>

#include "binding.h"
#include "by_hand.h"

static PyObject *callbacks; /* by tag */

static PyObject *send_message(PyObject *self, PyObject *message, double delay) {
  const char *body, *destination;
  Py_ssize_t size;
  if (message == Py_None) {
    wb_radio_send(TAG, NULL, delay);
    return none();
  }
  if (!PyTuple_Check(message)) {
    PyErr_Format(PyExc_TypeError, "'message' must be a RadioMessage, not %R", message);
    return NULL;
  }
  if (!PyArg_ParseTuple(message, "y#s;a RadioMessage has bytes and a destination", &body, &size,
                        &destination))
    return NULL;
  WbRadioMessage sent = wb_radio_message_new((int)size, body, destination);
  wb_radio_send(TAG, sent, delay);
  wb_radio_message_delete(sent);
  return none();
}

WITH(radio_send, send_message(self, v[0].object, v[1].number), ANY("message"), DOUBLE("delay", OPTIONAL))

/* An exception ends the API call in which the message has arrived. */
static void pass_on(const WbRadioEvent event) {
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *tag = PyLong_FromLong(wb_radio_event_get_radio(event));
  PyObject *callback = tag && !PyErr_Occurred() ? PyDict_GetItemWithError(callbacks, tag) : NULL;
  PyObject *done = NULL;
  if (callback)
    done = PyObject_CallFunction(callback, "Oy#sd", tag, wb_radio_event_get_data(event),
                                 (Py_ssize_t)wb_radio_event_get_data_size(event),
                                 wb_radio_event_get_emitter(event), wb_radio_event_get_rssi(event));
  if (!done) has_trouble = true;
  Py_XDECREF(done);
  Py_XDECREF(tag);
  PyGILState_Release(state);
}

static PyObject *keep_callback(PyObject *self, PyObject *callback) {
  PyObject *tag = PyLong_FromLong(TAG);
  if (!callbacks) callbacks = PyDict_New();
  const bool is_kept = tag && callbacks && !PyDict_SetItem(callbacks, tag, callback);
  Py_XDECREF(tag);
  if (!is_kept) return NULL;
  wb_radio_set_callback(TAG, callback == Py_None ? NULL : pass_on);
  return none();
}

WITH(radio_set_callback, keep_callback(self, v[0].object), ANY("callback"))
