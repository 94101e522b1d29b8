/* See channels.h. */
#include "channels.h"

#include <stdio.h>

#include "../generated/messages.h"

void read_channels(Reader *in, Channels *allowed) {
  allowed->count = read_count(in, sizeof *allowed->items);
  allowed->items = reallocate(allowed->items, sizeof *allowed->items * (size_t)allowed->count);
  for (int i = 0; i < allowed->count; ++i) allowed->items[i] = read_i32(in);
}

static bool is_listed(int channel, const Channels *allowed) {
  for (int i = 0; i < allowed->count; ++i) {
    if (allowed->items[i] == channel) return true;
  }
  return !allowed->count;
}

bool is_bad_channel(const char *function, int channel, const Channels *allowed) {
  char list[512] = "";
  size_t size = 0;
  if (channel < UNLIMITED) {
    report_error(function, MESSAGE_INVALID_CHANNEL, channel);
    return true;
  }
  if (is_listed(channel, allowed)) return false;
  for (int i = 0; i < allowed->count && size < sizeof list; ++i)
    size += (size_t)snprintf(list + size, sizeof list - size, i ? ", %d" : "%d", (int)allowed->items[i]);
  report_error(function, MESSAGE_REFUSED_CHANNEL, channel, list);
  return true;
}
