/* See node_types.h. The names are generated from hal/protocol. */
#include "node_types.h"

#include <webots/nodes.h>

#include "generated/node_types.h"

enum { TYPES = sizeof TYPE_NAMES / sizeof *TYPE_NAMES };

/* Node types that came with R2023b, by their numbers. */
static const int LATE[] = {WB_NODE_POSE, WB_NODE_VACUUM_GRIPPER};

const char *node_type_name(int node_type) {
  return 0 <= node_type && node_type < TYPES ? TYPE_NAMES[node_type] : "";
}

int node_type_from_wire(Dialect dialect, unsigned number) {
  int node_type = number < TYPES ? (int)number : -1;
  for (int i = 0; dialect == R2023A && i < 2; ++i) node_type += node_type >= LATE[i];
  return node_type < TYPES ? node_type : -1;
}

unsigned node_type_to_wire(Dialect dialect, int node_type) {
  int number = node_type;
  for (int i = 0; dialect == R2023A && i < 2; ++i) number -= node_type >= LATE[i];
  return (unsigned)number;
}

const char *wb_node_get_name(WbNodeType t) { return node_type_name((int)t); }
