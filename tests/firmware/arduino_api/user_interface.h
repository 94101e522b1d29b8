/* Declarations of the ESP8266's SDK, from its public reference. */
#ifndef USER_INTERFACE_H
#define USER_INTERFACE_H

#include <stdint.h>

enum rst_reason {
  REASON_DEFAULT_RST,
  REASON_WDT_RST,
  REASON_EXCEPTION_RST,
  REASON_SOFT_WDT_RST,
  REASON_SOFT_RESTART,
  REASON_DEEP_SLEEP_AWAKE,
  REASON_EXT_SYS_RST
};

struct rst_info {
  uint32_t reason;
};

#endif
