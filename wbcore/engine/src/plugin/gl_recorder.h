// Turns immediate-mode OpenGL 1.x into batches of primitives.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "drawing.h"

namespace wb {

using Matrix = std::array<double, 16>;  // by columns, as in OpenGL

class GlRecorder {
 public:
  explicit GlRecorder(std::vector<DrawnBatch> &batches) : batches_(batches) {}

  void begin(unsigned mode);
  void vertex(double x, double y, double z);
  void end();
  void set_color(double red, double green, double blue, double opacity);
  void set_point_size(double pixels) { point_size_ = static_cast<float>(pixels); }
  void set_line_width(double pixels) { line_width_ = static_cast<float>(pixels); }
  void set_depth_test(bool on) { has_depth_test_ = on; }
  void begin_pass(int32_t pass) { pass_ = pass; }
  void push_look();
  void pop_look();

  // Only the modelview matrix counts: it is the identity in the world's axes.
  void choose_matrix(unsigned mode) { is_modelview_ = mode == kModelview; }
  void push_matrix();
  void pop_matrix();
  void load(const Matrix &matrix);
  void multiply(const Matrix &matrix);
  const Matrix &matrix() const { return matrix_; }

 private:
  static constexpr unsigned kModelview = 0x1700;
  static constexpr size_t kMostVertices = 300000, kDeepest = 64;
  struct Vertex {
    std::array<float, 3> at;
    std::array<float, 4> color;
  };
  struct Look {
    std::array<float, 4> color;
    float point_size, line_width;
    bool has_depth_test;
  };

  void add(std::initializer_list<size_t> corners);
  void add_polygons(size_t count);

  std::vector<DrawnBatch> &batches_;
  std::vector<Vertex> vertices_;  // since begin
  std::vector<Matrix> matrices_;
  std::vector<Look> looks_;
  Matrix matrix_{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  std::array<float, 4> color_{1, 1, 1, 1};
  float point_size_ = 1, line_width_ = 1;
  bool has_depth_test_ = true;
  int32_t pass_ = 0;
  unsigned mode_ = 0;
  size_t count_ = 0;  // of vertices in batches
  bool is_open_ = false, is_modelview_ = true;
};

// The recorder of this thread; null: nothing is recorded.
GlRecorder *gl_recorder();

}  // namespace wb
