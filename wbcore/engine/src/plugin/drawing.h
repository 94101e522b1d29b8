// What a physics plugin draws: points, lines and triangles of one color each, in the world's axes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace wb {

struct DrawnBatch {
  int32_t corners;             // of a primitive: 1 point, 2 line, 3 triangle
  std::array<float, 4> color;  // red, green, blue, opacity; 0 to 1
  float size;                  // of points or width of lines, in pixels
  int32_t pass;                // 0: before the world is drawn, 1: after it
  bool is_hidden;              // by what is in front of it; false: without depth test
  std::vector<float> at;       // x, y, z of each vertex (m)
};

// While it exists, the OpenGL calls of this thread are recorded (gl_calls.cpp).
class DrawingScope {
 public:
  explicit DrawingScope(std::vector<DrawnBatch> &batches);
  ~DrawingScope();
  DrawingScope(const DrawingScope &) = delete;
  DrawingScope &operator=(const DrawingScope &) = delete;
};

}  // namespace wb
