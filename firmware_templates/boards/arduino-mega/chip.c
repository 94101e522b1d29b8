/* Arduino Mega 2560: where its pins are, in the order of pins.h. */
#include "avr_pins.h"
#include "board.h"

const FLASH struct avr_pin chip_pins[] = {
    AVR_PIN(PINE, 0, WATCH_NONE),        /* D0 */
    AVR_PIN(PINE, 1, WATCH_NONE),        /* D1 */
    AVR_PIN(PINE, 4, WATCH_EXTERNAL(4)), /* D2 */
    AVR_PIN(PINE, 5, WATCH_EXTERNAL(5)), /* D3 */
    AVR_PIN(PING, 5, WATCH_NONE),        /* D4 */
    AVR_PIN(PINE, 3, WATCH_NONE),        /* D5 */
    AVR_PIN(PINH, 3, WATCH_NONE),        /* D6 */
    AVR_PIN(PINH, 4, WATCH_NONE),        /* D7 */
    AVR_PIN(PINH, 5, WATCH_NONE),        /* D8 */
    AVR_PIN(PINH, 6, WATCH_NONE),        /* D9 */
    AVR_PIN(PINB, 4, WATCH_CHANGE(4)),   /* D10 */
    AVR_PIN(PINB, 5, WATCH_CHANGE(5)),   /* D11 */
    AVR_PIN(PINB, 6, WATCH_CHANGE(6)),   /* D12 */
    AVR_PIN(PINB, 7, WATCH_CHANGE(7)),   /* D13 */
    AVR_PIN(PINJ, 1, WATCH_NONE),        /* D14 */
    AVR_PIN(PINJ, 0, WATCH_NONE),        /* D15 */
    AVR_PIN(PINH, 1, WATCH_NONE),        /* D16 */
    AVR_PIN(PINH, 0, WATCH_NONE),        /* D17 */
    AVR_PIN(PIND, 3, WATCH_EXTERNAL(3)), /* D18 */
    AVR_PIN(PIND, 2, WATCH_EXTERNAL(2)), /* D19 */
    AVR_PIN(PIND, 1, WATCH_EXTERNAL(1)), /* D20 */
    AVR_PIN(PIND, 0, WATCH_EXTERNAL(0)), /* D21 */
    AVR_PIN(PINA, 0, WATCH_NONE),        /* D22 */
    AVR_PIN(PINA, 1, WATCH_NONE),        /* D23 */
    AVR_PIN(PINA, 2, WATCH_NONE),        /* D24 */
    AVR_PIN(PINA, 3, WATCH_NONE),        /* D25 */
    AVR_PIN(PINA, 4, WATCH_NONE),        /* D26 */
    AVR_PIN(PINA, 5, WATCH_NONE),        /* D27 */
    AVR_PIN(PINA, 6, WATCH_NONE),        /* D28 */
    AVR_PIN(PINA, 7, WATCH_NONE),        /* D29 */
    AVR_PIN(PINC, 7, WATCH_NONE),        /* D30 */
    AVR_PIN(PINC, 6, WATCH_NONE),        /* D31 */
    AVR_PIN(PINC, 5, WATCH_NONE),        /* D32 */
    AVR_PIN(PINC, 4, WATCH_NONE),        /* D33 */
    AVR_PIN(PINC, 3, WATCH_NONE),        /* D34 */
    AVR_PIN(PINC, 2, WATCH_NONE),        /* D35 */
    AVR_PIN(PINC, 1, WATCH_NONE),        /* D36 */
    AVR_PIN(PINC, 0, WATCH_NONE),        /* D37 */
    AVR_PIN(PIND, 7, WATCH_NONE),        /* D38 */
    AVR_PIN(PING, 2, WATCH_NONE),        /* D39 */
    AVR_PIN(PING, 1, WATCH_NONE),        /* D40 */
    AVR_PIN(PING, 0, WATCH_NONE),        /* D41 */
    AVR_PIN(PINL, 7, WATCH_NONE),        /* D42 */
    AVR_PIN(PINL, 6, WATCH_NONE),        /* D43 */
    AVR_PIN(PINL, 5, WATCH_NONE),        /* D44 */
    AVR_PIN(PINL, 4, WATCH_NONE),        /* D45 */
    AVR_PIN(PINL, 3, WATCH_NONE),        /* D46 */
    AVR_PIN(PINL, 2, WATCH_NONE),        /* D47 */
    AVR_PIN(PINL, 1, WATCH_NONE),        /* D48 */
    AVR_PIN(PINL, 0, WATCH_NONE),        /* D49 */
    AVR_PIN(PINB, 3, WATCH_CHANGE(3)),   /* D50 */
    AVR_PIN(PINB, 2, WATCH_CHANGE(2)),   /* D51 */
    AVR_PIN(PINB, 1, WATCH_CHANGE(1)),   /* D52 */
    AVR_PIN(PINB, 0, WATCH_CHANGE(0)),   /* D53 */
    AVR_PIN(PINF, 0, WATCH_NONE),        /* A0 */
    AVR_PIN(PINF, 1, WATCH_NONE),        /* A1 */
    AVR_PIN(PINF, 2, WATCH_NONE),        /* A2 */
    AVR_PIN(PINF, 3, WATCH_NONE),        /* A3 */
    AVR_PIN(PINF, 4, WATCH_NONE),        /* A4 */
    AVR_PIN(PINF, 5, WATCH_NONE),        /* A5 */
    AVR_PIN(PINF, 6, WATCH_NONE),        /* A6 */
    AVR_PIN(PINF, 7, WATCH_NONE),        /* A7 */
    AVR_PIN(PINK, 0, WATCH_CHANGE(16)),  /* A8 */
    AVR_PIN(PINK, 1, WATCH_CHANGE(17)),  /* A9 */
    AVR_PIN(PINK, 2, WATCH_CHANGE(18)),  /* A10 */
    AVR_PIN(PINK, 3, WATCH_CHANGE(19)),  /* A11 */
    AVR_PIN(PINK, 4, WATCH_CHANGE(20)),  /* A12 */
    AVR_PIN(PINK, 5, WATCH_CHANGE(21)),  /* A13 */
    AVR_PIN(PINK, 6, WATCH_CHANGE(22)),  /* A14 */
    AVR_PIN(PINK, 7, WATCH_CHANGE(23)),  /* A15 */
};

