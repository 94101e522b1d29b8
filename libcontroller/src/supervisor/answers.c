/* Answers of the simulator to a supervisor. */
#include <math.h>
#include <string.h>

#include "scene.h"

enum { BY_ID = 83, BY_DEF, BY_TAG, SELECTED };

typedef struct {
  unsigned code;
  void (*take)(Scene *scene, Reader *in);
} Answer;

static void take_flag(Scene *scene, Reader *in) { scene->replies.flag = read_bool(in); }

static void take_number(Scene *scene, Reader *in) { scene->replies.number = read_i32(in); }

static void take_movie_status(Scene *scene, Reader *in) { scene->movie_status = (int)read_u8(in); }

static void take_text(Scene *scene, Reader *in) { read_kept_text(in, &scene->replies.text); }

/* A node: identifier, type, tag, parent and whether it is a PROTO. The rest depends on the message. */
static Node *read_node(Scene *scene, Reader *in, bool with_place) {
  const uint32_t id = read_u32(in);
  const int type = node_type_from_wire(scene->robot->dialect, read_u32(in));
  const int tag = read_i32(in), parent = read_i32(in);
  const bool is_proto = read_bool(in), in_proto = with_place && read_bool(in);
  const char *model = read_text(in);
  if (in->problem || (!with_place && id == ROOT)) return NULL;
  Node *node = scene_node(scene, id, type, tag, parent, is_proto, model);
  node->in_proto = with_place ? in_proto : node->in_proto;
  return node;
}

static void take_node(Scene *scene, Reader *in) {
  scene->replies.node = read_node(scene, in, true);
  const char *def_name = read_text(in);
  if (scene->replies.node) keep_text(&scene->replies.node->def_name, def_name);
}

/* This message contains neither the DEF name nor whether the node is internal to a PROTO; id 0: not found.
 */
static void take_node_by_def(Scene *scene, Reader *in) { scene->replies.node = read_node(scene, in, false); }

static void take_field(Scene *scene, Reader *in) {
  Replies *replies = &scene->replies;
  replies->field_index = read_i32(in);
  replies->field_type = read_i32(in);
  replies->internal = read_bool(in);
  replies->field_count = read_i32(in);
  replies->actual_node = replies->actual_field = -1;
  if (scene->robot->dialect == R2025A) {
    replies->actual_node = read_i32(in);
    replies->actual_field = read_i32(in);
  }
  read_kept_text(in, &replies->text);
}

static void take_proto(Scene *scene, Reader *in) {
  scene->replies.proto_layer = read_i32(in);
  scene->replies.flag = read_bool(in);
  scene->replies.number = read_i32(in);
  read_kept_text(in, &scene->replies.text);
}

static void take_position(Scene *scene, Reader *in) { read_f64s(in, scene->replies.position, 3); }

static void take_orientation(Scene *scene, Reader *in) { read_f64s(in, scene->replies.orientation, 9); }

static void take_center_of_mass(Scene *scene, Reader *in) { read_f64s(in, scene->replies.center_of_mass, 3); }

static void take_velocity(Scene *scene, Reader *in) { read_f64s(in, scene->replies.velocity, 6); }

static void take_headset_position(Scene *scene, Reader *in) { read_f64s(in, scene->headset_position, 3); }

static void take_headset_orientation(Scene *scene, Reader *in) {
  read_f64s(in, scene->headset_orientation, 9);
}

/* Events. */

static void take_removed(Scene *scene, Reader *in) {
  Node *node = scene_find(scene, read_u32(in));
  if (node) scene_remove(scene, node);
}

static void forget_internal_fields(Node *node) {
  Field **place = &node->fields;
  while (*place) {
    Field *one = *place;
    if (!one->internal) {
      place = &one->next;
      continue;
    }
    *place = one->next;
    one->next = node->gone_fields;
    node->gone_fields = one;
  }
}

/* Remove everything internal to PROTOs from the cache, after a PROTO was regenerated. */
static void take_regenerated(Scene *scene, Reader *in) {
  (void)in;
  for (int i = 0; i < BUCKETS; ++i) {
    Node *next;
    for (Node *node = scene->nodes[i]; node; node = next) {
      next = node->next;
      if (node->in_proto)
        scene_remove(scene, node);
      else
        forget_internal_fields(node);
    }
  }
}

static void forget_values(Node *node) {
  for (Field *field = node->fields; field; field = field->next) field->time = NAN;
  for (NodePose *pose = node->poses; pose; pose = pose->next) pose->time = NAN;
  node->contacts[0].time = node->contacts[1].time = NAN;
}

void scene_forget_values(Robot *robot) {
  for (int i = 0; robot->scene && i < BUCKETS; ++i) {
    for (Node *node = robot->scene->nodes[i]; node; node = node->next) forget_values(node);
  }
}

static void take_reset(Scene *scene, Reader *in) {
  (void)in;
  scene_forget_values(scene->robot);
}

static void take_field_count(Scene *scene, Reader *in) {
  Node *node = scene_find(scene, read_u32(in));
  const char *name = read_text(in);
  const int count = read_i32(in);
  for (Field *field = node ? node->fields : NULL; field; field = field->next) {
    if (!strcmp(field->name, name)) field->count = count;
  }
}

static const Answer ANSWERS[] = {
    {16, take_flag},
    {17, take_flag},
    {18, take_movie_status},
    {19, take_regenerated},
    {20, take_field_count},
    {55, take_reset},
    {65, take_number},
    {77, take_text},
    {82, take_flag},
    {BY_ID, take_node},
    {BY_DEF, take_node_by_def},
    {BY_TAG, take_node},
    {SELECTED, take_node},
    {87, take_field},
    {88, scene_take_value},
    {89, take_number},
    {90, take_position},
    {91, take_orientation},
    {92, scene_take_pose},
    {93, take_center_of_mass},
    {94, scene_take_contacts},
    {95, take_flag},
    {96, take_velocity},
    {97, take_removed},
    {98, take_flag},
    {99, take_headset_position},
    {100, take_headset_orientation},
    {78, take_proto},
};

bool scene_take(Robot *robot, unsigned code, Reader *in) {
  for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; ++i) {
    if (ANSWERS[i].code != code || (code == 78 && robot->dialect != R2025A)) continue;
    Scene *scene = scene_of(robot);
    ANSWERS[i].take(scene, in);
    scene->replies.there[code] = !in->problem;
    return true;
  }
  return false;
}
