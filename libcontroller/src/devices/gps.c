/* A GPS, which measures its position and speed. */
#include <math.h>
#include <stdio.h>
#include <webots/gps.h>

#include "../device.h"
#include "../generated/gps_codec.h"

typedef struct {
  Device base;
  GPS_MEMBERS;
} GPS;

const char *wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees) {
  static char text[64];
  if (!(fabs(decimal_degrees) < 1e6)) return "";
  const int degrees = (int)decimal_degrees, minutes = (int)((decimal_degrees - degrees) * 60);
  const int seconds = (int)(((decimal_degrees - degrees) * 60 - minutes) * 60);
  snprintf(text, sizeof text, "%d° %d′ %d″", degrees, minutes, seconds);
  return text;
}

#include "../generated/gps.h"
