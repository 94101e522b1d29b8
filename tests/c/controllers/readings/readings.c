/* The controller of tests/peers/readings.py in C: it prints the same readings, one JSON line per step.

   It is C11 and C++17 at once. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/accelerometer.h>
#include <webots/altimeter.h>
#include <webots/compass.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gps.h>
#include <webots/gyro.h>
#include <webots/inertial_unit.h>
#include <webots/led.h>
#include <webots/light_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/radar.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/supervisor.h>
#include <webots/touch_sensor.h>

typedef struct {
  const char *name;
  void (*enable)(WbDeviceTag tag, int period);
  double (*value)(WbDeviceTag tag);
  const double *(*values)(WbDeviceTag tag);
} Sensor;

static const Sensor SENSORS[] = {
    {"left encoder", wb_position_sensor_enable, wb_position_sensor_get_value, NULL},
    {"right encoder", wb_position_sensor_enable, wb_position_sensor_get_value, NULL},
    {"lift position", wb_position_sensor_enable, wb_position_sensor_get_value, NULL},
    {"generic", wb_distance_sensor_enable, wb_distance_sensor_get_value, NULL},
    {"sonar", wb_distance_sensor_enable, wb_distance_sensor_get_value, NULL},
    {"laser", wb_distance_sensor_enable, wb_distance_sensor_get_value, NULL},
    {"infra-red", wb_distance_sensor_enable, wb_distance_sensor_get_value, NULL},
    {"light", wb_light_sensor_enable, wb_light_sensor_get_value, NULL},
    {"bumper", wb_touch_sensor_enable, wb_touch_sensor_get_value, NULL},
    {"altimeter", wb_altimeter_enable, wb_altimeter_get_value, NULL},
    {"gps", wb_gps_enable, NULL, wb_gps_get_values},
    {"gyro", wb_gyro_enable, NULL, wb_gyro_get_values},
    {"accelerometer", wb_accelerometer_enable, NULL, wb_accelerometer_get_values},
    {"compass", wb_compass_enable, NULL, wb_compass_get_values},
    {"force", wb_touch_sensor_enable, NULL, wb_touch_sensor_get_values},
};
enum { SENSOR_COUNT = sizeof SENSORS / sizeof *SENSORS };

static WbDeviceTag tags[SENSOR_COUNT], left, right, lift, imu, radar, led, emitter, receiver;

static void print_number(double value) {
  if (isnan(value))
    fputs("NaN", stdout);
  else if (isinf(value))
    fputs(value > 0 ? "Infinity" : "-Infinity", stdout);
  else
    printf("%.17g", value);
}

static void print_numbers(const char *name, const double *values, int count) {
  printf("\"%s\": [", name);
  for (int i = 0; i < count; ++i) {
    if (i) fputs(", ", stdout);
    print_number(values[i]);
  }
  fputs("]", stdout);
}

static void print_named(const char *name, double value) {
  printf("\"%s\": ", name);
  print_number(value);
}

static void print_table(const char *name, const double *table, int rows) {
  print_numbers(name, table, 3 * rows);
}

static void print_head(void) {
  const double limits[] = {wb_motor_get_max_velocity(left), wb_motor_get_max_velocity(right),
                           wb_motor_get_max_velocity(lift), wb_motor_get_max_torque(left),
                           wb_motor_get_max_position(lift)};
  printf("{\"time step\": %.17g, \"devices\": [", wb_robot_get_basic_time_step());
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i)
    printf("%s\"%s\"", i ? ", " : "", wb_device_get_name(wb_robot_get_device_by_index(i)));
  printf("], \"types\": [");
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i)
    printf("%s%d", i ? ", " : "", (int)wb_device_get_node_type(wb_robot_get_device_by_index(i)));
  printf("], ");
  print_numbers("limits", limits, 5);
  printf(", \"tables\": {");
  print_table("generic", wb_distance_sensor_get_lookup_table(tags[3]),
              wb_distance_sensor_get_lookup_table_size(tags[3]));
  printf(", ");
  print_table("infra-red", wb_distance_sensor_get_lookup_table(tags[6]),
              wb_distance_sensor_get_lookup_table_size(tags[6]));
  printf(", ");
  print_table("light", wb_light_sensor_get_lookup_table(tags[7]),
              wb_light_sensor_get_lookup_table_size(tags[7]));
  printf("}, \"data\": \"%s\"}\n", wb_robot_get_custom_data());
}

static void begin(int step) {
  left = wb_robot_get_device("left motor");
  right = wb_robot_get_device("right motor");
  lift = wb_robot_get_device("lift");
  const WbDeviceTag wheels[] = {left, right};
  for (int i = 0; i < 2; ++i) {
    wb_motor_set_position(wheels[i], INFINITY);
    wb_motor_set_velocity(wheels[i], 0);
    wb_motor_enable_torque_feedback(wheels[i], step);
  }
  wb_motor_enable_force_feedback(lift, 2 * step);
  for (int i = 0; i < SENSOR_COUNT; ++i) {
    tags[i] = wb_robot_get_device(SENSORS[i].name);
    SENSORS[i].enable(tags[i], step * (1 + i % 3));
  }
  imu = wb_robot_get_device("inertial unit");
  radar = wb_robot_get_device("radar");
  led = wb_robot_get_device("led");
  emitter = wb_robot_get_device("emitter");
  receiver = wb_robot_get_device("receiver");
  wb_inertial_unit_enable(imu, step * (1 + SENSOR_COUNT % 3));
  wb_radar_enable(radar, step * (1 + (SENSOR_COUNT + 1) % 3));
  wb_receiver_enable(receiver, step * (1 + (SENSOR_COUNT + 2) % 3));
  wb_robot_battery_sensor_enable(step);
}

static void act(int count, WbNodeRef ball, WbFieldRef place) {
  char message[32];
  const double there[] = {0.1, 0.5, 0.4}, force[] = {0.0, 0.3, 0.0};
  wb_motor_set_velocity(left, 4 * sin(count / 20.0));
  wb_motor_set_velocity(right, 4 * sin(count / 25.0));
  wb_motor_set_position(lift, 0.05 + 0.04 * sin(count / 15.0));
  wb_led_set(led, count % 3);
  sprintf(message, "step %d", count);
  wb_emitter_send(emitter, message, (int)strlen(message));
  if (count == 60) wb_supervisor_field_set_sf_vec3f(place, there);
  if (count == 80) wb_supervisor_node_add_force(ball, force, false);
  if (count == 90) {
    wb_motor_set_acceleration(left, 10);
    wb_robot_set_custom_data("ninety");
  }
}

static void print_sensors(void) {
  printf("\"scalars\": {");
  for (int i = 0; i < 10; ++i) {
    print_named(SENSORS[i].name, SENSORS[i].value(tags[i]));
    printf(i < 9 ? ", " : "}, \"vectors\": {");
  }
  for (int i = 10; i < SENSOR_COUNT; ++i) {
    print_numbers(SENSORS[i].name, SENSORS[i].values(tags[i]), 3);
    printf(i < SENSOR_COUNT - 1 ? ", " : "}, ");
  }
}

static void print_targets(void) {
  const WbRadarTarget *targets = wb_radar_get_targets(radar);
  printf("\"targets\": [");
  for (int i = 0; i < wb_radar_get_number_of_targets(radar); ++i)
    printf("%s[%.17g, %.17g, %.17g, %.17g]", i ? ", " : "", targets[i].distance, targets[i].received_power,
           targets[i].speed, targets[i].azimuth);
  printf("], ");
}

static void print_row(int count, WbNodeRef ball, WbFieldRef place) {
  const double torques[] = {wb_motor_get_torque_feedback(left), wb_motor_get_torque_feedback(right),
                            wb_motor_get_force_feedback(lift)};
  printf("{\"time\": %.17g, ", wb_robot_get_time());
  print_sensors();
  print_numbers("angles", wb_inertial_unit_get_roll_pitch_yaw(imu), 3);
  printf(", ");
  print_numbers("quaternion", wb_inertial_unit_get_quaternion(imu), count > 4 ? 4 : 0);
  printf(", ");
  print_named("speed", wb_gps_get_speed(tags[10]));
  printf(", ");
  print_numbers("torques", torques, 3);
  printf(", ");
  print_named("battery", wb_robot_battery_sensor_get_value());
  printf(", ");
  print_targets();
  printf("\"queue\": %d, ", wb_receiver_get_queue_length(receiver));
  print_numbers("ball", wb_supervisor_node_get_position(ball), 3);
  printf(", ");
  print_numbers("field", wb_supervisor_field_get_sf_vec3f(place), 3);
  printf(", ");
  print_numbers("velocity", wb_supervisor_node_get_velocity(ball), 6);
  printf(", \"data\": \"%s\"}\n", wb_robot_get_custom_data());
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 200;
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  begin(step);
  print_head();
  WbNodeRef ball = wb_supervisor_node_get_from_def("BALL");
  WbFieldRef place = wb_supervisor_node_get_field(ball, "translation");
  for (int count = 0; count < steps && wb_robot_step(step) != -1; ++count) {
    act(count, ball, place);
    print_row(count, ball, place);
  }
  wb_robot_cleanup();
  return 0;
}
