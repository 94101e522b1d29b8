/* Robot. */
#ifndef WB_ROBOT_H
#define WB_ROBOT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct robot {
  uint8_t battery; /* sensor value */
  bool is_synchronized, is_supervisor;
  double basic_time_step; /* ms */
};

extern const FLASH struct robot robot_table[ROBOT_DEVICES];

#endif
