/* The supervisor's cache of the scene, and its requests to the simulator.

   Nodes and fields are cached until the simulator reports their removal. Sets of fields are queued for the
   next step; all other requests are sent immediately. Objects that a controller may still reference are freed
   at the end. */
#ifndef SCENE_H
#define SCENE_H

#include <webots/contact_point.h>
#include <webots/supervisor.h>

#include "../robot.h"

#define CODES 104 /* upper bound (exclusive) of the codes of supervisor messages */
#define BUCKETS 256
#define ROOT 0
#define NO_NODE (-1)
#define SINGLE (-1) /* the item of a single-value field */
#define MF 16

typedef struct WbNodeInternal Node;
typedef struct WbFieldInternal Field;
typedef struct WbProtoInternal Proto;
typedef struct Scene Scene;

/* A value of a field; booleans and integers are numbers[0]. */
typedef struct {
  double numbers[4];
  char *text;
  Node *node;
} Value;

struct WbFieldInternal {
  Field *next;
  Node *node;
  int layer, index, type, count; /* layer: PROTO layer, -1: the node itself */
  int asked_index;               /* index of the lookup; -1: looked up by name */
  bool internal, base;
  int actual_node, actual_field;
  char *name;
  Value value;
  double time; /* time of the reading; NaN: invalid */
};

/* The pose of a node relative to another node. */
typedef struct NodePose {
  struct NodePose *next;
  uint32_t from;
  bool tracked;
  double matrix[16], time;
} NodePose;

typedef struct {
  WbContactPoint *points;
  int count;
  double time;
} Contacts;

struct WbProtoInternal {
  Proto *next;
  Node *node;
  int layer;
  bool derived;
  int parameters;
  char *name;
};

struct WbNodeInternal {
  Node *next;
  Scene *scene;
  uint32_t id;
  int type, tag, parent;
  bool is_proto, in_proto, exists;
  char *model, *def_name, *text;
  Field *fields, *gone_fields;
  Proto *protos;
  NodePose *poses;
  Contacts contacts[2];  /* without and with descendants */
  int tracked_contacts;  /* which of them; -1: none */
  bool counted_contacts; /* selected by the last count */
  double position[3], orientation[9], center_of_mass[3], velocity[6];
};

/* A set that is queued for the next step. */
typedef struct FieldSet {
  struct FieldSet *next;
  Field *field;
  int item;
  Value value;
} FieldSet;

/* A DEF name in the cache. */
typedef struct Definition {
  struct Definition *next;
  char *name;
  int proto_node, node;
} Definition;

/* The latest answer to each type of request. */
typedef struct {
  bool there[CODES];
  Node *node;
  int number, field_index, field_type, field_count, actual_node, actual_field;
  bool flag, internal;
  char *text;
  int value_type, proto_layer;
  Value value;
  double position[3], orientation[9], center_of_mass[3], velocity[6];
  Node *contact_node;
  bool contact_descendants;
} Replies;

struct Scene {
  Robot *robot;
  Node *nodes[BUCKETS], *gone;
  Definition *definitions;
  FieldSet *sets;
  Replies replies;
  int movie_status;
  double headset_position[3], headset_orientation[9];
};

/* The scene of a robot, created on first use. */
Scene *scene_of(Robot *robot);

/* Handle a message; false if the code is unknown. */
bool scene_take(Robot *robot, unsigned code, Reader *in);

/* Invalidate the scene after a new configuration. At the end everything is freed. */
void scene_forget(Robot *robot);
/* Invalidate the values in the cache, after the simulation was reset. */
void scene_forget_values(Robot *robot);
void scene_end(Robot *robot);

/* Move the queued sets of fields to the next packet. */
void scene_send_sets(Robot *robot);
void scene_forget_field(Field *field);

/* Begin a command; append its values to the result. NULL, with an error message, if it is not possible now.
 */
Buffer *scene_begin(Scene *scene, const char *function, int code);

/* Send it; true if an answer with this code has arrived. */
bool scene_ask(Scene *scene, int reply);
void scene_command(Scene *scene);

/* nodes.c */
Node *scene_find(const Scene *scene, uint32_t id);
Node *scene_node(Scene *scene, uint32_t id, int type, int tag, int parent, bool is_proto, const char *model);
Node *scene_from_id(Scene *scene, int id, const char *function);
void scene_remove(Scene *scene, Node *node);
void node_free(Node *node);

/* Report a call for a node that does not exist or was removed. */
void node_report_missing(const Node *node, const char *function);

/* False, with an error message, for a name that is NULL or empty. */
bool is_name(const char *function, const char *what, const char *name);

/* True if the node exists; else reports an error. */
static inline bool node_is_here(const Node *node, const char *function) {
  if (node && robot_is_there() && node->exists) return true;
  node_report_missing(node, function);
  return false;
}

/* Begin a command about a node, with its identifier. */
Buffer *node_begin(const Node *node, const char *function, int code);

/* Send a command about a node, with or without an answer. */
void node_command(const Node *node, const char *function, int code);
bool node_ask(const Node *node, const char *function, int code);

/* node_motion.c: messages with poses and contacts. */
void scene_take_pose(Scene *scene, Reader *in);
void scene_take_contacts(Scene *scene, Reader *in);

/* field.c */
Field *find_field(Node *node, const char *function, int layer, const char *name, int index, bool base);
bool field_is(const Field *field, int type, const char *function);
bool field_may_write(const Field *field, const char *function);
bool field_item(const Field *field, int *item, int count, const char *function);
const char *field_type_name(int type);
void field_free(Field *field);

/* field_values.c: reading and writing one value; `item` is SINGLE or an index. */
const Value *field_get(Field *field, int type, int item, const char *function);
void field_set(Field *field, int type, int item, const double *numbers, const char *text,
               const char *function);
void field_insert(Field *field, int type, int item, const double *numbers, const char *text,
                  const char *function);
void scene_take_value(Scene *scene, Reader *in);
int value_width(int type);

/* proto.c */
Proto *find_proto(Node *node, int layer, const char *function);

#endif
