/* The altitude by the air pressure that a BMP280 or BME280 measures. Both have the same registers; each chip
 * has numbers of its own for the formulas of the data sheet. */
#include "bmp280_altimeter.h"

#include <math.h>

#include "i2c_registers.h"

#define CALIBRATION 0x88
#define IDENTIFICATION 0xD0
#define BMP280 0x58
#define BME280 0x60
#define MEASURE 0xF4
#define ALWAYS 0x57 /* temperature twice, pressure 16 times for a value; measuring all the time */
#define FILTER 0xF5
#define SMOOTH 0x10   /* filter of 16 values */
#define PRESSURE 0xF7 /* three bytes, then temperature, the highest first; 20 bits */
#define NO_VALUE 0x80000
#define HPA REAL(0.01) /* of Pa */

/* The international standard atmosphere. */
#define SCALE REAL(44330.76923)
#define POWER REAL(0.1902632)

static struct part {
  bool ready;
  uint16_t t1, p1;
  int16_t t2, t3, p2, p3, p4, p5, p6, p7, p8, p9;
} parts[BMP280_ALTIMETER_COUNT];

static void take_calibration(struct part *part, const uint8_t *from) {
  part->t1 = get_u16(from);
  part->p1 = get_u16(from + 6);
  int16_t *const numbers[] = {&part->t2, &part->t3, &part->p2, &part->p3, &part->p4,
                              &part->p5, &part->p6, &part->p7, &part->p8, &part->p9};
  for (uint8_t k = 0; k < 10; k++) *numbers[k] = (int16_t)get_u16(from + (k < 2 ? 2 : 4) + 2 * k);
}

static bool set_up(uint8_t address, struct part *part) {
  uint8_t name, bytes[24];
  if (!i2c_read(address, IDENTIFICATION, &name, 1) || (name != BMP280 && name != BME280) ||
      !i2c_read(address, CALIBRATION, bytes, sizeof bytes) || !i2c_write(address, FILTER, SMOOTH) ||
      !i2c_write(address, MEASURE, ALWAYS))
    return false;
  take_calibration(part, bytes);
  return part->p1 != 0;
}

static uint32_t get_20_bits(const uint8_t *from) {
  return (uint32_t)from[0] << 12 | (uint32_t)from[1] << 4 | from[2] >> 4;
}

/* The temperature that the formula for the pressure needs, in 1/5120 degrees Celsius. */
static real fine_temperature(const struct part *part, real raw) {
  const real first = (raw / 16384 - part->t1 / REAL(1024.0)) * part->t2;
  const real offset = raw / REAL(131072.0) - part->t1 / REAL(8192.0);
  return first + offset * offset * part->t3;
}

/* The pressure in Pa. */
static real pressure_of(const struct part *part, real raw, real temperature) {
  const real half = temperature / 2 - REAL(64000.0);
  const real squared = half * half * part->p6 / REAL(32768.0) + half * part->p5 * 2;
  const real offset = squared / 4 + part->p4 * REAL(65536.0);
  const real slope = (part->p3 * half * half / REAL(524288.0) + part->p2 * half) / REAL(524288.0);
  const real scale = (1 + slope / REAL(32768.0)) * part->p1;
  const real first = (REAL(1048576.0) - raw - offset / 4096) * 6250 / scale;
  const real second = part->p9 * first * first / REAL(2147483648.0);
  return first + (second + first * part->p8 / REAL(32768.0) + part->p7) / 16;
}

bool bmp280_altimeter_altitude(uint8_t k, real *meters) {
  const FLASH struct bmp280_altimeter *sensor = &bmp280_altimeter_table[k];
  struct part *part = &parts[k];
  uint8_t bytes[6];
  if (!part->ready) part->ready = set_up(sensor->address, part);
  /* After a loss of power it sleeps, and is set up with the next reading. */
  part->ready = part->ready && i2c_holds(sensor->address, MEASURE, ALWAYS) &&
                i2c_read(sensor->address, PRESSURE, bytes, sizeof bytes);
  if (!part->ready) return false;
  const uint32_t pressure = get_20_bits(bytes), temperature = get_20_bits(bytes + 3);
  if (pressure == NO_VALUE || temperature == NO_VALUE) return false;
  const real pascal = pressure_of(part, (real)pressure, fine_temperature(part, (real)temperature));
  *meters = SCALE * (1 - (real)pow(pascal * HPA / sensor->sea_level, POWER));
  return true;
}
