/* An HMC5883L magnetometer as a compass: the direction of the magnetic field, independent of its strength. */
#include "hmc5883l_compass.h"

#include "board.h"
#include "field.h"
#include "i2c_registers.h"

#define CONFIG_A 0x00
#define CONFIG_B 0x01
#define MODE 0x02
#define DATA 0x03 /* x, z, y */
#define IDENTIFICATION 0x0A
#define AVERAGED 0x78 /* average of 8 measurements, at 75 Hz */
#define CONTINUOUS 0x00
#define OVERFLOW (-4096)

static bool ready[HMC5883L_COMPASS_COUNT];

static bool set_up(const FLASH struct hmc5883l_compass *sensor) {
  uint8_t name[3];
  if (!i2c_read(sensor->address, IDENTIFICATION, name, sizeof name) || name[0] != 'H' || name[1] != '4' ||
      name[2] != '3')
    return false;
  const uint8_t out[] = {CONFIG_A, AVERAGED, (uint8_t)(sensor->range << 5), CONTINUOUS};
  return board_i2c(sensor->address, out, sizeof out, 0, 0);
}

/* Reads the field in counts. Returns false if the chip does not answer, or has lost its settings after a
 * power loss. */
static bool measure(const FLASH struct hmc5883l_compass *sensor, int16_t *counts) {
  uint8_t bytes[DATA + 6];
  if (!i2c_read(sensor->address, CONFIG_A, bytes, sizeof bytes) || bytes[CONFIG_A] != AVERAGED ||
      bytes[MODE] != CONTINUOUS)
    return false;
  static const uint8_t offsets[3] = {DATA, DATA + 4, DATA + 2};
  for (uint8_t k = 0; k < 3; k++)
    counts[k] = (int16_t)((uint16_t)bytes[offsets[k]] << 8 | bytes[offsets[k] + 1]);
  return true;
}

bool hmc5883l_compass_north(uint8_t k, real *values) {
  const FLASH struct hmc5883l_compass *sensor = &hmc5883l_compass_table[k];
  int16_t counts[3];
  if (!ready[k]) /* at the start and after a failure */
    ready[k] = set_up(sensor);
  ready[k] = ready[k] && measure(sensor, counts);
  if (!ready[k] || counts[0] == OVERFLOW || counts[1] == OVERFLOW || counts[2] == OVERFLOW) return false;
  return field_direction(counts, sensor->offset, &sensor->axes, &sensor->lookup, values);
}
