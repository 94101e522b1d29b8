/* Names and numbers of node types, in the releases that number them in their own ways. */
#ifndef NODE_TYPES_H
#define NODE_TYPES_H

/* The lines of releases, which differ in what they send. */
typedef enum { R2023A, R2023B, R2025A } Dialect;

/* The name of a node type by its number as since R2023b; "" when there is none. */
const char *node_type_name(int node_type);

/* The number as since R2023b for one that a dialect uses, and the other way. */
int node_type_from_wire(Dialect dialect, unsigned number);
unsigned node_type_to_wire(Dialect dialect, int node_type);

#endif
