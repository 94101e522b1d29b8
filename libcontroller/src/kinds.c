/* The kinds of devices; the table is generated from the files in devices. */
#include "generated/kinds.h"

#include "device.h"

enum { TYPES = sizeof KINDS / sizeof *KINDS };

const Kind *kind_of(int node_type) { return 0 <= node_type && node_type < TYPES ? KINDS[node_type] : NULL; }
