/* A GPS module that sends NMEA sentences: GGA has the position, RMC the speed. A sentence with a wrong
 * checksum is left out, and so is one without a fix; 3 s after the last one there is no position. */
#include "nmea_gps.h"

#include <string.h>

#include "board.h"

#define LONGEST 96 /* bytes of a sentence; the standard allows 82 */
#define STALE_MS 3000
#define METERS REAL(0.011131949079327358) /* on the equator, of 1e-7 degrees */
#define DEGREES REAL(1e-7)
#define RADIANS REAL(0.017453292519943295)
#define KNOT REAL(0.0005144444444444445) /* m/s, of 1e-3 knots */

/* Fields after the name of a sentence. */
enum { GGA_LATITUDE = 2, GGA_LONGITUDE = 4, GGA_FIX = 6, GGA_ALTITUDE = 9 };
enum { RMC_STATUS = 2, RMC_SPEED = 7 };

static char sentence[LONGEST];
static uint8_t filled;
static int32_t latitude, longitude; /* 1e-7 degrees */
static int32_t altitude, knots;     /* 1e-3 m, 1e-3 knots */
static uint16_t position_age, speed_age;

void nmea_gps_start(uint8_t k) {
  filled = 0;
  position_age = speed_age = STALE_MS;
  board_serial_start(nmea_gps_table[k].baud);
}

static uint8_t digit_of(char character) {
  if (character >= '0' && character <= '9') return (uint8_t)(character - '0');
  if (character >= 'A' && character <= 'F') return (uint8_t)(character - 'A' + 10);
  if (character >= 'a' && character <= 'f') return (uint8_t)(character - 'a' + 10);
  return 16;
}

/* True if the two digits after the star are the sum, by exclusive or, of what is between dollar and star. */
static bool is_whole(void) {
  uint8_t sum = 0, k = 1;
  for (; sentence[k] != '*'; k++) {
    if (sentence[k] == '\0') return false;
    sum ^= (uint8_t)sentence[k];
  }
  const uint8_t high = digit_of(sentence[k + 1]);
  const uint8_t low = high < 16 ? digit_of(sentence[k + 2]) : 16;
  return low < 16 && (high << 4 | low) == sum;
}

/* The begin of a field; the name of the sentence is field 0. */
static const char *field(uint8_t number) {
  const char *at = sentence;
  while (number > 0 && *at != '\0')
    if (*at++ == ',') number--;
  return at;
}

/* A decimal number with some decimals as a whole number; further decimals are left out. False if there is
 * none. */
static bool read_decimal(const char *at, uint8_t decimals, int32_t *number) {
  const bool is_negative = *at == '-';
  uint32_t value = 0;
  bool in_fraction = false, any = false;
  for (at += is_negative; (*at >= '0' && *at <= '9') || (*at == '.' && !in_fraction); at++) {
    if (*at == '.') {
      in_fraction = true;
      continue;
    }
    if (in_fraction && decimals == 0) continue;
    if (value > 200000000) return false;
    value = 10 * value + (uint32_t)(*at - '0');
    if (in_fraction) decimals--;
    any = true;
  }
  for (; decimals > 0; decimals--) {
    if (value > 200000000) return false;
    value *= 10;
  }
  *number = is_negative ? -(int32_t)value : (int32_t)value;
  return any;
}

/* An angle as DDDMM.MMMMM and the letter of its side, in 1e-7 degrees. */
static bool read_angle(uint8_t number, char negative, int32_t *angle) {
  int32_t whole, minutes;
  if (!read_decimal(field(number), 0, &whole) || whole < 0 || whole > 18000) return false;
  const int32_t degrees = whole / 100;
  const char *fraction = field(number);
  while (*fraction >= '0' && *fraction <= '9') fraction++;
  if (*fraction != '.')
    minutes = 0;
  else if (!read_decimal(fraction, 5, &minutes))
    return false;
  minutes += (whole - 100 * degrees) * 100000;
  *angle = degrees * 10000000 + (minutes * 5 + 1) / 3;
  if (*field((uint8_t)(number + 1)) == negative) *angle = -*angle;
  return true;
}

static void take_position(void) {
  int32_t north, east, up;
  const char fix = *field(GGA_FIX);
  if (fix < '1' || fix > '9' || !read_angle(GGA_LATITUDE, 'S', &north) ||
      !read_angle(GGA_LONGITUDE, 'W', &east) || !read_decimal(field(GGA_ALTITUDE), 3, &up))
    return;
  latitude = north;
  longitude = east;
  altitude = up;
  position_age = 0;
}

static void take_speed(void) {
  if (*field(RMC_STATUS) == 'A' && read_decimal(field(RMC_SPEED), 3, &knots)) speed_age = 0;
}

/* Sentences of all satellite systems: their names begin with other letters. */
static void take_sentence(void) {
  if (sentence[0] != '$' || filled < 7 || !is_whole()) return;
  if (memcmp(sentence + 3, "GGA,", 4) == 0) take_position();
  if (memcmp(sentence + 3, "RMC,", 4) == 0) take_speed();
}

static void take_byte(char byte) {
  if (byte == '$') filled = 0;
  if (byte == '\r' || byte == '\n') {
    sentence[filled] = '\0';
    take_sentence();
    filled = 0;
  } else if (filled < LONGEST - 1) {
    sentence[filled++] = byte;
  }
}

static uint16_t older(uint16_t age, uint16_t elapsed) {
  return age + elapsed < STALE_MS ? (uint16_t)(age + elapsed) : STALE_MS;
}

void nmea_gps_update(uint8_t k, uint16_t elapsed) {
  (void)k;
  position_age = older(position_age, elapsed);
  speed_age = older(speed_age, elapsed);
  for (int16_t byte; (byte = board_serial_read()) != BOARD_NO_BYTE;) take_byte((char)byte);
}

/* The cosine of a latitude, within 3e-5, in steps that are the same on all boards. */
static real cosine(real degrees) {
  const real angle = degrees * RADIANS, square = angle * angle;
  return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
}

static int32_t fixed(real degrees) { return (int32_t)(degrees / DEGREES); }

bool nmea_gps_position(uint8_t k, real *values) {
  const FLASH struct nmea_gps *gps = &nmea_gps_table[k];
  const real meters = (real)altitude / 1000;
  if (gps->is_local) {
    values[0] = (real)(longitude - fixed(gps->longitude)) * METERS * cosine(gps->latitude);
    values[1] = (real)(latitude - fixed(gps->latitude)) * METERS;
    values[2] = meters - gps->altitude;
  } else {
    values[0] = (real)latitude * DEGREES;
    values[1] = (real)longitude * DEGREES;
    values[2] = meters;
  }
  return position_age < STALE_MS;
}

bool nmea_gps_speed(uint8_t k, real *speed) {
  (void)k;
  *speed = (real)knots * KNOT;
  return speed_age < STALE_MS;
}
