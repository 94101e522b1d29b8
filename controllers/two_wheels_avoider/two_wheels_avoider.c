/* Explores an arena with the robot of worlds/two_wheels.wbt: drives until an obstacle is near, then turns on
   the spot until the way is clear, and a little longer because a single ray misses obstacles on the sides.
   The same file runs in simulation and as firmware on a board. */
#include <webots/distance_sensor.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/robot.h>

#define SPEED 6.0  /* rad/s of the wheels */
#define TURN 3.0   /* rad/s */
#define NEAR 600.0 /* readings are higher if a white obstacle is nearer than 32 cm */
#define FREE 300.0 /* readings are lower if no white obstacle is nearer than 56 cm */
#define LONGER 400 /* ms to keep turning when the way is clear */

static WbDeviceTag left, right, front, status;

static void drive(double left_speed, double right_speed) {
  wb_motor_set_velocity(left, left_speed);
  wb_motor_set_velocity(right, right_speed);
}

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  left = wb_robot_get_device("left wheel motor");
  right = wb_robot_get_device("right wheel motor");
  front = wb_robot_get_device("front");
  status = wb_robot_get_device("status");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  wb_distance_sensor_enable(front, step);
  drive(0, 0);

  int turns = 0; /* remaining steps to turn */
  while (wb_robot_step(step) != -1) {
    const double near = wb_distance_sensor_get_value(front);
    if (near > (turns > 0 ? FREE : NEAR))
      turns = LONGER / step;
    else if (turns > 0)
      turns--;
    wb_led_set(status, turns > 0);
    if (turns > 0)
      drive(-TURN, TURN);
    else
      drive(SPEED, SPEED);
  }
  wb_robot_cleanup();
  return 0;
}
