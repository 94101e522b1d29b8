/* A radar for the robot of worlds/radar.wbt: a servo turns an ultrasonic sensor from side to side, and a
   display shows how far away the objects are in each direction. The same file runs in simulation and as
   firmware. */
#include <stdio.h>
#include <webots/display.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/robot.h>

#define STEP 32       /* ms */
#define SETTLING 6    /* steps until the sensor points in a direction and has measured */
#define DIRECTIONS 25 /* from 1.2 rad at the left to 1.2 rad at the right */
#define FARTHEST 100  /* cm at the edge of the picture */
#define MIDDLE 64     /* the sensor is in this column of the lowest row */
#define BOTTOM 63
#define RADIUS 54

/* The ends of rays of RADIUS pixels, and so of those with the angles 1.2, 1.1 ... -1.2 rad. */
static const int across[DIRECTIONS] = {-50, -48, -45, -42, -39, -35, -30, -26, -21, -16, -11, -5, 0,
                                       5,   11,  16,  21,  26,  30,  35,  39,  42,  45,  48,  50};
static const int up[DIRECTIONS] = {20, 24, 29, 34, 38, 41, 45, 47, 50, 52, 53, 54, 54,
                                   54, 53, 52, 50, 47, 45, 41, 38, 34, 29, 24, 20};

static WbDeviceTag screen;

static void draw_ray(int direction, int pixels, int color) {
  wb_display_set_color(screen, color);
  wb_display_draw_line(screen, MIDDLE, BOTTOM, MIDDLE + across[direction] * pixels / RADIUS,
                       BOTTOM - up[direction] * pixels / RADIUS);
}

static void draw_distance(int cm) {
  char text[16];
  wb_display_set_color(screen, 0x000000);
  wb_display_fill_rectangle(screen, 0, 0, 48, 14);
  wb_display_set_color(screen, 0xFFFFFF);
  snprintf(text, sizeof text, "%d cm", cm);
  wb_display_draw_text(screen, text, 0, 1);
}

int main(void) {
  wb_robot_init();
  const WbDeviceTag turret = wb_robot_get_device("turret motor");
  const WbDeviceTag sonar = wb_robot_get_device("sonar");
  screen = wb_robot_get_device("screen");
  wb_distance_sensor_enable(sonar, STEP);
  wb_display_set_font(screen, "Lucida Console", 8, false);
  int direction = DIRECTIONS / 2, way = 1, steps = 0;
  while (wb_robot_step(STEP) != -1) {
    wb_motor_set_position(turret, 0.1 * (DIRECTIONS / 2 - direction));
    if (++steps < SETTLING) continue;
    steps = 0;
    const int cm = (int)(100 * wb_distance_sensor_get_value(sonar) + 0.5);
    draw_ray(direction, RADIUS, 0x000000);
    draw_ray(direction, cm < FARTHEST ? cm * RADIUS / FARTHEST : RADIUS, 0xFFFFFF);
    draw_distance(cm);
    if (direction + way < 0 || direction + way == DIRECTIONS) way = -way;
    direction += way;
  }
  wb_robot_cleanup();
  return 0;
}
