/* See sounds.h. */
#include "sounds.h"

#include <math.h>
#include <string.h>
#include <webots/speaker.h>

#include "extremes.h"

#define SILENT "none"
#define BLINKER "sounds/blinker.wav"
#define THROTTLE_SHARE 0.2 /* of the volume, that the throttle decides about */
#define SPEED_SHARE 0.5    /* of the volume, that the speed of the engine decides about */
#define FULL 25.0          /* what a car lacks, in km/h, when it sounds like full throttle */

WbDeviceTag sounds_speaker(const Figures *figures, const Robot *robot) {
  const bool silent = !*figures->sound || !strcmp(figures->sound, SILENT);
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

void sounds_run(WbDeviceTag speaker, const Figures *figures, double rpm, double throttle) {
  if (!speaker || isnan(rpm)) return;
  const bool hybrid = figures->engine == PARALLEL || figures->engine == SPLIT;
  const double turning = figures->engine == SPLIT ? figures->split_rpm : greater(rpm, figures->min_rpm);
  const double pitch = figures->sound_rpm > 0 ? turning / figures->sound_rpm : 1;
  if (pitch <= 0 || (hybrid && rpm < figures->min_rpm)) {
    stop(speaker, figures->sound);
    return;
  }
  const double speed = figures->max_rpm != 0 ? lesser(rpm, figures->max_rpm) / figures->max_rpm : 0;
  const double volume =
      (1 - THROTTLE_SHARE + THROTTLE_SHARE * throttle) * (1 - SPEED_SHARE + SPEED_SHARE * speed);
  play(speaker, figures->sound, volume, pitch);
}

/* Turns in a minute of an engine behind the gear that fits a speed, in rad/s: the lowest that keeps it in the
   first third of its range. */
static double estimated_rpm(const Figures *figures, double average) {
  const double wheel = average * 60 / (2 * M_PI), limit = (2 * figures->min_rpm + figures->max_rpm) / 3;
  int gear = wheel >= 0 ? 1 : 0;
  while (gear && gear < figures->gear_count - 1 && !(fabs(wheel * figures->gear_ratios[gear]) < limit))
    ++gear;
  return fabs(wheel * figures->gear_ratios[gear]);
}

void sounds_cruise(WbDeviceTag speaker, const Figures *figures, double average, double lacking) {
  const double throttle = lesser(greater(lacking, 0), FULL) / FULL;
  sounds_run(speaker, figures, estimated_rpm(figures, average), throttle);
}
