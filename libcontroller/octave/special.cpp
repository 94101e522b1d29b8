/* See special.h. */
#include "special.h"

#include <octave/ov-struct.h>
#include <unistd.h>
#include <webots/camera.h>
#include <webots/display.h>
#include <webots/emitter.h>
#include <webots/lidar.h>
#include <webots/mouse.h>
#include <webots/pen.h>
#include <webots/radar.h>
#include <webots/range_finder.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/supervisor.h>

#include "conversions.h"

/* The device that is the first of `count` arguments. */
static WbDeviceTag tag_of(const char *name, const octave_value_list &given, int count) {
  check(name, given, count, 0);
  return static_cast<WbDeviceTag>(given(0).int_value());
}

/* Rows, columns, and red, green and blue, from pixels of blue, green, red and alpha. */
static octave_value image(const unsigned char *pixels, int width, int height) {
  if (!pixels) return Matrix();
  uint8NDArray made(dim_vector(height, width, 3));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, pixels += 4) {
      for (int color = 0; color < 3; ++color) made(y, x, color) = pixels[2 - color];
    }
  }
  return made;
}

static octave_value ranges(const float *values, int width, int height) {
  if (!values) return Matrix();
  FloatMatrix made(height, width);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) made(y, x) = *values++;
  }
  return made;
}

octave_value camera_image(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  return image(wb_camera_get_image(tag), wb_camera_get_width(tag), wb_camera_get_height(tag));
}

octave_value segmentation_image(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  const unsigned char *pixels = wb_camera_recognition_get_segmentation_image(tag);
  return image(pixels, wb_camera_get_width(tag), wb_camera_get_height(tag));
}

octave_value range_image(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  const int width = wb_range_finder_get_width(tag);
  return ranges(wb_range_finder_get_range_image(tag), width, wb_range_finder_get_height(tag));
}

octave_value camera_range_image(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  return ranges(wb_camera_get_range_image(tag), wb_camera_get_width(tag), wb_camera_get_height(tag));
}

octave_value lidar_image(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  const int width = wb_lidar_get_horizontal_resolution(tag);
  return ranges(wb_lidar_get_range_image(tag), width, wb_lidar_get_number_of_layers(tag));
}

octave_value lidar_layer(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 2);
  const float *values = wb_lidar_get_layer_range_image(tag, given(1).int_value());
  return ranges(values, wb_lidar_get_horizontal_resolution(tag), 1);
}

/* A structure array: one cell array for each field. */
static octave_value structures(int count, std::initializer_list<std::pair<const char *, Cell>> fields) {
  octave_map made(dim_vector(1, count));
  for (const auto &field : fields) made.setfield(field.first, field.second);
  return made;
}

template <class T, class Get>
static Cell cells(const T *values, int count, Get get) {
  Cell made(1, count);
  for (int i = 0; i < count; ++i) made(i) = get(values[i]);
  return made;
}

static octave_value points(const WbLidarPoint *all, int count) {
  count = all ? count : 0;
  const auto field = [&](auto get) { return cells(all, count, get); };
  return structures(count,
                    {{"x", field([](const WbLidarPoint &p) { return octave_value(p.x); })},
                     {"y", field([](const WbLidarPoint &p) { return octave_value(p.y); })},
                     {"z", field([](const WbLidarPoint &p) { return octave_value(p.z); })},
                     {"layer_id", field([](const WbLidarPoint &p) { return octave_value(p.layer_id); })},
                     {"time", field([](const WbLidarPoint &p) { return octave_value(p.time); })}});
}

octave_value lidar_points(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  return points(wb_lidar_get_point_cloud(tag), wb_lidar_get_number_of_points(tag));
}

octave_value lidar_layer_points(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 2);
  const WbLidarPoint *all = wb_lidar_get_layer_point_cloud(tag, given(1).int_value());
  return points(all, wb_lidar_get_horizontal_resolution(tag));
}

