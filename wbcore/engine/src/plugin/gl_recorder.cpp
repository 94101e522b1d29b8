// Primitives from vertices. Numbers of modes: OpenGL 1.x specification, section 2.6.1.
#include "gl_recorder.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace wb {
namespace {

enum Mode : unsigned {
  kPoints,
  kLines,
  kLineLoop,
  kLineStrip,
  kTriangles,
  kTriangleStrip,
  kTriangleFan,
  kQuads,
  kQuadStrip,
  kPolygon
};

thread_local std::unique_ptr<GlRecorder> recorder;

}  // namespace

GlRecorder *gl_recorder() { return recorder.get(); }

DrawingScope::DrawingScope(std::vector<DrawnBatch> &batches) {
  recorder = std::make_unique<GlRecorder>(batches);
}
DrawingScope::~DrawingScope() { recorder.reset(); }

void GlRecorder::begin(unsigned mode) {
  mode_ = mode;
  is_open_ = true;
  vertices_.clear();
}

void GlRecorder::vertex(double x, double y, double z) {
  if (!is_open_ || count_ + vertices_.size() >= kMostVertices) return;
  Vertex made{{}, color_};
  for (size_t k = 0; k < 3; ++k)
    made.at[k] =
        static_cast<float>(matrix_[k] * x + matrix_[4 + k] * y + matrix_[8 + k] * z + matrix_[12 + k]);
  // JSON has no other numbers
  if (std::all_of(made.at.begin(), made.at.end(), [](float v) { return std::isfinite(v); }))
    vertices_.push_back(made);
}

// Flat colors: a primitive has that of its last vertex.
void GlRecorder::add(std::initializer_list<size_t> corners) {
  const auto count = static_cast<int32_t>(corners.size());
  const std::array<float, 4> &color = vertices_[*(corners.end() - 1)].color;
  const float size = count == 1 ? point_size_ : count == 2 ? line_width_ : 1.0f;
  const auto is_like = [&](const DrawnBatch &one) {
    return one.corners == count && one.color == color && one.size == size && one.pass == pass_ &&
           one.is_hidden == has_depth_test_;
  };
  if (batches_.empty() || !is_like(batches_.back()))
    batches_.push_back({count, color, size, pass_, has_depth_test_, {}});
  for (size_t i : corners) {
    const auto &at = vertices_[i].at;
    batches_.back().at.insert(batches_.back().at.end(), at.begin(), at.end());
  }
  count_ += corners.size();
}

void GlRecorder::add_polygons(size_t count) {
  switch (mode_) {
    case kTriangles:
      for (size_t i = 2; i < count; i += 3) add({i - 2, i - 1, i});
      break;
    case kTriangleStrip:
    case kQuadStrip:
      for (size_t i = 2; i < count; ++i) add({i - 2, i - 1, i});
      break;
    case kQuads:
      for (size_t i = 3; i < count; i += 4) add({i - 3, i - 2, i}), add({i - 2, i - 1, i});
      break;
    case kTriangleFan:
    case kPolygon:
      for (size_t i = 2; i < count; ++i) add({0, i - 1, i});
      break;
    default: break;
  }
}

void GlRecorder::end() {
  const size_t count = vertices_.size();
  is_open_ = false;
  switch (mode_) {
    case kPoints:
      for (size_t i = 0; i < count; ++i) add({i});
      break;
    case kLines:
      for (size_t i = 1; i < count; i += 2) add({i - 1, i});
      break;
    case kLineLoop:
    case kLineStrip:
      for (size_t i = 1; i < count; ++i) add({i - 1, i});
      if (mode_ == kLineLoop && count > 2) add({count - 1, 0});
      break;
    default: add_polygons(count);
  }
  vertices_.clear();
}

void GlRecorder::set_color(double red, double green, double blue, double opacity) {
  const double given[] = {red, green, blue, opacity};
  for (size_t k = 0; k < 4; ++k)
    color_[k] = given[k] >= 0 ? static_cast<float>(std::min(given[k], 1.0)) : 0.0f;  // NaN: 0
}

void GlRecorder::push_look() {
  if (looks_.size() < kDeepest) looks_.push_back({color_, point_size_, line_width_, has_depth_test_});
}

void GlRecorder::pop_look() {
  if (looks_.empty()) return;
  color_ = looks_.back().color;
  point_size_ = looks_.back().point_size;
  line_width_ = looks_.back().line_width;
  has_depth_test_ = looks_.back().has_depth_test;
  looks_.pop_back();
}

void GlRecorder::push_matrix() {
  if (is_modelview_ && matrices_.size() < kDeepest) matrices_.push_back(matrix_);
}

void GlRecorder::pop_matrix() {
  if (!is_modelview_ || matrices_.empty()) return;
  matrix_ = matrices_.back();
  matrices_.pop_back();
}

void GlRecorder::load(const Matrix &matrix) {
  if (is_modelview_) matrix_ = matrix;
}

void GlRecorder::multiply(const Matrix &matrix) {
  if (!is_modelview_) return;
  const Matrix before = matrix_;
  for (size_t column = 0; column < 4; ++column)
    for (size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (size_t k = 0; k < 4; ++k) sum += before[4 * k + row] * matrix[4 * column + k];
      matrix_[4 * column + row] = sum;
    }
}

}  // namespace wb
