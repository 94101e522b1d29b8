/* Fields of nodes: lookup, properties, and operations other than reading and writing values. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"
#include "scene.h"

#define LARGEST_NODES (64 << 20)

enum { REMOVE = 63, BY_INDEX = 64, BY_NAME = 87, INSERT = 89, TRACK = 101 };

static const char *const TYPES[] = {"Bool",     "Int32", "Float",  "Vec2f", "Vec3f",
                                    "Rotation", "Color", "String", "Node"};

const char *field_type_name(int type) {
  static char name[16];
  const int single = type & ~MF;
  if (single < WB_SF_BOOL || single > WB_SF_NODE) return "";
  snprintf(name, sizeof name, "%s%s", type & MF ? "MF" : "SF", TYPES[single - 1]);
  return name;
}

void field_free(Field *field) {
  free(field->name);
  free(field->value.text);
  free(field);
}

/* Finding. */

static Field *known_field(const Node *node, int layer, const char *name, int index, bool base) {
  for (Field *one = node->fields; one; one = one->next) {
    if (one->layer != layer || one->base != base) continue;
    if (name ? !strcmp(one->name, name) : one->asked_index == index) return one;
  }
  return NULL;
}

static Field *keep_field(Node *node, int layer, int asked_index, bool base) {
  const Replies *replies = &node->scene->replies;
  Field *made = allocate(sizeof *made);
  *made = (Field){.next = node->fields,
                  .node = node,
                  .layer = layer,
                  .index = replies->field_index,
                  .type = replies->field_type,
                  .count = replies->field_count,
                  .asked_index = asked_index,
                  .internal = replies->internal || base || layer >= 0,
                  .base = base,
                  .actual_node = replies->actual_node,
                  .actual_field = replies->actual_field,
                  .time = NAN};
  keep_text(&made->name, replies->text);
  node->fields = made;
  return made;
}

Field *find_field(Node *node, const char *function, int layer, const char *name, int index, bool base) {
  Scene *scene = node->scene;
  if (!name && index < 0) {
    report_error(function, MESSAGE_NEGATIVE_INDEX, index);
    return NULL;
  }
  Field *known = known_field(node, layer, name, index, base);
  if (known) return known;
  Buffer *out = node_begin(node, function, name ? BY_NAME : BY_INDEX);
  if (!out) return NULL;
  if (scene->robot->dialect == R2025A) put_i32(out, layer);
  if (name)
    put_text(out, name);
  else
    put_u32(out, (uint32_t)index);
  put_u8(out, base);
  if (!scene_ask(scene, BY_NAME) || scene->replies.field_index < 0) return NULL;
  return keep_field(node, layer, name ? -1 : index, base);
}

/* Checks. */

static bool is_here(const Field *field, const char *function) {
  if (field && robot_is_there()) return true;
  if (field)
    report_error(function, MESSAGE_AFTER_CLEANUP);
  else
    report_error(function, MESSAGE_MISSING_OBJECT, "field");
  return false;
}

bool field_is(const Field *field, int type, const char *function) {
  if (!is_here(field, function) || !node_is_here(field->node, function)) return false;
  if (field->type == type) return true;
  report_error(function, MESSAGE_FIELD_OF_OTHER_TYPE, field->name, field_type_name(field->type));
  return false;
}

bool field_may_write(const Field *field, const char *function) {
  if (field->internal) report_error(function, MESSAGE_READ_ONLY_FIELD, field->name);
  return !field->internal;
}

bool field_item(const Field *field, int *item, int count, const char *function) {
  if (-count <= *item && *item < count) {
    *item += *item < 0 ? count : 0;
    return true;
  }
  if (count)
    report_error(function, MESSAGE_ITEM_OUT_OF_RANGE, *item, field->name, -count, count - 1);
  else
    report_error(function, MESSAGE_ITEM_OF_EMPTY_LIST, *item, field->name);
  return false;
}

/* Properties. A field of a removed node has no type. */

static bool is_alive(const Field *field, const char *function) {
  if (!is_here(field, function)) return false;
  if (!field->node->exists) report_error(function, MESSAGE_FIELD_OF_REMOVED_NODE, field->name);
  return field->node->exists;
}

