/* A reflectance sensor with a capacitor. */
#ifndef QTR_RC_H
#define QTR_RC_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct qtr_rc {
  uint8_t pin;
  real longest; /* us */
  real low, high;
};

extern const FLASH struct qtr_rc qtr_rc_table[QTR_RC_COUNT];

void qtr_rc_start(uint8_t k);
bool qtr_rc_value(uint8_t k, real *value);
void qtr_rc_update(uint8_t k, uint16_t elapsed);
void qtr_rc_changed(uint8_t k);

#endif
