/* Connections without encryption. */
#include "channel.h"

void channel_open(channel &one, const WiFiClient &client) { one.client = client; }

int channel_read(channel &one, uint8_t *data, size_t size) {
  if (one.client.available() > 0) return one.client.read(data, size);
  return one.client.connected() ? 0 : -1;
}

bool channel_send(channel &one, const uint8_t *data, size_t size) {
  return network_send(one.client, data, size);
}

void channel_close(channel &one) { one.client.stop(); }