const char *wb_supervisor_field_get_name(WbFieldRef field) {
  return is_here(field, __func__) ? field->name : "";
}

WbFieldType wb_supervisor_field_get_type(WbFieldRef field) {
  return is_alive(field, __func__) ? (WbFieldType)field->type : WB_NO_FIELD;
}

const char *wb_supervisor_field_get_type_name(WbFieldRef field) {
  return is_alive(field, __func__) ? field_type_name(field->type) : "";
}

int wb_supervisor_field_get_count(WbFieldRef field) {
  return is_alive(field, __func__) && field->type & MF ? field->count : -1;
}

WbFieldRef wb_supervisor_field_get_actual_field(WbFieldRef field) {
  if (!is_here(field, __func__) || !field->internal) return field;
  Scene *scene = field->node->scene;
  Node *node = field->actual_node >= 0 ? scene_from_id(scene, field->actual_node, __func__) : NULL;
  return node ? wb_supervisor_node_get_field_by_index(node, field->actual_field) : NULL;
}

/* Removing. */

static void remove_item(Field *field, int item, const char *function) {
  Scene *scene = field->node->scene;
  if (scene->robot->supervisor && !scene->robot->stepping) scene_send_sets(scene->robot);
  Buffer *out = node_begin(field->node, function, REMOVE);
  if (!out) return;
  put_u32(out, (uint32_t)field->index);
  put_i32(out, item);
  scene_forget_field(field);
  scene_command(scene);
}

void wb_supervisor_field_remove_mf(WbFieldRef field, int index) {
  if (!is_here(field, __func__) || !node_is_here(field->node, __func__)) return;
  if (!(field->type & MF))
    report_error(__func__, MESSAGE_FIELD_IS_NO_LIST, field->name);
  else if (field_may_write(field, __func__) && field_item(field, &index, field->count, __func__))
    remove_item(field, index, __func__);
}

void wb_supervisor_field_remove_sf(WbFieldRef field) {
  if (field_is(field, WB_SF_NODE, __func__) && field_may_write(field, __func__))
    remove_item(field, SINGLE, __func__);
}

/* Nodes in world file syntax. */

void wb_supervisor_field_import_mf_node_from_string(WbFieldRef field, int position, const char *node_string) {
  field_insert(field, WB_MF_NODE, position, NULL, node_string, __func__);
}

void wb_supervisor_field_import_sf_node_from_string(WbFieldRef field, const char *node_string) {
  field_insert(field, WB_SF_NODE, SINGLE, NULL, node_string, __func__);
}

void wb_supervisor_field_import_mf_node(WbFieldRef field, int position, const char *filename) {
  if (!is_here(field, __func__) || is_null(__func__, "filename", filename)) return;
  FILE *file = fopen(filename, "rb");
  if (!file) {
    report_error(__func__, "could not read the file: [Errno %d] %s: '%s'.", errno, strerror(errno), filename);
    return;
  }
  Buffer text = {0};
  put_file(&text, file, LARGEST_NODES + 1);
  fclose(file);
  put_u8(&text, 0);
  if (text.size > LARGEST_NODES + 1)
    report_error(__func__, "could not read the file: " MESSAGE_LARGE_FILE ".", filename, LARGEST_NODES);
  else
    field_insert(field, WB_MF_NODE, position, NULL, (const char *)text.data, __func__);
  buffer_free(&text);
}

/* Tracking. */

static void track(Field *field, int period, const char *function) {
  Buffer *out = node_begin(field->node, function, TRACK);
  if (!out) return;
  put_i32(out, field->index);
  put_u8(out, field->base);
  put_u8(out, period > 0);
  if (period > 0) put_i32(out, period);
  scene_command(field->node->scene);
}

void wb_supervisor_field_enable_sf_tracking(WbFieldRef field, int sampling_period) {
  if (!is_here(field, __func__)) return;
  if (sampling_period <= 0)
    report_error(__func__, MESSAGE_INVALID_FIELD_PERIOD, sampling_period);
  else if (field->type & MF)
    report_error(__func__, MESSAGE_FIELD_IS_A_LIST, field->name);
  else
    track(field, sampling_period, __func__);
}

void wb_supervisor_field_disable_sf_tracking(WbFieldRef field) {
  if (is_here(field, __func__)) track(field, 0, __func__);
}
