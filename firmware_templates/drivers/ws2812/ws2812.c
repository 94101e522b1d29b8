/* WS2812 LEDs in chains: each LED takes the first 24 bits, and passes on the others. Interrupts are disabled
 * for one LED at a time, so that a chain of any length delays them by 30 us. */
#include "ws2812.h"

#include "board.h"

static struct color lights[WS2812_COUNT];
static uint8_t order[WS2812_COUNT]; /* the devices by pin, then by place */
static bool changed;

static bool is_before(uint8_t one, uint8_t other) {
  const FLASH struct ws2812 *a = &ws2812_table[one], *b = &ws2812_table[other];
  return a->pin < b->pin || (a->pin == b->pin && a->place < b->place);
}

void ws2812_start(uint8_t k) {
  uint8_t at = k; /* after those before it */
  for (; at > 0 && is_before(k, order[at - 1]); at--) order[at] = order[at - 1];
  order[at] = k;
  board_output(ws2812_table[k].pin, false);
  lights[k] = (struct color){0, 0, 0};
  changed = true;
}

void ws2812_value(uint8_t k, int32_t value) {
  const FLASH struct ws2812 *led = &ws2812_table[k];
  lights[k] = color_of(&led->colors, led->gradual, value);
  changed = true;
}

static void send(uint8_t pin, struct color light) {
  const uint8_t bytes[3] = {light.green, light.red, light.blue};
  board_pixel(pin, bytes);
}

/* LEDs of a chain without a device are dark. */
static void send_all(void) {
  uint8_t place = 0;
  for (uint8_t k = 0; k < WS2812_COUNT; k++) {
    const FLASH struct ws2812 *led = &ws2812_table[order[k]];
    if (k == 0 || led->pin != ws2812_table[order[k - 1]].pin) place = 0;
    for (; place < led->place; place++) send(led->pin, (struct color){0, 0, 0});
    send(led->pin, lights[order[k]]);
    place++;
  }
}

void ws2812_update(uint8_t k, uint16_t elapsed) {
  if (k > 0 || elapsed == 0 || !changed) return; /* the LEDs show colors after a pause, 0.3 ms at most */
  changed = false;
  send_all();
}
