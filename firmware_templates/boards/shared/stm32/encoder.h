/* STM32: what a test bench sees of the encoders that timers count. */
#ifndef ENCODER_H
#define ENCODER_H

#include <stdint.h>

#define ENCODER_TIMERS 3

/* Without a bench, `driven` stays 0, and the timer's own count is used. */
struct bench_encoder {
  uint8_t started; /* the timer counts */
  uint8_t driven;  /* 1: `count` is valid */
  uint16_t count;
};

extern volatile struct bench_encoder bench_encoders[ENCODER_TIMERS];

#endif
