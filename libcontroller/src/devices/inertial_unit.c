/* An inertial unit, which measures its orientation. */
#include <math.h>
#include <string.h>
#include <webots/inertial_unit.h>

#include "../device.h"
#include "../generated/inertial_unit_codec.h"

typedef struct {
  Device base;
  INERTIAL_UNIT_MEMBERS;
  bool is_nue;     /* the world's coordinate system is NUE: x north, y up */
  bool has_angles; /* the simulator sends the angles: those of a lookup table, or NaN for disabled axes */
  double angles[3];
} InertialUnit;

static void read_coordinate_system(InertialUnit *self, Reader *in) {
  self->is_nue = !strcmp(read_text(in), "NUE");
}

static void take_angles(InertialUnit *self, Reader *in) {
  read_f64s(in, self->angles, 3);
  self->has_angles = true;
}

/* Roll about the forward axis, then pitch about the lateral axis, then yaw about the vertical axis: solves
   the entries of the rotation matrix R = Yaw Pitch Roll for the three angles. */
const double *wb_inertial_unit_get_roll_pitch_yaw(WbDeviceTag tag) {
  InertialUnit *self = device_find(tag, &inertial_unit_kind, __func__);
  if (!self) return NULL;
  device_check_enabled(&self->base, __func__);
  if (self->has_angles) return self->angles;
  const double x = self->xyzw[0], y = self->xyzw[1], z = self->xyzw[2], w = self->xyzw[3];
  double sine;
  if (self->is_nue) {
    self->angles[0] = atan2(2 * (x * w - y * z), 1 - 2 * (x * x + z * z));
    sine = 2 * (x * y + z * w);
    self->angles[2] = atan2(2 * (y * w - x * z), 1 - 2 * (y * y + z * z));
  } else {
    self->angles[0] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
    sine = 2 * (w * y - z * x);
    self->angles[2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  }
  /* Rounding errors can raise the sine slightly above 1; NaN passes through. */
  self->angles[1] = asin(sine > 1 ? 1 : sine < -1 ? -1 : sine);
  return self->angles;
}

#include "../generated/inertial_unit.h"