octave_value recognized_objects(const char *name, const octave_value_list &given) {
  typedef WbCameraRecognitionObject Object;
  const WbDeviceTag tag = tag_of(name, given, 1);
  const Object *all = wb_camera_recognition_get_objects(tag);
  const int count = all ? wb_camera_recognition_get_number_of_objects(tag) : 0;
  const auto field = [&](auto get) { return cells(all, count, get); };
  return structures(
      count, {{"id", field([](const Object &o) { return octave_value(o.id); })},
              {"position", field([](const Object &o) { return row(o.position, 3); })},
              {"orientation", field([](const Object &o) { return row(o.orientation, 4); })},
              {"size", field([](const Object &o) { return row(o.size, 2); })},
              {"position_on_image", field([](const Object &o) { return row(o.position_on_image, 2); })},
              {"size_on_image", field([](const Object &o) { return row(o.size_on_image, 2); })},
              {"number_of_colors", field([](const Object &o) { return octave_value(o.number_of_colors); })},
              {"colors", field([](const Object &o) { return row(o.colors, 3 * o.number_of_colors); })},
              {"model", field([](const Object &o) { return result(static_cast<const char *>(o.model)); })}});
}

octave_value radar_targets(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  const WbRadarTarget *all = wb_radar_get_targets(tag);
  const int count = all ? wb_radar_get_number_of_targets(tag) : 0;
  const auto field = [&](auto get) { return cells(all, count, get); };
  return structures(
      count,
      {{"distance", field([](const WbRadarTarget &t) { return octave_value(t.distance); })},
       {"received_power", field([](const WbRadarTarget &t) { return octave_value(t.received_power); })},
       {"speed", field([](const WbRadarTarget &t) { return octave_value(t.speed); })},
       {"azimuth", field([](const WbRadarTarget &t) { return octave_value(t.azimuth); })}});
}

octave_value contact_points(const char *name, const octave_value_list &given) {
  check(name, given, 2, 1);
  int count = 0;
  const bool all = given.length() > 1 && given(1).is_true();
  const WbContactPoint *found =
      wb_supervisor_node_get_contact_points(Argument<WbNodeRef>(given(0)).get(), all, &count);
  count = found ? count : 0;
  return structures(
      count,
      {{"point", cells(found, count, [](const WbContactPoint &p) { return row(p.point, 3); })},
       {"node_id", cells(found, count, [](const WbContactPoint &p) { return octave_value(p.node_id); })}});
}

octave_value mouse_state(const char *name, const octave_value_list &given) {
  check(name, given, 0, 0);
  const WbMouseState state = wb_mouse_get_state();
  octave_scalar_map made;
  made.setfield("left", state.left);
  made.setfield("middle", state.middle);
  made.setfield("right", state.right);
  made.setfield("u", state.u);
  made.setfield("v", state.v);
  made.setfield("x", state.x);
  made.setfield("y", state.y);
  made.setfield("z", state.z);
  return made;
}

/* 0xRRGGBB of [red green blue], each 0 to 1. */
static int color_of(const octave_value &given) {
  const NDArray parts = given.array_value();
  if (parts.numel() != 3) error("a color is a vector [red green blue] of numbers from 0 to 1");
  int color = 0;
  for (int i = 0; i < 3; ++i)
    color = color << 8 | static_cast<int>(255 * std::min(std::max(parts(i), 0.0), 1.0));
  return color;
}

octave_value display_color(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 2);
  wb_display_set_color(tag, color_of(given(1)));
  return octave_value();
}

octave_value pen_color(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 3);
  wb_pen_set_ink_color(tag, color_of(given(1)), given(2).double_value());
  return octave_value();
}

