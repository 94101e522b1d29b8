/* Overwrites the file of a camera's picture between step_begin and step_end, as a fast simulator does, and
   prints the first byte of the picture: before, within and after the step. The argument is the file. */
#include <stdio.h>
#include <string.h>
#include <webots/camera.h>
#include <webots/robot.h>

int main(int argc, char **argv) {
  char line[32];
  wb_robot_init();
  const WbDeviceTag camera = wb_robot_get_device("camera");
  wb_camera_enable(camera, 32);
  wb_robot_step(32);
  const unsigned char *image = wb_camera_get_image(camera);
  const int before = image[0];
  wb_robot_step_begin(32);
  FILE *file = fopen(argc > 1 ? argv[1] : "", "r+b");
  if (!file) return 1;
  memset(line, 9, sizeof line);
  fwrite(line, 1, sizeof line, file);
  fclose(file);
  const int kept = image[0], within = wb_camera_get_image(camera)[0];
  wb_robot_step_end();
  printf("%d %d %d %d %d\n", before, kept, within, image[0], image == wb_camera_get_image(camera));
  wb_robot_cleanup();
  return 0;
}
