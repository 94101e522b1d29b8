/* Lookup and properties of nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"
#include "scene.h"

enum { COUNT_FIELDS = 65, EXPORT = 77, BY_ID = 83, BY_DEF, BY_TAG, SELECTED };

Node *scene_find(const Scene *scene, uint32_t id) {
  Node *node = scene->nodes[id % BUCKETS];
  while (node && node->id != id) node = node->next;
  return node;
}

Node *scene_node(Scene *scene, uint32_t id, int type, int tag, int parent, bool is_proto, const char *model) {
  Node *node = scene_find(scene, id);
  if (node) return node;
  node = allocate(sizeof *node);
  *node = (Node){.next = scene->nodes[id % BUCKETS],
                 .scene = scene,
                 .id = id,
                 .type = type,
                 .tag = tag,
                 .parent = parent,
                 .is_proto = is_proto,
                 .exists = true,
                 .contacts = {{.time = NAN}, {.time = NAN}},
                 .tracked_contacts = -1};
  keep_text(&node->model, model);
  keep_text(&node->def_name, "");
  scene->nodes[id % BUCKETS] = node;
  return node;
}

static void fields_free(Field *field) {
  while (field) {
    Field *next = field->next;
    field_free(field);
    field = next;
  }
}

void node_free(Node *node) {
  fields_free(node->fields);
  fields_free(node->gone_fields);
  while (node->protos) {
    Proto *next = node->protos->next;
    free(node->protos->name);
    free(node->protos);
    node->protos = next;
  }
  while (node->poses) {
    NodePose *next = node->poses->next;
    free(node->poses);
    node->poses = next;
  }
  for (int i = 0; i < 2; ++i) free(node->contacts[i].points);
  free(node->model);
  free(node->def_name);
  free(node->text);
  free(node);
}

void node_report_missing(const Node *node, const char *function) {
  if (!node)
    report_error(function, MESSAGE_MISSING_OBJECT, "node");
  else
    report_error(function, robot_is_there() ? MESSAGE_REMOVED_NODE : MESSAGE_AFTER_CLEANUP);
}

Buffer *node_begin(const Node *node, const char *function, int code) {
  Buffer *out = node_is_here(node, function) ? scene_begin(node->scene, function, code) : NULL;
  if (out) put_u32(out, node->id);
  return out;
}

void node_command(const Node *node, const char *function, int code) {
  if (node_begin(node, function, code)) scene_command(node->scene);
}

bool node_ask(const Node *node, const char *function, int code) {
  return node_begin(node, function, code) && scene_ask(node->scene, code);
}

/* Finding. */

static bool may_know(const Robot *robot, const char *function) {
  if (!robot->supervisor) report_error(function, MESSAGE_NOT_A_SUPERVISOR);
  return robot->supervisor;
}

WbNodeRef wb_supervisor_node_get_root(void) {
  Robot *robot = robot_current();
  if (!may_know(robot, __func__)) return NULL;
  return scene_node(scene_of(robot), ROOT, WB_NODE_GROUP, NO_NODE, NO_NODE, false, "Group");
}

WbNodeRef wb_supervisor_node_get_self(void) {
  Robot *robot = robot_current();
  const Own *own = &robot->own;
  if (!may_know(robot, __func__) || !own->known) return NULL;
  Node *node =
      scene_node(scene_of(robot), own->id, WB_NODE_ROBOT, 0, (int)own->parent, own->is_proto, own->model);
  node->in_proto = own->in_proto;
  keep_text(&node->def_name, own->def_name);
  return node;
}

Node *scene_from_id(Scene *scene, int id, const char *function) {
  if (id == ROOT) return wb_supervisor_node_get_root();
  Node *known = scene_find(scene, (uint32_t)id);
  if (known) return known;
  Buffer *out = scene_begin(scene, function, BY_ID);
  if (!out) return NULL;
  put_i32(out, id);
  return scene_ask(scene, BY_ID) ? scene->replies.node : NULL;
}

WbNodeRef wb_supervisor_node_get_from_id(int id) {
  return scene_from_id(scene_of(robot_current()), id, __func__);
}

static Node *find_by_tag(const Scene *scene, int tag) {
  for (int i = 0; i < BUCKETS; ++i) {
    for (Node *node = scene->nodes[i]; node; node = node->next) {
      if (node->tag == tag) return node;
    }
  }
  return NULL;
}

WbNodeRef wb_supervisor_node_get_from_device(WbDeviceTag tag) {
  if (tag == 0) return wb_supervisor_node_get_self();
  Scene *scene = scene_of(robot_current());
  if (!device_find(tag, NULL, __func__)) return NULL;
  Node *known = find_by_tag(scene, tag);
  if (known) return known;
  Buffer *out = scene_begin(scene, __func__, BY_TAG);
  if (!out) return NULL;
  put_i32(out, tag);
  return scene_ask(scene, BY_TAG) ? scene->replies.node : NULL;
}

WbNodeRef wb_supervisor_node_get_selected(void) {
  Scene *scene = scene_of(robot_current());
  return scene_begin(scene, __func__, SELECTED) && scene_ask(scene, SELECTED) ? scene->replies.node : NULL;
}

static Node *find_defined(const Scene *scene, const char *def, int where) {
  for (const Definition *one = scene->definitions; one; one = one->next) {
    if (one->proto_node == where && !strcmp(one->name, def)) return scene_find(scene, (uint32_t)one->node);
  }
  return NULL;
}

