/* The scene: requests, creation and deletion. See scene.h. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"

#define SET 62

Scene *scene_of(Robot *robot) {
  if (!robot->scene) {
    robot->scene = allocate(sizeof *robot->scene);
    robot->scene->robot = robot;
  }
  return robot->scene;
}

Buffer *scene_begin(Scene *scene, const char *function, int code) {
  if (!scene->robot->supervisor) {
    report_error(function, MESSAGE_NOT_A_SUPERVISOR);
    return NULL;
  }
  return robot_may_ask(scene->robot, function) ? robot_queue(scene->robot, code) : NULL;
}

bool scene_ask(Scene *scene, int reply) {
  scene->replies.there[reply] = false;
  robot_exchange(scene->robot);
  return scene->replies.there[reply];
}

void scene_command(Scene *scene) { robot_exchange(scene->robot); }

/* Sets. */

static void put_value(Buffer *out, const FieldSet *set) {
  const int type = set->field->type & ~MF;
  if (type == WB_SF_STRING)
    put_text(out, set->value.text);
  else if (type == WB_SF_BOOL)
    put_u8(out, set->value.numbers[0] != 0);
  else if (type == WB_SF_INT32)
    put_i32(out, (int32_t)set->value.numbers[0]);
  else
    put_f64s(out, set->value.numbers, value_width(type));
}

static void set_free(FieldSet *set) {
  free(set->value.text);
  free(set);
}

/* Ask for the value of a field again, which a command changes. */
void scene_forget_field(Field *field) {
  for (Field *same = field->node->fields; same; same = same->next)
    same->time = same->index == field->index ? NAN : same->time;
}

void scene_send_sets(Robot *robot) {
  Scene *scene = robot->scene;
  while (scene && scene->sets) {
    FieldSet *set = scene->sets;
    Field *field = set->field;
    Buffer *out = robot_queue(robot, SET);
    put_u32(out, field->node->id);
    put_u32(out, (uint32_t)field->index);
    put_u32(out, (uint32_t)field->type);
    put_i32(out, set->item);
    put_value(out, set);
    scene_forget_field(field);
    scene->sets = set->next;
    set_free(set);
  }
}

/* The end. */

static void forget_definitions(Scene *scene, int id, bool all) {
  Definition **place = &scene->definitions;
  while (*place) {
    Definition *one = *place;
    if (!all && one->node != id) {
      place = &one->next;
      continue;
    }
    *place = one->next;
    free(one->name);
    free(one);
  }
}

static void forget_sets(Scene *scene, const Node *node) {
  FieldSet **place = &scene->sets;
  while (*place) {
    FieldSet *one = *place;
    if (node && one->field->node != node) {
      place = &one->next;
      continue;
    }
    *place = one->next;
    set_free(one);
  }
}

void scene_remove(Scene *scene, Node *node) {
  Node **place = &scene->nodes[node->id % BUCKETS];
  while (*place != node) place = &(*place)->next;
  *place = node->next;
  node->next = scene->gone;
  node->exists = false;
  scene->gone = node;
  forget_definitions(scene, (int)node->id, false);
  forget_sets(scene, node);
}

void scene_forget(Robot *robot) {
  Scene *scene = robot->scene;
  for (int i = 0; scene && i < BUCKETS; ++i) {
    while (scene->nodes[i]) scene_remove(scene, scene->nodes[i]);
  }
}

void scene_end(Robot *robot) {
  Scene *scene = robot->scene;
  if (!scene) return;
  scene_forget(robot);
  forget_definitions(scene, 0, true);
  forget_sets(scene, NULL);
  while (scene->gone) {
    Node *next = scene->gone->next;
    node_free(scene->gone);
    scene->gone = next;
  }
  free(scene->replies.text);
  free(scene->replies.value.text);
  free(scene);
  robot->scene = NULL;
}
