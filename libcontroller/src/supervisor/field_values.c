/* Values of a field: reading, setting with the next step, inserting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

enum { GET = 88, INSERT };

int value_width(int type) {
  static const int WIDTHS[] = {0, 1, 1, 1, 2, 3, 4, 3};
  const int single = type & ~MF;
  return 0 <= single && single < WB_SF_STRING ? WIDTHS[single] : 0;
}

static void copy_value(Value *to, const Value *from) {
  memcpy(to->numbers, from->numbers, sizeof to->numbers);
  to->node = from->node;
  if (from->text) keep_text(&to->text, from->text);
}

/* Reading. */

static Node *read_node(Scene *scene, Reader *in) {
  const uint32_t id = read_u32(in);
  if (id == 0) return NULL;
  const int type = node_type_from_wire(scene->robot->dialect, read_u32(in));
  const int tag = read_i32(in), parent = read_i32(in);
  const bool is_proto = read_bool(in);
  const char *model = read_text(in), *def_name = read_text(in);
  if (in->problem) return NULL;
  Node *node = scene_node(scene, id, type, tag, parent, is_proto, model);
  keep_text(&node->def_name, def_name);
  return node;
}

static void read_value(Scene *scene, Reader *in, int type, Value *value) {
  switch (type & ~MF) {
    case WB_SF_BOOL: value->numbers[0] = read_bool(in); break;
    case WB_SF_INT32: value->numbers[0] = read_i32(in); break;
    case WB_SF_STRING: read_kept_text(in, &value->text); break;
    case WB_SF_NODE: value->node = read_node(scene, in); break;
    default:
      if (!value_width(type) && !in->problem) in->problem = "a value has an unknown type";
      read_f64s(in, value->numbers, value_width(type));
  }
}

/* Store a requested or tracked value of a field. Type 0: the node was removed. */
void scene_take_value(Scene *scene, Reader *in) {
  Replies *replies = &scene->replies;
  replies->value_type = read_i32(in);
  if (replies->value_type == 0) return;
  Node *node = scene_find(scene, read_u32(in));
  const int layer = scene->robot->dialect == R2025A ? read_i32(in) : -1, index = read_i32(in);
  read_value(scene, in, replies->value_type, &replies->value);
  for (Field *field = node ? node->fields : NULL; field && !in->problem; field = field->next) {
    if (field->layer != layer || field->index != index || field->base || field->type & MF) continue;
    copy_value(&field->value, &replies->value);
    field->time = scene->robot->time;
  }
}

static const FieldSet *find_set(const Field *field, int item) {
  const FieldSet *set = field->node->scene->sets;
  while (set && (set->field->node != field->node || set->field->index != field->index || set->item != item))
    set = set->next;
  return set;
}

/* After the end of the simulation, fields keep the last value that was read; before the first, zeros. */
static const Value *last_value(const Field *field) {
  const Robot *robot = field->node->scene->robot;
  return robot->quitting || robot->closed ? &field->value : NULL;
}

static const Value *ask(Field *field, int item, const char *function) {
  Scene *scene = field->node->scene;
  Buffer *out = node_begin(field->node, function, GET);
  if (!out) return NULL;
  if (scene->robot->dialect == R2025A) put_i32(out, field->layer);
  put_u32(out, (uint32_t)field->index);
  put_u8(out, field->base);
  if (item != SINGLE) put_u32(out, (uint32_t)item);
  if (!scene_ask(scene, GET) || scene->replies.value_type != field->type) return last_value(field);
  copy_value(&field->value, &scene->replies.value);
  return &field->value;
}

/* Physics.centerOfMass is a list that is single in the manual of 8.3.1: functions for single values access
   its first element. */
static bool was_single(const Field *field, int type) {
  return field && type == WB_SF_VEC3F && field->type == WB_MF_VEC3F && !strcmp(field->name, "centerOfMass");
}

/* True if this step's value is known; a node may have been removed since. */
static bool is_fresh(const Field *field) {
  const Node *node = field->type == WB_SF_NODE ? field->value.node : NULL;
  return field->time == field->node->scene->robot->time && !(node && !node->exists);
}

const Value *field_get(Field *field, int type, int item, const char *function) {
  static const Value ZERO = {0};
  if (was_single(field, type)) return field->count ? field_get(field, WB_MF_VEC3F, 0, function) : &ZERO;
  if (!field_is(field, type, function)) return NULL;
  if (type & MF && !field_item(field, &item, field->count, function)) return NULL;
  const FieldSet *queued = field->internal ? NULL : find_set(field, item);
  if (queued) {
    copy_value(&field->value, &queued->value);
    field->time = NAN;
    return &field->value;
  }
  if (!(type & MF) && !field->base && is_fresh(field)) return &field->value;
  return ask(field, item, function);
}

/* Writing. */

static bool is_fine(const double *numbers, int type, const char *text, const char *function) {
  const int width = value_width(type);
  bool fine = width ? numbers != NULL : text != NULL;
  for (int i = 0; fine && i < width; ++i) fine = !isnan(numbers[i]);
  if (!fine)
    report_error(function,
                 width > 1 ? "called with NaN or NULL: expected %d numbers."
                           : "called with NaN or NULL: expected a value.%.0d",
                 width);
  return fine;
}

/* The queued set of an item, created at the end of the queue if necessary. */
static FieldSet *set_for(Field *field, int item) {
  FieldSet **place = &field->node->scene->sets;
  FieldSet *found = (FieldSet *)find_set(field, item);
  if (found) return found;
  while (*place) place = &(*place)->next;
  *place = allocate(sizeof **place);
  (*place)->field = field;
  (*place)->item = item;
  return *place;
}

void field_set(Field *field, int type, int item, const double *numbers, const char *text,
               const char *function) {
  if (was_single(field, type)) {
    if (field->count)
      field_set(field, WB_MF_VEC3F, 0, numbers, text, function);
    else
      field_insert(field, WB_MF_VEC3F, 0, numbers, text, function);
    return;
  }
  if (!field_is(field, type, function) || !field_may_write(field, function)) return;
  if ((type & MF && !field_item(field, &item, field->count, function)) ||
      !is_fine(numbers, type, text, function))
    return;
  FieldSet *set = set_for(field, item);
  if (text)
    keep_text(&set->value.text, text);
  else
    memcpy(set->value.numbers, numbers, sizeof(double) * (size_t)value_width(type));
}

void field_insert(Field *field, int type, int item, const double *numbers, const char *text,
                  const char *function) {
  if (!field_is(field, type, function) || !field_may_write(field, function)) return;
  if ((type & MF && !field_item(field, &item, field->count + 1, function)) ||
      !is_fine(numbers, type, text, function))
    return;
  Scene *scene = field->node->scene;
  if (scene->robot->supervisor && !scene->robot->stepping) scene_send_sets(scene->robot);
  Buffer *out = node_begin(field->node, function, INSERT);
  if (!out) return;
  put_u32(out, (uint32_t)field->index);
  put_i32(out, item);
  if (text)
    put_text(out, text);
  else if ((type & ~MF) == WB_SF_BOOL)
    put_u8(out, numbers[0] != 0);
  else if ((type & ~MF) == WB_SF_INT32)
    put_i32(out, (int32_t)numbers[0]);
  else
    put_f64s(out, numbers, value_width(type));
  scene_forget_field(field);
  scene_command(scene);
}

#include "../generated/field_values.h"
