/* A position sensor, which measures the position of a joint. */
#include <math.h>
#include <webots/nodes.h>
#include <webots/position_sensor.h>

#include "joint_device.h"

#define VALUE 1
#define SIBLING 2

typedef struct {
  JointDevice joint;
  double value;
} PositionSensor;

static void start(Device *device) { ((PositionSensor *)device)->value = NAN; }

static bool take(Device *device, unsigned code, Reader *in) {
  PositionSensor *self = (PositionSensor *)device;
  if (code == CONSTANTS)
    self->joint.type = read_i32(in);
  else if (code == VALUE)
    self->value = read_f64(in);
  else if (code == SIBLING)
    self->joint.sibling = read_u16(in);
  else
    return false;
  return true;
}

const Kind position_sensor_kind = {
    .class_name = "PositionSensor", .size = sizeof(PositionSensor), .start = start, .take = take};

double position_sensor_value(const Device *sensor) { return ((const PositionSensor *)sensor)->value; }

WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  PositionSensor *self = device_find(tag, &position_sensor_kind, __func__);
  return self ? find_sibling(&self->joint, SIBLING, WB_NODE_ROTATIONAL_MOTOR, __func__) : 0;
}

WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  PositionSensor *self = device_find(tag, &position_sensor_kind, __func__);
  return self ? find_sibling(&self->joint, SIBLING, WB_NODE_BRAKE, __func__) : 0;
}

#include "../generated/position_sensor.h"