static Node *ask_def(Scene *scene, const char *def, int where, const char *function) {
  Buffer *out = scene_begin(scene, function, BY_DEF);
  if (!out) return NULL;
  put_text(out, def);
  put_i32(out, where);
  Node *node = scene_ask(scene, BY_DEF) ? scene->replies.node : NULL;
  if (!node) return NULL;
  const char *dot = strrchr(def, '.');
  keep_text(&node->def_name, dot ? dot + 1 : def);
  node->in_proto = where != NO_NODE;
  Definition *made = allocate(sizeof *made);
  *made = (Definition){.next = scene->definitions, .proto_node = where, .node = (int)node->id};
  keep_text(&made->name, def);
  scene->definitions = made;
  return node;
}

static Node *from_def(Scene *scene, const char *def, int where, const char *function) {
  Node *known = find_defined(scene, def, where);
  return known ? known : ask_def(scene, def, where, function);
}

WbNodeRef wb_supervisor_node_get_from_def(const char *def) {
  if (!is_name(__func__, "def", def)) return NULL;
  return from_def(scene_of(robot_current()), def, NO_NODE, __func__);
}

WbNodeRef wb_supervisor_node_get_from_proto_def(WbNodeRef node, const char *def) {
  if (!node_is_here(node, __func__) || !is_name(__func__, "def", def)) return NULL;
  if (!node->is_proto) {
    report_error(__func__, MESSAGE_NOT_A_PROTO);
    return NULL;
  }
  return from_def(node->scene, def, (int)node->id, __func__);
}

/* Properties of removed nodes are unknown, as they are to robots that are not supervisors. */

static bool is_known(const Node *node, const char *function) {
  return node_is_here(node, function) && may_know(robot_current(), function);
}

int wb_supervisor_node_get_id(WbNodeRef node) {
  if (!is_known(node, __func__)) return -1;
  if (node->in_proto) report_error(__func__, MESSAGE_NODE_IN_PROTO);
  return node->in_proto ? -1 : (int)node->id;
}

WbNodeType wb_supervisor_node_get_type(WbNodeRef node) {
  return is_known(node, __func__) && node->type >= 0 ? (WbNodeType)node->type : WB_NODE_NO_NODE;
}

const char *wb_supervisor_node_get_type_name(WbNodeRef node) {
  return is_known(node, __func__) ? node->model : "";
}

const char *wb_supervisor_node_get_base_type_name(WbNodeRef node) {
  return is_known(node, __func__) ? node_type_name(node->type) : "";
}

const char *wb_supervisor_node_get_def(WbNodeRef node) {
  return is_known(node, __func__) ? node->def_name : "";
}

bool wb_supervisor_node_is_proto(WbNodeRef node) { return is_known(node, __func__) ? node->is_proto : false; }

WbNodeRef wb_supervisor_node_get_parent_node(WbNodeRef node) {
  if (!is_known(node, __func__) || node->parent < 0) return NULL;
  return scene_from_id(node->scene, node->parent, __func__);
}

WbProtoRef wb_supervisor_node_get_proto(WbNodeRef node) {
  return node_is_here(node, __func__) ? find_proto(node, -1, __func__) : NULL;
}

const char *wb_supervisor_node_export_string(WbNodeRef node) {
  if (!node_ask(node, __func__, EXPORT)) {
    const Robot *robot = robot_current();
    return node && (robot->quitting || robot->closed) ? "" : NULL;
  }
  keep_text(&node->text, node->scene->replies.text);
  return node->text;
}

/* Fields. */

bool is_name(const char *function, const char *what, const char *name) {
  if (is_null(function, what, name)) return false;
  if (!*name) report_error(function, MESSAGE_EMPTY_NAME);
  return *name;
}

/* False, with an error message, for a node that is not there or a name that is NULL or empty. */
static bool may_find(const Node *node, const char *field_name, const char *function) {
  return node_is_here(node, function) && is_name(function, "field_name", field_name);
}

WbFieldRef wb_supervisor_node_get_field(WbNodeRef node, const char *field_name) {
  return may_find(node, field_name, __func__) ? find_field(node, __func__, -1, field_name, -1, false) : NULL;
}

WbFieldRef wb_supervisor_node_get_field_by_index(WbNodeRef node, int index) {
  return node_is_here(node, __func__) ? find_field(node, __func__, -1, NULL, index, false) : NULL;
}

WbFieldRef wb_supervisor_node_get_base_node_field(WbNodeRef node, const char *field_name) {
  return may_find(node, field_name, __func__) ? find_field(node, __func__, -1, field_name, -1, true) : NULL;
}

WbFieldRef wb_supervisor_node_get_base_node_field_by_index(WbNodeRef node, int index) {
  return node_is_here(node, __func__) ? find_field(node, __func__, -1, NULL, index, true) : NULL;
}

static int count_fields(const Node *node, bool base, const char *function) {
  Buffer *out = node_begin(node, function, COUNT_FIELDS);
  if (!out) return -1;
  put_u8(out, base);
  return scene_ask(node->scene, COUNT_FIELDS) ? node->scene->replies.number : -1;
}

int wb_supervisor_node_get_number_of_fields(WbNodeRef node) { return count_fields(node, false, __func__); }

int wb_supervisor_node_get_number_of_base_node_fields(WbNodeRef node) {
  return count_fields(node, true, __func__);
}

/* Names before R2025a. */
