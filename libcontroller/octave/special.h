/* Functions whose MATLAB form differs from C: images, packets, colors, and results that are structures. */
#ifndef SPECIAL_H
#define SPECIAL_H

#include <octave/oct.h>

/* Each takes the arguments of the MATLAB function. `name` is the function's. */
octave_value camera_image(const char *name, const octave_value_list &given);
octave_value segmentation_image(const char *name, const octave_value_list &given);
octave_value range_image(const char *name, const octave_value_list &given);
octave_value camera_range_image(const char *name, const octave_value_list &given);
octave_value lidar_image(const char *name, const octave_value_list &given);
octave_value lidar_layer(const char *name, const octave_value_list &given);
octave_value lidar_points(const char *name, const octave_value_list &given);
octave_value lidar_layer_points(const char *name, const octave_value_list &given);
octave_value recognized_objects(const char *name, const octave_value_list &given);
octave_value radar_targets(const char *name, const octave_value_list &given);
octave_value contact_points(const char *name, const octave_value_list &given);
octave_value mouse_state(const char *name, const octave_value_list &given);
octave_value display_color(const char *name, const octave_value_list &given);
octave_value draw_polygon(const char *name, const octave_value_list &given);
octave_value fill_polygon(const char *name, const octave_value_list &given);
octave_value image_new(const char *name, const octave_value_list &given);
octave_value pen_color(const char *name, const octave_value_list &given);
octave_value emitter_send(const char *name, const octave_value_list &given);
octave_value receiver_bytes(const char *name, const octave_value_list &given);
octave_value set_label(const char *name, const octave_value_list &given);

/* End the program with an exit code; without leaving the simulation if the code is not 0. */
octave_value leave(const char *name, const octave_value_list &given);

#endif
