/* Looks at pictures of all kinds, and saves and shows some in the folder that is its argument. */
#include <stdio.h>
#include <webots/camera.h>
#include <webots/display.h>
#include <webots/lidar.h>
#include <webots/range_finder.h>
#include <webots/robot.h>

static char path[4096];
static const char *folder;

static const char *file(const char *name) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void print_camera(WbDeviceTag camera) {
  const unsigned char *image = wb_camera_get_image(camera);
  const int width = wb_camera_get_width(camera);
  for (int x = 0; image && x < width; ++x)
    printf("%d,%d,%d,%d ", wb_camera_image_get_red(image, width, x, 1),
           wb_camera_image_get_green(image, width, x, 1), wb_camera_image_get_blue(image, width, x, 1),
           wb_camera_image_get_gray(image, width, x, 1));
  puts(image ? "" : "no picture");
}

static void print_ranges(WbDeviceTag finder, WbDeviceTag lidar) {
  const float *depths = wb_range_finder_get_range_image(finder),
              *layer = wb_lidar_get_layer_range_image(lidar, 1);
  const WbLidarPoint *point = wb_lidar_get_point(lidar, 5);
  if (depths && layer)
    printf("%g %g %g\n", wb_range_finder_image_get_depth(depths, 4, 1, 1), layer[0], layer[2]);
  if (point) printf("%g %g %g %d %g\n", point->x, point->y, point->z, point->layer_id, point->time);
}

/* As controllers of Webots 8 call a range finder. */
static void print_former(WbDeviceTag finder) {
  wb_camera_enable(finder, 64);
  const float *depths = wb_camera_get_range_image(finder);
  printf("%c %d %d %d ", wb_camera_get_type(finder), wb_camera_get_sampling_period(finder),
         wb_camera_get_width(finder), wb_camera_get_height(finder));
  printf("%d %d ", wb_camera_get_fov(finder) == wb_range_finder_get_fov(finder),
         wb_camera_get_near(finder) == wb_range_finder_get_min_range(finder));
  printf("%g %d\n", depths ? wb_camera_range_image_get_depth(depths, 4, 1, 1) : 0,
         wb_camera_save_image(finder, file("former.png"), 100));
}

static void print_objects(WbDeviceTag camera) {
  const WbCameraRecognitionObject *objects = wb_camera_recognition_get_objects(camera);
  for (int i = 0; i < wb_camera_recognition_get_number_of_objects(camera); ++i)
    printf("%s %d %g %d %g\n", objects[i].model, objects[i].id, objects[i].position[2],
           objects[i].size_on_image[1], objects[i].colors[3 * objects[i].number_of_colors - 1]);
}

static void show(WbDeviceTag display) {
  WbImageRef loaded = wb_display_image_load(display, file("given.png"));
  WbImageRef copy = wb_display_image_copy(display, 0, 0, 2, 2);
  wb_display_image_paste(display, loaded, 1, 2, true);
  wb_display_image_delete(display, copy);
  wb_display_image_paste(display, copy, 0, 0, false);
  wb_display_fill_polygon(display, (int[]){0, 1, 2}, (int[]){3, 4, 5}, 3);
  wb_display_image_save(display, NULL, file("display.png"));
  wb_display_image_load(display, file("damaged.png"));
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : ".";
  wb_robot_init();
  const WbDeviceTag camera = wb_robot_get_device("camera"), finder = wb_robot_get_device("rangefinder"),
                    lidar = wb_robot_get_device("lidar"), display = wb_robot_get_device("display");
  wb_camera_enable(camera, 32);
  wb_camera_recognition_enable(camera, 32);
  wb_range_finder_enable(finder, 32);
  wb_lidar_enable(lidar, 32);
  wb_lidar_enable_point_cloud(lidar);
  print_camera(camera);
  for (int i = 0; i < 2; ++i) {
    wb_robot_step(32);
    print_camera(camera);
  }
  print_ranges(finder, lidar);
  print_objects(camera);
  printf("%d", wb_camera_save_image(camera, file("camera.png"), 100));
  printf("%d", wb_range_finder_save_image(finder, file("depths.png"), 100));
  printf("%d", wb_range_finder_save_image(finder, file("depths.hdr"), 100));
  printf("%d", wb_camera_save_image(camera, file("camera.jpg"), 100));
  printf("%d\n", wb_camera_save_image(camera, file("camera.bmp"), 100));
  print_former(finder);
  show(display);
  wb_robot_step(32);
  wb_robot_cleanup();
  return 0;
}
