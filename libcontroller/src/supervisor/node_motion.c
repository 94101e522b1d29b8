/* Poses, velocities and contacts of nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"
#include "scene.h"

enum { POSITION = 90, ORIENTATION, POSE, CENTER_OF_MASS, CONTACTS, BALANCE, GET_VELOCITY };
enum { TRACK_POSE = 102, TRACK_CONTACTS };
#define WORLD 0
#define LEAST_CONTACT 28

/* Poses. */

static NodePose *pose_from(Node *node, uint32_t from) {
  NodePose *pose = node->poses;
  while (pose && pose->from != from) pose = pose->next;
  if (!pose) {
    pose = allocate(sizeof *pose);
    *pose = (NodePose){.next = node->poses, .from = from, .time = NAN};
    node->poses = pose;
  }
  return pose;
}

void scene_take_pose(Scene *scene, Reader *in) {
  double matrix[16];
  const uint32_t from = read_u32(in);
  Node *node = scene_find(scene, read_u32(in));
  read_f64s(in, matrix, 16);
  if (!node || in->problem) return;
  NodePose *pose = pose_from(node, from);
  memcpy(pose->matrix, matrix, sizeof matrix);
  pose->time = scene->robot->time;
}

/* The tracked pose in world coordinates, if it is up to date. */
static const NodePose *fresh_pose(Node *node) {
  for (const NodePose *pose = node->poses; pose; pose = pose->next) {
    if (pose->from == WORLD && pose->tracked && pose->time == node->scene->robot->time) return pose;
  }
  return NULL;
}

/* The values of a node that does not exist or has none. */
static const double NOWHERE[16] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                   NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

/* The requested numbers, or NaN. */
static const double *answer(bool there, const double *from, double *to, int count) {
  for (int i = 0; i < count; ++i) to[i] = there ? from[i] : NAN;
  return to;
}

const double *wb_supervisor_node_get_position(WbNodeRef node) {
  if (!node_is_here(node, __func__)) return NOWHERE;
  const NodePose *pose = fresh_pose(node);
  for (int i = 0; pose && i < 3; ++i) node->position[i] = pose->matrix[4 * i + 3];
  if (pose) return node->position;
  const bool there = node_ask(node, __func__, POSITION);
  return answer(there, node->scene->replies.position, node->position, 3);
}

const double *wb_supervisor_node_get_orientation(WbNodeRef node) {
  if (!node_is_here(node, __func__)) return NOWHERE;
  const NodePose *pose = fresh_pose(node);
  for (int i = 0; pose && i < 9; ++i) node->orientation[i] = pose->matrix[4 * (i / 3) + i % 3];
  if (pose) return node->orientation;
  const bool there = node_ask(node, __func__, ORIENTATION);
  return answer(there, node->scene->replies.orientation, node->orientation, 9);
}

const double *wb_supervisor_node_get_pose(WbNodeRef node, WbNodeRef from_node) {
  if (!node_is_here(node, __func__)) return NOWHERE;
  const Robot *robot = node->scene->robot;
  NodePose *pose = pose_from(node, from_node ? from_node->id : WORLD);
  if (pose->tracked && !isnan(pose->time) && (pose->time == robot->time || robot->stepping))
    return pose->matrix;
  Buffer *out = scene_begin(node->scene, __func__, POSE);
  if (!out) return NOWHERE;
  put_u32(out, pose->from);
  put_u32(out, node->id);
  const bool is_known = scene_ask(node->scene, POSE) || robot->quitting || robot->closed;
  return is_known && !isnan(pose->time) ? pose->matrix : NOWHERE;
}

static bool is_period(int period, const char *function) {
  if (0 < period && period <= MAX_PERIOD) return true;
  report_error(function, MESSAGE_INVALID_TRACKING_PERIOD, period, MAX_PERIOD);
  return false;
}

/* Append an optional sampling period. */
static void put_tracking(Buffer *out, int period) {
  put_u8(out, period > 0);
  if (period > 0) put_i32(out, period);
}

static void track_pose(Node *node, const Node *from, int period, const char *function) {
  if (!node_is_here(node, function)) return;
  NodePose *pose = pose_from(node, from ? from->id : WORLD);
  pose->tracked = period > 0;
  Buffer *out = scene_begin(node->scene, function, TRACK_POSE);
  if (!out) return;
  put_u32(out, pose->from);
  put_u32(out, node->id);
  put_tracking(out, period);
  scene_command(node->scene);
}

void wb_supervisor_node_enable_pose_tracking(WbNodeRef node, int sampling_period, WbNodeRef from_node) {
  if (is_period(sampling_period, __func__)) track_pose(node, from_node, sampling_period, __func__);
}

