/* A PROTO layer of a node, as the supervisor functions access it. */
#include <stdlib.h>

#include "../generated/messages.h"
#include "scene.h"

#define PROTO 78

Proto *find_proto(Node *node, int layer, const char *function) {
  Scene *scene = node->scene;
  if (scene->robot->dialect != R2025A) {
    report_warning(function, true, MESSAGE_NEEDS_NEWER_SIMULATOR,
                   scene->robot->dialect == R2023A ? "R2023a" : "R2023b");
    return NULL;
  }
  Buffer *out = node_begin(node, function, PROTO);
  if (!out) return NULL;
  put_i32(out, layer);
  if (!scene_ask(scene, PROTO) || scene->replies.proto_layer < 0) return NULL;
  Proto *made = node->protos;
  while (made && made->layer != scene->replies.proto_layer) made = made->next;
  if (!made) {
    made = allocate(sizeof *made);
    made->next = node->protos;
    node->protos = made;
  }
  made->node = node;
  made->layer = scene->replies.proto_layer;
  made->derived = scene->replies.flag;
  made->parameters = scene->replies.number;
  keep_text(&made->name, scene->replies.text);
  return made;
}

/* False, with an error message, for an invalid reference. */
static bool is_here(const Proto *proto, const char *function) {
  if (proto && robot_is_there()) return true;
  if (proto)
    report_error(function, MESSAGE_AFTER_CLEANUP);
  else
    report_error(function, MESSAGE_MISSING_OBJECT, "PROTO");
  return false;
}

const char *wb_supervisor_proto_get_type_name(WbProtoRef proto) {
  return is_here(proto, __func__) ? proto->name : "";
}

bool wb_supervisor_proto_is_derived(WbProtoRef proto) {
  return is_here(proto, __func__) ? proto->derived : false;
}

WbProtoRef wb_supervisor_proto_get_parent(WbProtoRef proto) {
  return is_here(proto, __func__) ? find_proto(proto->node, proto->layer, __func__) : NULL;
}

int wb_supervisor_proto_get_number_of_fields(WbProtoRef proto) {
  return is_here(proto, __func__) ? proto->parameters : -1;
}

WbFieldRef wb_supervisor_proto_get_field(WbProtoRef proto, const char *field_name) {
  if (!is_here(proto, __func__) || !is_name(__func__, "field_name", field_name)) return NULL;
  return find_field(proto->node, __func__, proto->layer, field_name, -1, false);
}

WbFieldRef wb_supervisor_proto_get_field_by_index(WbProtoRef proto, int index) {
  return is_here(proto, __func__) ? find_field(proto->node, __func__, proto->layer, NULL, index, false)
                                  : NULL;
}
