/* Packets, messages and drawings: methods that take bytes or lists. */
#include <stdlib.h>
#include <string.h>
#include <webots/display.h>
#include <webots/emitter.h>
#include <webots/microphone.h>
#include <webots/plugins/robot_window/default.h>
#include <webots/receiver.h>

#include "../src/devices/display.h"
#include "../src/report.h"
#include "binding.h"
#include "by_hand.h"

/* The bytes of an object, or of a string with `ending` NUL characters; NULL, with an exception, if it has
 * none. */
static PyObject *bytes_of(PyObject *data, bool ending) {
  if (!PyUnicode_Check(data)) return PyBytes_FromObject(data);
  PyObject *bytes = PyUnicode_AsUTF8String(data);
  if (bytes && ending) PyBytes_ConcatAndDel(&bytes, PyBytes_FromStringAndSize("", 1));
  return bytes;
}

/* The size of a packet: an argument, or that of its bytes. */
static bool read_size(PyObject *size, PyObject *bytes, int *whole) {
  if (size && size != Py_None) return read_int(size, whole);
  *whole = (int)PyBytes_Size(bytes);
  return true;
}

static int send_bytes(PyObject *self, PyObject *bytes, int size) {
  const int there = (int)PyBytes_Size(bytes);
  return wb_emitter_send(TAG, PyBytes_AsString(bytes), size > there ? 0 : size);
}

static PyObject *send_packet(PyObject *self, PyObject *data, PyObject *size) {
  if (data == Py_None) return PyLong_FromLong(wb_emitter_send(TAG, NULL, 0));
  PyObject *bytes = bytes_of(data, false);
  int whole = 0;
  PyObject *result = NULL;
  if (bytes && read_size(size, bytes, &whole)) result = PyLong_FromLong(send_bytes(self, bytes, whole));
  Py_XDECREF(bytes);
  return result;
}

WITH(emitter_send, send_packet(self, v[0].object, v[1].object), ANY("data"), ANY("size", OPTIONAL))

static PyObject *send_to_window(PyObject *data, PyObject *size) {
  if (data == Py_None) {
    wb_robot_wwi_send(NULL, 1);
    return none();
  }
  PyObject *bytes = bytes_of(data, true);
  int whole = 0;
  const bool fits = bytes && read_size(size, bytes, &whole);
  if (fits)
    wb_robot_wwi_send(PyBytes_AsString(bytes),
                      whole > PyBytes_Size(bytes) ? (int)PyBytes_Size(bytes) : whole);
  Py_XDECREF(bytes);
  return fits ? none() : NULL;
}

WITH(robot_wwi_send, send_to_window(v[0].object, v[1].object), ANY("data"), ANY("size", OPTIONAL))

static PyObject *message(void) {
  int size = 0;
  const char *data = wb_robot_wwi_receive(&size);
  return bytes_or_none(data, size);
}

WITHOUT(robot_wwi_receive, message())

static PyObject *packet(PyObject *self) {
  const void *data = wb_receiver_get_data(TAG);
  return data ? bytes_or_none(data, wb_receiver_get_data_size(TAG)) : none();
}

WITHOUT(receiver_data, packet(self))

static PyObject *samples(PyObject *self) {
  const void *data = wb_microphone_get_sample_data(TAG);
  return PyBytes_FromStringAndSize(data, data ? wb_microphone_get_sample_size(TAG) : 0);
}

WITHOUT(microphone_samples, samples(self))

/* Drawings. */

/* Whole numbers of a sequence; free the result. NULL, with an exception, if there are others. */
static int *whole_numbers(PyObject *sequence, Py_ssize_t *size) {
  *size = PySequence_Size(sequence);
  int *numbers = *size < 0 ? NULL : malloc(sizeof *numbers * (size_t)(*size + 1));
  for (Py_ssize_t i = 0; numbers && i < *size; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    if (!item || !read_int(item, &numbers[i])) {
      free(numbers);
      numbers = NULL;
    }
    Py_XDECREF(item);
  }
  return numbers;
}

typedef void (*Polygon)(WbDeviceTag tag, const int *x, const int *y, int size);

static PyObject *polygon(PyObject *self, const Argument *v, Polygon draw) {
  Py_ssize_t width = 0, height = 0;
  int size = 0;
  if (v[0].object == Py_None || v[1].object == Py_None) {
    const int zero = 0;
    draw(TAG, v[0].object == Py_None ? NULL : &zero, v[1].object == Py_None ? NULL : &zero, 1);
    return none();
  }
  int *x = whole_numbers(v[0].object, &width);
  int *y = x ? whole_numbers(v[1].object, &height) : NULL;
  size = (int)(width < height ? width : height);
  const bool has_size = y && v[2].object && v[2].object != Py_None;
  int wanted = size;
  const bool fits = y && (!has_size || read_int(v[2].object, &wanted));
  if (fits) draw(TAG, x, y, wanted < size ? wanted : size);
  free(x);
  free(y);
  return fits ? none() : NULL;
}

WITH(display_draw_polygon, polygon(self, v, wb_display_draw_polygon), ANY("x"), ANY("y"),
     ANY("size", OPTIONAL))
WITH(display_fill_polygon, polygon(self, v, wb_display_fill_polygon), ANY("x"), ANY("y"),
     ANY("size", OPTIONAL))

static PyObject *image_of_bytes(PyObject *self, int width, int height, PyObject *data, int format) {
  if (data == Py_None) return object_of(IMAGE, wb_display_image_new(TAG, width, height, NULL, format));
  PyObject *bytes = bytes_of(data, false);
  if (!bytes) return NULL;
  const Py_ssize_t size = PyBytes_Size(bytes);
  const double needed = (double)width * height * display_pixel_size(format);
  PyObject *image = NULL;
  if (width < 1 || height < 1 || (double)size >= needed) /* the library refuses a size below 1 */
    image = object_of(IMAGE, wb_display_image_new(TAG, width, height, PyBytes_AsString(bytes), format));
  else {
    report_error("wb_display_image_new", "called with %d bytes for %d x %d pixels; needed: %.0f.", (int)size,
                 width, height, needed);
    image = none();
  }
  Py_DECREF(bytes);
  return image;
}

WITH(display_image_new, image_of_bytes(self, v[0].whole, v[1].whole, v[2].object, v[3].whole), INT("width"),
     INT("height"), ANY("data"), INT("format"))
