/* A BNO055 as an inertial unit: its own processor computes the orientation. */
#include "bno055_inertial_unit.h"

#include "i2c_registers.h"

#define IDENTIFICATION 0x00
#define ITS_NAME 0xA0
#define QUATERNION 0x20 /* w, x, y, z, low bytes first */
#define MODE 0x3D
#define WITHOUT_COMPASS 0x08 /* acceleration and turning */
#define WITH_COMPASS 0x0C    /* and the magnetic field */
#define ONE REAL(16384.0)

/* True if the chip computes. After power-up it does not answer for 0.4 s, and then waits for its mode. */
static bool computes(const FLASH struct bno055_inertial_unit *unit) {
  const uint8_t wanted = unit->compass ? WITH_COMPASS : WITHOUT_COMPASS;
  uint8_t mode;
  if (!i2c_holds(unit->address, IDENTIFICATION, ITS_NAME) || !i2c_read(unit->address, MODE, &mode, 1))
    return false;
  if ((mode & 0x0F) == wanted) return true;
  i2c_write(unit->address, MODE, wanted);
  return false; /* the first orientation is ready at a later call */
}

bool bno055_inertial_unit_orientation(uint8_t k, real *values) {
  const FLASH struct bno055_inertial_unit *unit = &bno055_inertial_unit_table[k];
  uint8_t bytes[8];
  if (!computes(unit) || !i2c_read(unit->address, QUATERNION, bytes, sizeof bytes)) return false;
  bool any = false;
  for (uint8_t part = 0; part < 4; part++) { /* x, y, z, w */
    const uint8_t *from = &bytes[2 * ((part + 1) & 3)];
    const int16_t number = (int16_t)((uint16_t)from[1] << 8 | from[0]);
    any = any || number != 0;
    values[part] = number / ONE;
  }
  return any; /* all are 0 until the first orientation */
}
