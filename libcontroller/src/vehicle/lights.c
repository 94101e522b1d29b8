/* See lights.h. */
#include "lights.h"

#include <math.h>
#include <webots/led.h>
#include <webots/motor.h>

#define PERIOD 0.34
#define BACK 0.1 /* decrease of the steering angle after which an indicator switches off, in rad */

Light light_find(const Robot *robot, const char *name, const char *inside) {
  Light found = {{part_find(robot, &led_kind, name), inside ? part_find(robot, &led_kind, inside) : 0}};
  if (!found.leds[0]) found = (Light){{found.leds[1]}};
  return found;
}

void light_set(const Light *light, bool on) {
  for (int i = 0; i < 2; ++i) {
    if (light->leds[i]) wb_led_set(light->leds[i], on);
  }
}

bool light_is_on(const Light *light) { return light->leds[0] && wb_led_get(light->leds[0]); }

void indicators_start(Indicators *self, const Robot *robot) {
  *self = (Indicators){.right = light_find(robot, "right_indicators", "interior_right_indicators"),
                       .left = light_find(robot, "left_indicators", "interior_left_indicators"),
                       .lever = part_find(robot, &motor_kind, "indicator_lever_motor"),
                       .period = PERIOD,
                       .ends_itself = true};
}

bool indicators_blink(const Indicators *self) { return self->hazard || self->state != INDICATOR_OFF; }

/* The position of the lever for a state. */
static double lever_position(const Indicators *self) {
  if (self->state == INDICATOR_OFF) return 0;
  return self->state == INDICATOR_RIGHT ? wb_motor_get_max_position(self->lever)
                                        : wb_motor_get_min_position(self->lever);
}

void indicators_choose(Indicators *self, int state, double angle) {
  self->state = state;
  self->angle = angle;
  if (self->lever) wb_motor_set_position(self->lever, lever_position(self));
}

void indicators_follow(Indicators *self, double angle) {
  if (!self->ends_itself || self->state == INDICATOR_OFF) return;
  const int sign = self->state == INDICATOR_RIGHT ? 1 : -1;
  if (sign * angle > sign * self->angle)
    self->angle = angle;
  else if (sign * (self->angle - angle) >= BACK)
    indicators_choose(self, INDICATOR_OFF, angle);
}

void indicators_update(const Indicators *self, double time) {
  const bool on = fmod(trunc(time / self->period), 2) == 0;
  light_set(&self->right, on && (self->hazard || self->state == INDICATOR_RIGHT));
  light_set(&self->left, on && (self->hazard || self->state == INDICATOR_LEFT));
}
