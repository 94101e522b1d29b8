/* Pictures and point clouds.

   Distances are views of the file that the simulator writes, like those of Python's mmap: they stay valid
   when the library has unmapped its own view. */
#include <stdint.h>
#include <webots/camera.h>
#include <webots/lidar.h>
#include <webots/range_finder.h>

#include "../src/devices/image_device.h"
#include "../src/platform/system.h"
#include "../src/robot.h"
#include "binding.h"
#include "by_hand.h"

#define PIXEL 4

static PyObject *mapper; /* mapper(key, serial, file, size): a view of a mapped file */

#ifdef __EMSCRIPTEN__
#define MOST_MEMORIES 64

static Py_buffer memories[MOST_MEMORIES]; /* what the library reads; free places have no object */

/* The memory that the simulator writes in the place of a file. */
static void *find_memory(int file, size_t size) {
  Py_buffer *place = memories;
  while (place < memories + MOST_MEMORIES && place->obj) ++place;
  if (place == memories + MOST_MEMORIES) return NULL;
  PyObject *files = PyImport_ImportModule("wbridge.hal.protocol.picture_files");
  PyObject *view = files ? PyObject_CallMethod(files, "readable", "in", file, (Py_ssize_t)size) : NULL;
  const bool is_found = view && !PyObject_GetBuffer(view, place, PyBUF_SIMPLE);
  Py_XDECREF(view);
  Py_XDECREF(files);
  if (!is_found) PyErr_Clear();
  return is_found ? place->buf : NULL;
}

static void leave_memory(void *memory) {
  for (Py_buffer *place = memories; place < memories + MOST_MEMORIES; ++place)
    if (place->obj && place->buf == memory) {
      PyBuffer_Release(place);
      return;
    }
}
#endif

PyObject *use_mapper(PyObject *self, PyObject *function) {
  (void)self;
#ifdef __EMSCRIPTEN__
  system_find_memory = find_memory;
  system_leave_memory = leave_memory;
#endif
  Py_INCREF(function);
  Py_XDECREF(mapper);
  mapper = function;
  return none();
}

static const Image *image_of(PyObject *self) {
  return &((const ImageDevice *)robot_current()->devices[TAG])->shared;
}

/* The bytes of the image from `start`; a copy if they are not in a file. */
static PyObject *view_of(const Image *image, const unsigned char *start, Py_ssize_t size) {
  if (!image->mapped || image->held) {
    PyObject *copy = PyBytes_FromStringAndSize((const char *)start, size);
    PyObject *view = copy ? PyMemoryView_FromObject(copy) : NULL;
    Py_XDECREF(copy);
    return view;
  }
  const Py_ssize_t at = start - image->content;
  PyObject *whole = PyObject_CallFunction(mapper, "NIin", PyLong_FromVoidPtr((void *)(uintptr_t)image),
                                          image->serial, image->file, (Py_ssize_t)image->size);
  PyObject *view = whole ? PySequence_GetSlice(whole, at, at + size) : NULL;
  Py_XDECREF(whole);
  return view;
}

/* `count` numbers as a view; None for NULL. */
static PyObject *floats(PyObject *self, const float *start, int count) {
  if (!start) return none();
  const Py_ssize_t size = (Py_ssize_t)sizeof(float) * count;
  PyObject *view = view_of(image_of(self), (const unsigned char *)start, size);
  PyObject *cast = view ? PyObject_CallMethod(view, "cast", "s", "f") : NULL;
  Py_XDECREF(view);
  return cast;
}

static PyObject *picture(PyObject *self, const unsigned char *start) {
  return bytes_or_none(start,
                       start ? (Py_ssize_t)PIXEL * wb_camera_get_width(TAG) * wb_camera_get_height(TAG) : 0);
}

WITHOUT(camera_image, picture(self, wb_camera_get_image(TAG)))
WITHOUT(camera_segmentation, picture(self, wb_camera_recognition_get_segmentation_image(TAG)))

static int pixels_of(PyObject *self) {
  return wb_range_finder_get_width(TAG) * wb_range_finder_get_height(TAG);
}

static PyObject *range_view(PyObject *self, const float *start) {
  return start ? floats(self, start, pixels_of(self)) : none();
}

WITHOUT(camera_range, range_view(self, wb_camera_get_range_image(TAG)))
WITHOUT(range_image, range_view(self, wb_range_finder_get_range_image(TAG)))

static PyObject *lidar_view(PyObject *self) {
  const float *start = wb_lidar_get_range_image(TAG);
  return start ? floats(self, start, wb_lidar_get_number_of_points(TAG)) : none();
}

WITHOUT(lidar_image, lidar_view(self))

static PyObject *layer_view(PyObject *self, int layer) {
  const float *start = wb_lidar_get_layer_range_image(TAG, layer);
  return start ? floats(self, start, wb_lidar_get_horizontal_resolution(TAG)) : none();
}

WITH(lidar_layer_image, layer_view(self, v[0].whole), INT("layer"))

/* Points, as tuples. */
static PyObject *point(const WbLidarPoint *one) {
  if (!one) return none();
  return Py_BuildValue("(dddid)", (double)one->x, (double)one->y, (double)one->z, one->layer_id,
                       (double)one->time);
}

static PyObject *points(const WbLidarPoint *first, int count) {
  PyObject *list = PyList_New(count);
  for (int i = 0; list && i < count; ++i) {
    PyObject *item = point(&first[i]);
    if (!item || PyList_SetItem(list, i, item)) Py_CLEAR(list);
  }
  return list;
}

static PyObject *all_points(PyObject *self) {
  const WbLidarPoint *first = wb_lidar_get_point_cloud(TAG);
  return first ? points(first, wb_lidar_get_number_of_points(TAG)) : none();
}

static PyObject *layer_points(PyObject *self, int layer) {
  const WbLidarPoint *first = wb_lidar_get_layer_point_cloud(TAG, layer);
  return first ? points(first, wb_lidar_get_horizontal_resolution(TAG)) : none();
}

WITHOUT(lidar_points, all_points(self))
WITH(lidar_layer_points, layer_points(self, v[0].whole), INT("layer"))

WITH(lidar_point, point(wb_lidar_get_point(TAG, v[0].whole)), INT("index"))

/* The bytes of as many points as a function says, which is asked only if there are points. */
static PyObject *point_bytes(PyObject *self, const WbLidarPoint *first, int count(WbDeviceTag tag)) {
  return first ? bytes_or_none(first, (Py_ssize_t)sizeof *first * count(TAG)) : none();
}

WITHOUT(lidar_get_point_buffer,
        point_bytes(self, wb_lidar_get_point_cloud(TAG), wb_lidar_get_number_of_points))
WITH(lidar_get_layer_buffer,
     point_bytes(self, wb_lidar_get_layer_point_cloud(TAG, v[0].whole), wb_lidar_get_horizontal_resolution),
     INT("layer"))
