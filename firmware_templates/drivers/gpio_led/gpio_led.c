/* An LED on a digital pin. */
#include "gpio_led.h"

#include "board.h"

void gpio_led_start(uint8_t k) { gpio_led_value(k, 0); }

void gpio_led_value(uint8_t k, int32_t value) {
  board_output(gpio_led_table[k].pin, (value != 0) != gpio_led_table[k].inverted);
}