static octave_value polygon(const char *name, const octave_value_list &given,
                            void (*draw)(WbDeviceTag, const int *, const int *, int)) {
  const WbDeviceTag tag = tag_of(name, given, 3);
  const NDArray x = given(1).array_value(), y = given(2).array_value();
  const int count = static_cast<int>(std::min(x.numel(), y.numel()));
  std::vector<int> xs(x.data(), x.data() + count), ys(y.data(), y.data() + count);
  draw(tag, xs.data(), ys.data(), count);
  return octave_value();
}

octave_value draw_polygon(const char *name, const octave_value_list &given) {
  return polygon(name, given, wb_display_draw_polygon);
}

octave_value fill_polygon(const char *name, const octave_value_list &given) {
  return polygon(name, given, wb_display_fill_polygon);
}

/* The place of red, green, blue and alpha in a pixel; -1: the format has no alpha. */
static std::array<int, 4> places(int format) {
  switch (format) {
    case WB_IMAGE_RGB: return {0, 1, 2, -1};
    case WB_IMAGE_ARGB: return {1, 2, 3, 0};
    case WB_IMAGE_BGRA: return {2, 1, 0, 3};
    default: return {0, 1, 2, 3};
  }
}

octave_value image_new(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 5);
  const int width = given(1).int_value(), height = given(2).int_value(), format = given(4).int_value();
  const std::array<int, 4> place = places(format);
  const int size = place[3] < 0 ? 3 : 4;
  const uint8NDArray data = given(3).uint8_array_value();
  std::vector<unsigned char> bytes(static_cast<std::size_t>(std::max(0, width * height * size)), 255);
  if (data.ndims() == 3 && data.dim1() == height && data.dim2() == width && data.dim3() >= 3) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        unsigned char *pixel = bytes.data() + (y * width + x) * size;
        for (int i = 0; i < std::min<int>(size, static_cast<int>(data.dim3())); ++i)
          pixel[place[i]] = data(y, x, i).value();
      }
    }
  } else if (data.numel() == static_cast<octave_idx_type>(bytes.size())) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = data(i).value();
  } else
    error("%s: the image must be %d x %d x 3 (rows, columns, colors), or %d bytes", name, height, width,
          static_cast<int>(bytes.size()));
  return result(wb_display_image_new(tag, width, height, bytes.data(), format));
}

/* Texts end with NUL, as in C; numbers are sent as they lie in memory. */
octave_value emitter_send(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 2);
  const octave_value &data = given(1);
  if (data.is_string()) {
    const std::string text = data.string_value();
    return wb_emitter_send(tag, text.c_str(), static_cast<int>(text.size()) + 1);
  }
  if (!data.is_matrix_type() && !data.is_scalar_type()) error("%s: the data must be a text or numbers", name);
  const octave_value full = data.full_value();
  return wb_emitter_send(tag, full.mex_get_data(), static_cast<int>(full.byte_size()));
}

octave_value receiver_bytes(const char *name, const octave_value_list &given) {
  const WbDeviceTag tag = tag_of(name, given, 1);
  const unsigned char *data = static_cast<const unsigned char *>(wb_receiver_get_data(tag));
  const int size = data ? wb_receiver_get_data_size(tag) : 0;
  uint8NDArray made(dim_vector(1, size));
  for (int i = 0; i < size; ++i) made(i) = data[i];
  return made;
}

octave_value set_label(const char *name, const octave_value_list &given) {
  check(name, given, 8, 2);
  const int number = given.length();
  const std::string text = given(1).string_value();
  const std::string font = number > 7 ? given(7).string_value() : "Arial";
  wb_supervisor_set_label(given(0).int_value(), text.c_str(), given(2).double_value(),
                          given(3).double_value(), given(4).double_value(), color_of(given(5)),
                          number > 6 ? given(6).double_value() : 0, font.c_str());
  return octave_value();
}

octave_value leave(const char *name, const octave_value_list &given) {
  check(name, given, 1, 0);
  const int code = given(0).int_value();
  octave_stdout.flush();
  if (!code) wb_robot_cleanup();
  fflush(nullptr);
  _exit(code); /* Octave would take a second to free what the system frees at once */
}
