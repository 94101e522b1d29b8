/* Operations on nodes: forces, states, removal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../generated/messages.h"
#include "scene.h"

enum { VELOCITY = 66, RESET_PHYSICS, RESTART, VISIBILITY, VIEWPOINT };
enum { FORCE = 71, FORCE_AT, TORQUE, SAVE, LOAD, JOINT };
#define REMOVE 97

/* True, after reporting an error, if a number is not finite. */
static bool is_vector(const double *values, int count, const char *function) {
  char list[256] = "";
  bool fine = true;
  for (int i = 0; i < count; ++i) {
    fine = fine && isfinite(values[i]);
    snprintf(list + strlen(list), sizeof list - strlen(list), i ? ", %s" : "%s", number_text(values[i]));
  }
  if (!fine) report_error(function, MESSAGE_NO_FINITE_NUMBERS, list, count);
  return fine;
}

void wb_supervisor_node_set_velocity(WbNodeRef node, const double velocity[6]) {
  if (!node_is_here(node, __func__) || is_null(__func__, "velocity", velocity)) return;
  Buffer *out = is_vector(velocity, 6, __func__) ? node_begin(node, __func__, VELOCITY) : NULL;
  if (!out) return;
  put_f64s(out, velocity, 6);
  scene_command(node->scene);
}

static void push(Node *node, int code, const double *values, const double *place, bool relative,
                 const char *function) {
  if (!node_is_here(node, function) || is_null(function, code == TORQUE ? "torque" : "force", values) ||
      (code == FORCE_AT && is_null(function, "offset", place)))
    return;
  if (!is_vector(values, 3, function) || (code == FORCE_AT && !is_vector(place, 3, function))) return;
  Buffer *out = node_begin(node, function, code);
  if (!out) return;
  put_f64s(out, values, 3);
  if (code == FORCE_AT) put_f64s(out, place, 3);
  put_u8(out, relative);
  scene_command(node->scene);
}

void wb_supervisor_node_add_force(WbNodeRef node, const double force[3], bool relative) {
  push(node, FORCE, force, NULL, relative, __func__);
}

void wb_supervisor_node_add_force_with_offset(WbNodeRef node, const double force[3], const double offset[3],
                                              bool relative) {
  push(node, FORCE_AT, force, offset, relative, __func__);
}

void wb_supervisor_node_add_torque(WbNodeRef node, const double torque[3], bool relative) {
  push(node, TORQUE, torque, NULL, relative, __func__);
}

void wb_supervisor_node_reset_physics(WbNodeRef node) { node_command(node, __func__, RESET_PHYSICS); }

void wb_supervisor_node_restart_controller(WbNodeRef node) { node_command(node, __func__, RESTART); }

void wb_supervisor_node_move_viewpoint(WbNodeRef node) { node_command(node, __func__, VIEWPOINT); }

void wb_supervisor_node_set_visibility(WbNodeRef node, WbNodeRef from, bool visible) {
  Buffer *out = node_is_here(from, __func__) ? node_begin(node, __func__, VISIBILITY) : NULL;
  if (!out) return;
  put_u32(out, from->id);
  put_u8(out, visible);
  scene_command(node->scene);
}

void wb_supervisor_node_set_joint_position(WbNodeRef node, double position, int index) {
  if (index < 1 || index > 3 || !is_vector(&position, 1, __func__)) {
    report_error(__func__, MESSAGE_INVALID_JOINT_INDEX, index);
    return;
  }
  Buffer *out = node_begin(node, __func__, JOINT);
  if (!out) return;
  put_f64(out, position);
  put_u32(out, (uint32_t)index);
  scene_command(node->scene);
}

static void command_state(Node *node, int code, const char *state_name, const char *function) {
  if (!node_is_here(node, function) || is_null(function, "state_name", state_name)) return;
  Buffer *out = node_begin(node, function, code);
  if (!out) return;
  put_text(out, state_name);
  scene_command(node->scene);
}

void wb_supervisor_node_save_state(WbNodeRef node, const char *state_name) {
  command_state(node, SAVE, state_name, __func__);
}

void wb_supervisor_node_load_state(WbNodeRef node, const char *state_name) {
  command_state(node, LOAD, state_name, __func__);
}

void wb_supervisor_node_remove(WbNodeRef node) {
  if (!node_is_here(node, __func__)) return;
  if (node->scene->robot->supervisor && !node->scene->robot->stepping) scene_send_sets(node->scene->robot);
  node_command(node, __func__, REMOVE);
}
