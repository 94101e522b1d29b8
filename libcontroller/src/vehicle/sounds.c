/* See sounds.h. */
#include "sounds.h"

#include <math.h>
#include <string.h>
#include <webots/speaker.h>

#include "extremes.h"

#define SILENT "none"
#define BLINKER "sounds/blinker.wav"
#define THROTTLE_SHARE 0.2 /* share of the volume that depends on the throttle */
#define SPEED_SHARE 0.5    /* share of the volume that depends on the engine speed */
#define FULL 25.0          /* speed difference, in km/h, that sounds like full throttle */

WbDeviceTag sounds_speaker(const Parameters *parameters, const Robot *robot) {
  const bool silent = !*parameters->sound || !strcmp(parameters->sound, SILENT);
  return silent ? 0 : part_find(robot, &speaker_kind, "engine_speaker");
}

static void play(WbDeviceTag speaker, const char *sound, double volume, double pitch) {
  wb_speaker_play_sound(speaker, speaker, sound, volume, pitch, 0, true);
}

static void stop(WbDeviceTag speaker, const char *sound) {
  if (wb_speaker_is_sound_playing(speaker, sound)) wb_speaker_stop(speaker, sound);
}

void sounds_blink(WbDeviceTag speaker, bool on) {
  if (!speaker) return;
  if (on)
    play(speaker, BLINKER, 1, 1);
  else
    stop(speaker, BLINKER);
}

void sounds_run(WbDeviceTag speaker, const Parameters *parameters, double rpm, double throttle) {
  if (!speaker || isnan(rpm)) return;
  const bool hybrid = parameters->engine == PARALLEL || parameters->engine == SPLIT;
  const double turning =
      parameters->engine == SPLIT ? parameters->split_rpm : greater(rpm, parameters->min_rpm);
  const double pitch = parameters->sound_rpm > 0 ? turning / parameters->sound_rpm : 1;
  if (pitch <= 0 || (hybrid && rpm < parameters->min_rpm)) {
    stop(speaker, parameters->sound);
    return;
  }
  const double speed = parameters->max_rpm != 0 ? lesser(rpm, parameters->max_rpm) / parameters->max_rpm : 0;
  const double volume =
      (1 - THROTTLE_SHARE + THROTTLE_SHARE * throttle) * (1 - SPEED_SHARE + SPEED_SHARE * speed);
  play(speaker, parameters->sound, volume, pitch);
}

/* The engine speed, in 1/min, in the lowest gear that keeps it in the first third of its range. average: mean
   speed of the wheels, in rad/s. */
static double estimated_rpm(const Parameters *parameters, double average) {
  const double wheel = average * 60 / (2 * M_PI), limit = (2 * parameters->min_rpm + parameters->max_rpm) / 3;
  int gear = wheel >= 0 ? 1 : 0;
  while (gear && gear < parameters->gear_count - 1 && !(fabs(wheel * parameters->gear_ratios[gear]) < limit))
    ++gear;
  return fabs(wheel * parameters->gear_ratios[gear]);
}

void sounds_cruise(WbDeviceTag speaker, const Parameters *parameters, double average, double lacking) {
  const double throttle = lesser(greater(lacking, 0), FULL) / FULL;
  sounds_run(speaker, parameters, estimated_rpm(parameters, average), throttle);
}
