/* Methods of the binding that are written by hand; the tables in generated/methods.c name them. */
#ifndef BY_HAND_H
#define BY_HAND_H

#include "binding.h"

#define WITHOUT(name, result)                         \
  PyObject *name(PyObject *self, PyObject *nothing) { \
    (void)nothing;                                    \
    if (!begin_call(self, false)) return NULL;        \
    return end_call(result, false);                   \
  }
#define WITH(name, result, ...)                                                        \
  PyObject *name(PARAMETERS) {                                                         \
    static const Parameter parameters[] = {__VA_ARGS__};                               \
    enum { COUNT = sizeof parameters / sizeof *parameters };                           \
    Argument v[COUNT];                                                                 \
    if (!read_arguments(#name, parameters, COUNT, args, count, names, v)) return NULL; \
    if (!begin_call(self, false)) return NULL;                                         \
    return end_call(result, false);                                                    \
  }

extern PyGetSetDef node_properties[], field_properties[], proto_properties[];

PyObject *robot_begin_car(PyObject *self, PyObject *nothing);
PyObject *robot_begin_driver(PyObject *self, PyObject *nothing);
PyObject *robot_call_plugin(PARAMETERS);
PyObject *robot_configuration(PyObject *self, PyObject *nothing);
PyObject *robot_console_print(PARAMETERS);
PyObject *robot_may_change_mode(PARAMETERS);
PyObject *robot_note_mode(PARAMETERS);
PyObject *robot_is_car(PyObject *self, PyObject *nothing);
PyObject *robot_open_motion(PARAMETERS);
PyObject *robot_play_sound(PARAMETERS);
PyObject *robot_report_error(PARAMETERS);
PyObject *robot_step(PARAMETERS);
PyObject *robot_step_begin(PARAMETERS);
PyObject *robot_step_end(PyObject *self, PyObject *nothing);
PyObject *robot_use_relay(PARAMETERS);
PyObject *robot_use_window(PARAMETERS);
PyObject *robot_window_library(PyObject *self, PyObject *nothing);
PyObject *robot_wwi_receive(PyObject *self, PyObject *nothing);
PyObject *robot_wwi_send(PARAMETERS);
PyObject *camera_image(PyObject *self, PyObject *nothing);
PyObject *camera_object(PARAMETERS);
PyObject *camera_objects(PyObject *self, PyObject *nothing);
PyObject *camera_range(PyObject *self, PyObject *nothing);
PyObject *camera_segmentation(PyObject *self, PyObject *nothing);
PyObject *display_draw_polygon(PARAMETERS);
PyObject *display_fill_polygon(PARAMETERS);
PyObject *display_image_new(PARAMETERS);
PyObject *emitter_send(PARAMETERS);
PyObject *lidar_image(PyObject *self, PyObject *nothing);
PyObject *lidar_get_layer_buffer(PARAMETERS);
PyObject *lidar_layer_image(PARAMETERS);
PyObject *lidar_layer_points(PARAMETERS);
PyObject *lidar_get_point_buffer(PyObject *self, PyObject *nothing);
PyObject *lidar_point(PARAMETERS);
PyObject *lidar_points(PyObject *self, PyObject *nothing);
PyObject *microphone_samples(PyObject *self, PyObject *nothing);
PyObject *motion_delete(PyObject *self, PyObject *nothing);
PyObject *mouse_state(PyObject *self, PyObject *nothing);
PyObject *node_contact_points(PARAMETERS);
PyObject *radar_target(PARAMETERS);
PyObject *radar_targets(PyObject *self, PyObject *nothing);
PyObject *radio_send(PARAMETERS);
PyObject *radio_set_callback(PARAMETERS);
PyObject *range_image(PyObject *self, PyObject *nothing);
PyObject *receiver_data(PyObject *self, PyObject *nothing);

#endif
