/* Throttle, brake and gears of the driver (wbu_driver_...). */
#include <math.h>
#include <webots/brake.h>
#include <webots/vehicle/driver.h>

#include "../generated/messages.h"
#include "extremes.h"
#include "vehicle.h"

#define REVERSE (-1)

/* Clamp a share to 0 to 1; false, with an error message, if it is not a number. */
static bool keep_share(double *place, const char *function, const char *article, const char *name,
                       double value) {
  if (isnan(value)) {
    report_error(function, MESSAGE_SHARE_NOT_A_NUMBER, article, name);
    return false;
  }
  *place = lesser(greater(value, 0), 1);
  if (*place != value)
    report_warning(function, true, MESSAGE_KEPT_SHARE, article, name, number_text(value), *place);
  return true;
}

void wbu_driver_set_throttle(double throttle) {
  Driver *driver = driver_current();
  if (keep_share(&driver->throttle, __func__, "a", "throttle", throttle)) driver->mode = TORQUE;
}

double wbu_driver_get_throttle(void) { return driver_current()->throttle; }

void wbu_driver_set_brake_intensity(double intensity) {
  Driver *driver = driver_current();
  const Car *car = driver->car;
  if (!keep_share(&driver->brake, __func__, "an", "intensity", intensity)) return;
  light_set(&car->brake_lights, driver->brake > 0);
  for (int wheel = 0; wheel < WHEELS && driver->brake == 0; ++wheel)
    wb_brake_set_damping_constant(car->parts.brakes[wheel], 0);
}

double wbu_driver_get_brake_intensity(void) { return driver_current()->brake; }

void wbu_driver_set_brake(double brake) {
  driver_is_old(__func__, "wbu_driver_set_brake_intensity");
  wbu_driver_set_brake_intensity(brake);
}

double wbu_driver_get_brake(void) {
  driver_is_old(__func__, "wbu_driver_get_brake_intensity");
  return wbu_driver_get_brake_intensity();
}

static bool has_engine(const Driver *driver, const char *function) {
  if (driver->mode == SPEED) report_warning(function, true, MESSAGE_NO_ENGINE);
  return driver->mode != SPEED;
}

double wbu_driver_get_rpm(void) {
  const Driver *driver = driver_current();
  return has_engine(driver, __func__) ? driver->rpm : 0;
}

void wbu_driver_set_gear(int gear) {
  Driver *driver = driver_current();
  const int last = driver->car->parameters.gear_count - 1;
  const int kept = gear < REVERSE ? REVERSE : gear > last ? last : gear;
  if (kept != gear) report_warning(__func__, true, MESSAGE_KEPT_GEAR, gear, last, kept);
  driver->gear = kept;
}

int wbu_driver_get_gear(void) {
  const Driver *driver = driver_current();
  return has_engine(driver, __func__) ? driver->gear : 0;
}

int wbu_driver_get_gear_number(void) { return driver_current()->car->parameters.gear_count; }
