/* Lists of structures, as tuples: what cameras recognize, radar targets, contact points, and the mouse. */
#include <webots/camera.h>
#include <webots/mouse.h>
#include <webots/radar.h>
#include <webots/supervisor.h>

#include "binding.h"
#include "by_hand.h"

/* Append an item to a list, or drop the list on failure. */
static PyObject *with_item(PyObject *list, PyObject *item) {
  if (list && (!item || PyList_Append(list, item))) Py_CLEAR(list);
  Py_XDECREF(item);
  return list;
}

static PyObject *recognized(const WbCameraRecognitionObject *one) {
  return Py_BuildValue("(i(ddd)(dddd)(dd)(ii)(ii)NN)", one->id, one->position[0], one->position[1],
                       one->position[2], one->orientation[0], one->orientation[1], one->orientation[2],
                       one->orientation[3], one->size[0], one->size[1], one->position_on_image[0],
                       one->position_on_image[1], one->size_on_image[0], one->size_on_image[1],
                       numbers(one->colors, 3 * one->number_of_colors), text(one->model));
}

static PyObject *objects(PyObject *self) {
  const WbCameraRecognitionObject *first = wb_camera_recognition_get_objects(TAG);
  const int count = first ? wb_camera_recognition_get_number_of_objects(TAG) : 0;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < count; ++i) list = with_item(list, recognized(&first[i]));
  return list;
}

WITHOUT(camera_objects, objects(self))

static PyObject *object_at(PyObject *self, int index) {
  const WbCameraRecognitionObject *one = wb_camera_recognition_get_object(TAG, index);
  return one ? recognized(one) : none();
}

WITH(camera_object, object_at(self, v[0].whole), INT("index"))

static PyObject *target(const WbRadarTarget *one) {
  return one ? Py_BuildValue("(dddd)", one->distance, one->received_power, one->speed, one->azimuth) : none();
}

static PyObject *targets(PyObject *self) {
  const WbRadarTarget *first = wb_radar_get_targets(TAG);
  const int count = first ? wb_radar_get_number_of_targets(TAG) : 0;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < count; ++i) list = with_item(list, target(&first[i]));
  return list;
}

WITHOUT(radar_targets, targets(self))
WITH(radar_target, target(wb_radar_get_target(TAG, v[0].whole)), INT("index"))

static PyObject *state_of_mouse(void) {
  const WbMouseState state = wb_mouse_get_state();
  return Py_BuildValue("(dddddNNN)", state.u, state.v, state.x, state.y, state.z, PyBool_FromLong(state.left),
                       PyBool_FromLong(state.middle), PyBool_FromLong(state.right));
}

WITHOUT(mouse_state, state_of_mouse())

static PyObject *contacts(PyObject *self, bool include_descendants) {
  int count = 0;
  const WbContactPoint *first = wb_supervisor_node_get_contact_points(REFERENCE, include_descendants, &count);
  PyObject *list = PyList_New(0);
  for (int i = 0; list && first && i < count; ++i) {
    const double *point = first[i].point;
    list = with_item(list, Py_BuildValue("((ddd)i)", point[0], point[1], point[2], first[i].node_id));
  }
  return list;
}

static PyObject *contacts_in_turn(PyObject *self, bool include_descendants) {
  begin_turn();
  PyObject *list = contacts(self, include_descendants);
  end_turn();
  return list;
}

WITH(node_contact_points, contacts_in_turn(self, v[0].whole), BOOL("include_descendants", OPTIONAL))
