// The controller of tests/peers/driving.py in C: it prints the same lines. Also linked with Webots' library.
#include <math.h>
#include <stdio.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

#define STEPS 600
#define COUNT(list) (sizeof list / sizeof *list)

static const char *const SENSORS[] = {"right_front_sensor", "left_front_sensor", "right_rear_sensor",
                                      "left_rear_sensor", "wiper_sensor"};
static const char *const LAMPS[] = {"right_indicators", "left_indicators",  "front_lights",  "rear_lights",
                                    "brake_lights",     "backwards_lights", "antifog_lights"};
static const char *const MOTORS[] = {"right_wiper_motor", "left_wiper_motor",   "steering_wheel_motor",
                                     "rpm_needle_motor",  "speed_needle_motor", "indicator_lever_motor"};
static WbDeviceTag sensors[COUNT(SENSORS)], lamps[COUNT(LAMPS)], motors[COUNT(MOTORS)];

static void find(const char *const *names, WbDeviceTag *tags, size_t count) {
  for (size_t i = 0; i < count; ++i) tags[i] = wb_robot_get_device(names[i]);
}

static void command(int count) {
  switch (count) {
    case 5:
      wbu_driver_set_cruising_speed(30);
      wbu_driver_set_hazard_flashers(true);
      wbu_driver_set_wiper_mode(NORMAL);
      break;
    case 60:
      wbu_driver_set_hazard_flashers(false);
      wbu_car_set_indicator_period(0.21);
      wbu_driver_set_indicator(RIGHT);
      break;
    case 100: wbu_driver_set_steering_angle(0.1); break;
    case 150:
      wbu_driver_set_steering_angle(0.2);
      wbu_driver_set_wiper_mode(FAST);
      break;
    case 190: wbu_driver_set_steering_angle(0.05); break;
    case 220:
      wbu_driver_set_steering_angle(-0.05);
      wbu_driver_set_throttle(0.6);
      wbu_driver_set_gear(1);
      wbu_driver_set_dipped_beams(true);
      wbu_driver_set_antifog_lights(true);
      break;
    case 260:
      wbu_car_enable_indicator_auto_disabling(false);
      wbu_driver_set_indicator(LEFT);
      wbu_driver_set_steering_angle(-0.2);
      wbu_driver_set_wiper_mode(SLOW);
      break;
    case 300:
      wbu_driver_set_gear(wbu_driver_get_gear_number() - 1);
      wbu_driver_set_steering_angle(0);
      wbu_car_enable_limited_slip_differential(false);
      break;
    case 350:
      wbu_driver_set_throttle(0);
      wbu_driver_set_brake_intensity(0.7);
      wbu_driver_set_indicator(OFF);
      break;
    case 400:
      wbu_car_set_right_steering_angle(0.15);
      wbu_car_set_left_steering_angle(0.12);
      wbu_driver_set_wiper_mode(DOWN);
      break;
    case 480:
      wbu_driver_set_brake_intensity(0);
      wbu_driver_set_gear(-1);
      wbu_driver_set_throttle(0.4);
      wbu_driver_set_antifog_lights(false);
      break;
    case 540: wbu_driver_set_cruising_speed(-5); break;
  }
}

static const char *comma = "";

static void key(const char *name) {
  printf("%s\"%s\": ", comma, name);
  comma = ", ";
}

static void number(double value) {
  if (isnan(value))
    fputs("NaN", stdout);
  else
    printf("%.17g", value);
}

static void numbers(const char *name, const double *values, size_t count) {
  key(name);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? ", " : "[", stdout);
    number(values[i]);
  }
  fputs(count ? "]" : "[]", stdout);
}

#define LIST(name, ...) numbers(name, (double[]){__VA_ARGS__}, COUNT(((double[]){__VA_ARGS__})))

static const char *truth(bool value) { return value ? "true" : "false"; }

static void each(const char *name, double (*value)(size_t), size_t count) {
  double values[COUNT(LAMPS)];
  for (size_t i = 0; i < count; ++i) values[i] = value(i);
  numbers(name, values, count);
}

static double position(size_t i) { return wb_position_sensor_get_value(sensors[i]); }

static double encoder(size_t i) { return wbu_car_get_wheel_encoder((WbuCarWheelIndex)i); }

static double speed(size_t i) { return wbu_car_get_wheel_speed((WbuCarWheelIndex)i); }

static double lamp(size_t i) { return wb_led_get(lamps[i]); }

static double target(size_t i) { return wb_motor_get_target_position(motors[i]); }

static void print_figures(void) {
  printf("{");
  LIST("kind", wbu_car_get_type(), wbu_car_get_engine_type(), wbu_driver_get_gear_number());
  LIST("lengths", wbu_car_get_wheelbase(), wbu_car_get_track_front(), wbu_car_get_track_rear());
  LIST("radii", wbu_car_get_front_wheel_radius(), wbu_car_get_rear_wheel_radius());
  puts("}");
}

static void print_row(void) {
  const WbuDriverControlMode mode = wbu_driver_get_control_mode();
  comma = "";
  printf("{");
  key("time"), number(wb_robot_get_time());
  key("speed"), number(wbu_driver_get_current_speed());
  LIST("angles", wbu_driver_get_steering_angle(), wbu_car_get_right_steering_angle(),
       wbu_car_get_left_steering_angle());
  each("positions", position, COUNT(SENSORS));
  each("encoders", encoder, WBU_CAR_WHEEL_NB);
  each("speeds", speed, WBU_CAR_WHEEL_NB);
  each("lamps", lamp, COUNT(LAMPS));
  each("motors", target, COUNT(MOTORS));
  key("lights");
  printf("[%s, %s, ", truth(wbu_car_get_backwards_lights()), truth(wbu_car_get_brake_lights()));
  printf("%s, %s]", truth(wbu_driver_get_dipped_beams()), truth(wbu_driver_get_antifog_lights()));
  key("indicator");
  printf("[%d, %s, ", (int)wbu_driver_get_indicator(), truth(wbu_driver_get_hazard_flashers()));
  number(wbu_car_get_indicator_period()), printf("]");
  key("mode"), printf(mode == UNDEFINED_CONTROL_MODE ? "null" : "%d", (int)mode);
  key("wipers"), printf("%d", (int)wbu_driver_get_wiper_mode());
  key("brake"), number(wbu_driver_get_brake_intensity());
  LIST("targets", wbu_driver_get_target_cruising_speed(), wbu_driver_get_throttle());
  if (mode == TORQUE)
    LIST("engine", wbu_driver_get_rpm(), wbu_driver_get_gear());
  else
    key("engine"), printf("[]");
  puts("}");
}

int main(void) {
  wbu_driver_init();
  find(SENSORS, sensors, COUNT(SENSORS));
  find(LAMPS, lamps, COUNT(LAMPS));
  find(MOTORS, motors, COUNT(MOTORS));
  for (size_t i = 0; i < COUNT(SENSORS); ++i) wb_position_sensor_enable(sensors[i], 10);
  print_figures();
  for (int count = 0; count < STEPS && wbu_driver_step() != -1; ++count) {
    command(count);
    print_row();
  }
  wbu_driver_cleanup();
  return 0;
}
