/* The direction inputs of an H bridge. */
#include "bridge.h"

void bridge_begin(struct bridge *bridge, bool first, bool second) {
  *bridge = (struct bridge){.high = {first, second}, .gap = first && second ? 0 : BRIDGE_LONGEST};
}

void bridge_switch(struct bridge *bridge, uint8_t input, bool level, uint64_t now) {
  if (level == bridge->high[input]) return;
  bridge->high[input] = level;
  const uint8_t other = (uint8_t)!input;
  if (!level) {
    bridge->fell[input] = now + 1; /* 0 is never */
    return;
  }
  if (bridge->high[other])
    bridge->gap = 0;
  else if (bridge->fell[other] != 0 && now + 1 - bridge->fell[other] < bridge->gap)
    bridge->gap = (uint32_t)(now + 1 - bridge->fell[other]);
}
