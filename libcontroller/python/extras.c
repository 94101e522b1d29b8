/* What the classes in Python need beside the methods of the API: properties of nodes, and functions without
 * an object. */
#include <webots/console.h>
#include <webots/speaker.h>
#include <webots/utils/motion.h>
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

#include "../src/gateway.h"
#include "../src/supervisor/scene.h"
#include "binding.h"
#include "by_hand.h"

/* Properties, which are known of removed nodes, too. */
#define PROPERTY(name, type, result)                     \
  static PyObject *name(PyObject *self, void *closure) { \
    (void)closure;                                       \
    if (!begin_call(self, false)) return NULL;           \
    const type *one = REFERENCE;                         \
    return one ? end_call(result, false) : none();       \
  }
PROPERTY(node_id, struct WbNodeInternal, PyLong_FromUnsignedLong(one->id))
PROPERTY(node_def, struct WbNodeInternal, text(one->def_name ? one->def_name : ""))
PROPERTY(node_model, struct WbNodeInternal, text(one->model))
PROPERTY(field_type, struct WbFieldInternal, PyLong_FromLong(one->type))
PROPERTY(field_count, struct WbFieldInternal, PyLong_FromLong(one->count))
PROPERTY(field_name, struct WbFieldInternal, text(one->name))
PROPERTY(proto_name, struct WbProtoInternal, text(one->name))

PyGetSetDef node_properties[] = {{"id", node_id, NULL, NULL, NULL},
                                 {"def_name", node_def, NULL, NULL, NULL},
                                 {"model", node_model, NULL, NULL, NULL},
                                 {NULL, NULL, NULL, NULL, NULL}};
PyGetSetDef field_properties[] = {{"type", field_type, NULL, NULL, NULL},
                                  {"count", field_count, NULL, NULL, NULL},
                                  {"name", field_name, NULL, NULL, NULL},
                                  {NULL, NULL, NULL, NULL, NULL}};
PyGetSetDef proto_properties[] = {{"name", proto_name, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

/* Methods of the robot. */

static PyObject *report(const char *function, const char *message) {
  report_error(function, "%s", message);
  return none();
}

WITH(robot_report_error, report(v[0].text, v[1].text), TEXT("function"), TEXT("text"))
WITH(robot_console_print, NONE(wb_console_print(v[0].text, v[1].whole)), TEXT("text"), INT("stream"))
WITH(robot_open_motion, object_of(MOTION, wbu_motion_new(v[0].text)), TEXT("filename"))
WITH(robot_play_sound,
     NONE(wb_speaker_play_sound((WbDeviceTag)v[0].whole, (WbDeviceTag)v[1].whole, v[2].text, v[3].number,
                                v[4].number, v[5].number, v[6].whole)),
     INT("left"), INT("right"), TEXT("sound"), DOUBLE("volume"), DOUBLE("pitch"), DOUBLE("balance"),
     BOOL("loop"))

/* call_plugin(json): the answer of the remote-control plugin's custom function in JSON; None without one. */
PyObject *robot_call_plugin(PARAMETERS) {
  static const Parameter parameters[] = {TEXT("argument")};
  Argument v;
  if (!read_arguments("call_plugin", parameters, 1, args, count, names, &v) || !begin_call(self, true))
    return NULL;
  const Buffer *answer = gateway_call(robot_current(), v.text);
  return end_call(answer ? bytes_or_none(answer->data, (Py_ssize_t)answer->size) : none(), true);
}

/* A host sets the modes of robots that it begins (hal/client/remote.py). note_mode(mode): it has changed;
   what lasts is said again. */
WITH(robot_may_change_mode, PyBool_FromLong(robot_may_set_mode(robot_current(), v[0].whole)), INT("mode"))
WITH(robot_note_mode, NONE((robot_current()->mode = v[0].whole, robot_resend_lasting(robot_current()))),
     INT("mode"))

WITHOUT(robot_window_library, text(robot_current()->window_library))
WITHOUT(robot_begin_car, NONE(wbu_car_init()))
WITHOUT(robot_begin_driver, NONE(wbu_driver_init()))
WITHOUT(robot_is_car, PyBool_FromLong(wbu_driver_initialization_is_possible()))

/* Deleting: the object then stands for nothing. After the robot's end there is nothing to delete. */

PyObject *motion_delete(PyObject *self, PyObject *nothing) {
  (void)nothing;
  Life *life = ((Object *)self)->life;
  if (!life || !life->robot) return none();
  if (!begin_call(self, false)) return NULL;
  wbu_motion_delete(REFERENCE);
  REFERENCE = NULL;
  return end_call(none(), false);
}