const FLASH struct avr_output chip_outputs[] = {
    {PIN_D2, _SFR_ADDR(TCCR3A), 1, true},   {PIN_D3, _SFR_ADDR(TCCR3A), 2, true},
    {PIN_D4, _SFR_ADDR(TCCR0A), 1, false},  {PIN_D5, _SFR_ADDR(TCCR3A), 0, true},
    {PIN_D6, _SFR_ADDR(TCCR4A), 0, true},   {PIN_D7, _SFR_ADDR(TCCR4A), 1, true},
    {PIN_D8, _SFR_ADDR(TCCR4A), 2, true},   {PIN_D9, _SFR_ADDR(TCCR2A), 1, false},
    {PIN_D10, _SFR_ADDR(TCCR2A), 0, false}, {PIN_D11, _SFR_ADDR(TCCR1A), 0, true},
    {PIN_D12, _SFR_ADDR(TCCR1A), 1, true},  {PIN_D13, _SFR_ADDR(TCCR0A), 0, false},
    {PIN_D44, _SFR_ADDR(TCCR5A), 2, true},  {PIN_D45, _SFR_ADDR(TCCR5A), 1, true},
    {PIN_D46, _SFR_ADDR(TCCR5A), 0, true},
};

uint8_t chip_channel(uint8_t pin) { return (uint8_t)(pin - PIN_A0); }