void wb_supervisor_node_disable_pose_tracking(WbNodeRef node, WbNodeRef from_node) {
  track_pose(node, from_node, 0, __func__);
}

/* Mass, balance and velocity. */

const double *wb_supervisor_node_get_center_of_mass(WbNodeRef node) {
  if (!node_is_here(node, __func__)) return NOWHERE;
  const bool there = node_ask(node, __func__, CENTER_OF_MASS);
  return answer(there, node->scene->replies.center_of_mass, node->center_of_mass, 3);
}

bool wb_supervisor_node_get_static_balance(WbNodeRef node) {
  return node_ask(node, __func__, BALANCE) && node->scene->replies.flag;
}

const double *wb_supervisor_node_get_velocity(WbNodeRef node) {
  if (!node_is_here(node, __func__)) return NOWHERE;
  const bool there = node_ask(node, __func__, GET_VELOCITY);
  return answer(there, node->scene->replies.velocity, node->velocity, 6);
}

/* Contacts. */

void scene_take_contacts(Scene *scene, Reader *in) {
  Node *node = scene_find(scene, read_u32(in));
  const bool descendants = read_bool(in);
  const int count = read_count(in, LEAST_CONTACT);
  WbContactPoint *points = allocate(sizeof *points * (size_t)count);
  for (int i = 0; i < count; ++i) {
    read_f64s(in, points[i].point, 3);
    points[i].node_id = read_i32(in);
  }
  if (!node) {
    free(points);
    return;
  }
  Contacts *contacts = &node->contacts[descendants];
  free(contacts->points);
  *contacts = (Contacts){points, count, scene->robot->time};
}

static const Contacts *get_contacts(Node *node, bool descendants, const char *function) {
  static const Contacts NONE;
  if (!node_is_here(node, function)) return &NONE;
  const Contacts *contacts = &node->contacts[descendants];
  if (node->tracked_contacts == descendants && contacts->time == node->scene->robot->time) return contacts;
  Buffer *out = node_begin(node, function, CONTACTS);
  if (!out) return &NONE;
  put_u8(out, descendants);
  return scene_ask(node->scene, CONTACTS) ? contacts : &NONE;
}

WbContactPoint *wb_supervisor_node_get_contact_points(WbNodeRef node, bool include_descendants, int *size) {
  const Contacts *contacts = get_contacts(node, include_descendants, __func__);
  if (size) *size = contacts->count;
  return contacts->count ? contacts->points : NULL;
}

int wb_supervisor_node_get_number_of_contact_points(WbNodeRef node, bool include_descendants) {
  if (node && robot_is_there()) node->counted_contacts = include_descendants;
  return get_contacts(node, include_descendants, __func__)->count;
}

static const WbContactPoint *contact(Node *node, int index, const char *function) {
  const bool descendants = node && robot_is_there() && node->counted_contacts;
  const Contacts *contacts = get_contacts(node, descendants, function);
  return 0 <= index && index < contacts->count ? &contacts->points[index] : NULL;
}

const double *wb_supervisor_node_get_contact_point(WbNodeRef node, int index) {
  const WbContactPoint *found = contact(node, index, __func__);
  return found ? found->point : NOWHERE;
}

WbNodeRef wb_supervisor_node_get_contact_point_node(WbNodeRef node, int index) {
  const WbContactPoint *found = contact(node, index, __func__);
  return found ? scene_from_id(node->scene, found->node_id, __func__) : NULL;
}

static void track_contacts(Node *node, bool descendants, int period, const char *function) {
  if (!node_is_here(node, function)) return;
  node->tracked_contacts = period > 0 ? descendants : -1;
  Buffer *out = node_begin(node, function, TRACK_CONTACTS);
  if (!out) return;
  put_u8(out, descendants);
  put_tracking(out, period);
  scene_command(node->scene);
}

void wb_supervisor_node_enable_contact_points_tracking(WbNodeRef node, int sampling_period,
                                                       bool include_descendants) {
  if (is_period(sampling_period, __func__))
    track_contacts(node, include_descendants, sampling_period, __func__);
}

static void stop_tracking(Node *node, const char *function) {
  track_contacts(node, node && robot_is_there() && node->tracked_contacts == 1, 0, function);
}

void wb_supervisor_node_disable_contact_points_tracking(WbNodeRef node) { stop_tracking(node, __func__); }

void wb_supervisor_node_disable_contact_point_tracking(WbNodeRef node, bool include_descendants) {
  (void)include_descendants;
  stop_tracking(node, __func__);
}
