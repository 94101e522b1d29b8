/* Arduino Leonardo: where its pins are, in the order of pins.h. */
#include "avr_pins.h"
#include "board.h"

const FLASH struct avr_pin chip_pins[] = {
    AVR_PIN(PIND, 2, WATCH_EXTERNAL(2)), /* D0 */
    AVR_PIN(PIND, 3, WATCH_EXTERNAL(3)), /* D1 */
    AVR_PIN(PIND, 1, WATCH_EXTERNAL(1)), /* D2 */
    AVR_PIN(PIND, 0, WATCH_EXTERNAL(0)), /* D3 */
    AVR_PIN(PIND, 4, WATCH_NONE),        /* D4 */
    AVR_PIN(PINC, 6, WATCH_NONE),        /* D5 */
    AVR_PIN(PIND, 7, WATCH_NONE),        /* D6 */
    AVR_PIN(PINE, 6, WATCH_EXTERNAL(6)), /* D7 */
    AVR_PIN(PINB, 4, WATCH_CHANGE(4)),   /* D8 */
    AVR_PIN(PINB, 5, WATCH_CHANGE(5)),   /* D9 */
    AVR_PIN(PINB, 6, WATCH_CHANGE(6)),   /* D10 */
    AVR_PIN(PINB, 7, WATCH_CHANGE(7)),   /* D11 */
    AVR_PIN(PIND, 6, WATCH_NONE),        /* D12 */
    AVR_PIN(PINC, 7, WATCH_NONE),        /* D13 */
    AVR_PIN(PINB, 3, WATCH_CHANGE(3)),   /* D14 */
    AVR_PIN(PINB, 1, WATCH_CHANGE(1)),   /* D15 */
    AVR_PIN(PINB, 2, WATCH_CHANGE(2)),   /* D16 */
    AVR_PIN(PINF, 7, WATCH_NONE),        /* A0 */
    AVR_PIN(PINF, 6, WATCH_NONE),        /* A1 */
    AVR_PIN(PINF, 5, WATCH_NONE),        /* A2 */
    AVR_PIN(PINF, 4, WATCH_NONE),        /* A3 */
    AVR_PIN(PINF, 1, WATCH_NONE),        /* A4 */
    AVR_PIN(PINF, 0, WATCH_NONE),        /* A5 */
};

const FLASH struct avr_output chip_outputs[] = {
    {PIN_D3, _SFR_ADDR(TCCR0A), 1, false},  {PIN_D5, _SFR_ADDR(TCCR3A), 0, true},
    {PIN_D9, _SFR_ADDR(TCCR1A), 0, true},   {PIN_D10, _SFR_ADDR(TCCR1A), 1, true},
    {PIN_D11, _SFR_ADDR(TCCR0A), 0, false},
};

uint8_t chip_channel(uint8_t pin) {
  switch (pin) {
    case PIN_D4: return 8;
    case PIN_D6: return 10;
    case PIN_D8: return 11;
    case PIN_D9: return 12;
    case PIN_D10: return 13;
    case PIN_D12: return 9;
    case PIN_A4: return 1;
    case PIN_A5: return 0;
    default: return (uint8_t)(7 - (pin - PIN_A0)); /* A0 to A3 */
  }
}
