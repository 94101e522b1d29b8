/* Names and numbers of node types in each release. */
#ifndef NODE_TYPES_H
#define NODE_TYPES_H

/* Dialects: groups of releases with the same protocol. */
typedef enum { R2023A, R2023B, R2025A } Dialect;

/* The name of a node type by its number (as since R2023b), or "". */
const char *node_type_name(int node_type);

/* Convert a dialect's number of a node type to the number since R2023b, and back. */
int node_type_from_wire(Dialect dialect, unsigned number);
unsigned node_type_to_wire(Dialect dialect, int node_type);

#endif
