/* Indicators, lights and wipers of the driver (wbu_driver_...). */
#include <webots/vehicle/driver.h>

#include "../generated/messages.h"
#include "sounds.h"
#include "vehicle.h"

void driver_blink(const Driver *driver) {
  sounds_blink(driver->speaker, indicators_blink(&driver->car->indicators));
}

void wbu_driver_set_indicator(WbuDriverIndicatorState state) {
  Driver *driver = driver_current();
  const int wanted = (int)state;
  if (wanted < INDICATOR_OFF || wanted > INDICATOR_LEFT) {
    report_error(__func__, MESSAGE_INVALID_INDICATOR, wanted);
    return;
  }
  indicators_choose(&driver->car->indicators, wanted, driver->angle);
  driver_blink(driver);
}

WbuDriverIndicatorState wbu_driver_get_indicator(void) {
  return (WbuDriverIndicatorState)driver_current()->car->indicators.state;
}

void wbu_driver_set_hazard_flashers(bool state) {
  Driver *driver = driver_current();
  driver->car->indicators.hazard = state;
  driver_blink(driver);
}

bool wbu_driver_get_hazard_flashers(void) { return driver_current()->car->indicators.hazard; }

void wbu_driver_set_dipped_beams(bool state) {
  Driver *driver = driver_current();
  driver->dipped = state;
  light_set(&driver->front_beams, state);
  light_set(&driver->rear_beams, state);
}

bool wbu_driver_get_dipped_beams(void) { return driver_current()->dipped; }

void wbu_driver_set_antifog_lights(bool state) { light_set(&driver_current()->antifog, state); }

bool wbu_driver_get_antifog_lights(void) { return light_is_on(&driver_current()->antifog); }

void wbu_driver_set_wiper_mode(WbuDriverWiperMode mode) {
  Driver *driver = driver_current();
  const int wanted = (int)mode;
  if (wanted < WIPERS_DOWN || wanted > WIPERS_FAST)
    report_error(__func__, MESSAGE_INVALID_WIPER_MODE, wanted);
  else
    wipers_choose(&driver->wipers, wanted);
}

WbuDriverWiperMode wbu_driver_get_wiper_mode(void) {
  return (WbuDriverWiperMode)driver_current()->wipers.mode;
}

void wbu_driver_set_wipers_mode(wbu_wipers_mode mode) {
  driver_is_old(__func__, "wbu_driver_set_wiper_mode");
  wbu_driver_set_wiper_mode(mode);
}

wbu_wipers_mode wbu_driver_get_wipers_mode(void) {
  driver_is_old(__func__, "wbu_driver_get_wiper_mode");
  return wbu_driver_get_wiper_mode();
}
