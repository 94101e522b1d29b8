// Functions of OpenGL 1.x that physics plugins call in webots_physics_draw. Plugins find these before those
// of the system (see `open_to_plugins`), because there is no window to draw in. Others have no effect on
// where primitives are; those that are missing here come from the system.
#include <cmath>
#include <limits>

#include "gl_recorder.h"

#define EXPORTED extern "C" __attribute__((visibility("default"), used))

namespace {

using wb::gl_recorder;
using wb::Matrix;

constexpr Matrix kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
constexpr unsigned kAmbientAndDiffuse = 0x1602, kDiffuse = 0x1201, kModelviewMatrix = 0x0BA6;
constexpr unsigned kDepthTest = 0x0B71;
constexpr double kDegree = 3.14159265358979323846 / 180;

void vertex(double x, double y, double z) {
  if (auto *to = gl_recorder()) to->vertex(x, y, z);
}

void color(double red, double green, double blue, double opacity = 1) {
  if (auto *to = gl_recorder()) to->set_color(red, green, blue, opacity);
}

// Whole numbers span 0 to 1.
template <class T>
double share(T value) {
  if constexpr (std::numeric_limits<T>::is_integer)
    return static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max());
  else
    return static_cast<double>(value);
}

void multiply(const Matrix &matrix) {
  if (auto *to = gl_recorder()) to->multiply(matrix);
}

void translate(double x, double y, double z) { multiply({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}); }

void scale(double x, double y, double z) { multiply({x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}); }

void rotate(double angle, double x, double y, double z) {
  const double length = std::sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return;
  x /= length, y /= length, z /= length;
  const double c = std::cos(angle * kDegree), s = std::sin(angle * kDegree), d = 1 - c;
  multiply({x * x * d + c, y * x * d + z * s, z * x * d - y * s, 0, x * y * d - z * s, y * y * d + c,
            z * y * d + x * s, 0, x * z * d + y * s, y * z * d - x * s, z * z * d + c, 0, 0, 0, 0, 1});
}

template <class T>
Matrix matrix_of(const T *values) {
  Matrix made{};
  for (size_t i = 0; i < made.size(); ++i) made[i] = static_cast<double>(values[i]);
  return made;
}

template <class T>
void load(const T *values) {
  if (auto *to = gl_recorder()) to->load(matrix_of(values));
}

template <class T>
void get(unsigned name, T *values) {
  const auto *from = gl_recorder();
  for (size_t i = 0; from && name == kModelviewMatrix && i < 16; ++i)
    values[i] = static_cast<T>(from->matrix()[i]);
}

}  // namespace

EXPORTED void glBegin(unsigned mode) {
  if (auto *to = gl_recorder()) to->begin(mode);
}
EXPORTED void glEnd() {
  if (auto *to = gl_recorder()) to->end();
}
EXPORTED void glPointSize(float pixels) {
  if (auto *to = gl_recorder()) to->set_point_size(pixels);
}
EXPORTED void glLineWidth(float pixels) {
  if (auto *to = gl_recorder()) to->set_line_width(pixels);
}
EXPORTED void glEnable(unsigned what) {
  if (auto *to = gl_recorder(); to && what == kDepthTest) to->set_depth_test(true);
}
EXPORTED void glDisable(unsigned what) {
  if (auto *to = gl_recorder(); to && what == kDepthTest) to->set_depth_test(false);
}
EXPORTED void glPushAttrib(unsigned) {
  if (auto *to = gl_recorder()) to->push_look();
}
EXPORTED void glPopAttrib() {
  if (auto *to = gl_recorder()) to->pop_look();
}
EXPORTED void glMatrixMode(unsigned mode) {
  if (auto *to = gl_recorder()) to->choose_matrix(mode);
}
EXPORTED void glPushMatrix() {
  if (auto *to = gl_recorder()) to->push_matrix();
}
EXPORTED void glPopMatrix() {
  if (auto *to = gl_recorder()) to->pop_matrix();
}
EXPORTED void glLoadIdentity() { load(kIdentity.data()); }
// Colors of lit surfaces.
EXPORTED void glMaterialfv(unsigned, unsigned name, const float *values) {
  if (name == kAmbientAndDiffuse || name == kDiffuse) color(values[0], values[1], values[2], values[3]);
}

#define VERTICES(letter, T)                                                                   \
  EXPORTED void glVertex2##letter(T x, T y) { vertex(double(x), double(y), 0); }              \
  EXPORTED void glVertex3##letter(T x, T y, T z) { vertex(double(x), double(y), double(z)); } \
  EXPORTED void glVertex2##letter##v(const T *v) { vertex(double(v[0]), double(v[1]), 0); }   \
  EXPORTED void glVertex3##letter##v(const T *v) { vertex(double(v[0]), double(v[1]), double(v[2])); }
VERTICES(d, double)
VERTICES(f, float)
VERTICES(i, int)
VERTICES(s, short)

#define COLORS(letter, T)                                                                               \
  EXPORTED void glColor3##letter(T r, T g, T b) { color(share(r), share(g), share(b)); }                \
  EXPORTED void glColor4##letter(T r, T g, T b, T a) { color(share(r), share(g), share(b), share(a)); } \
  EXPORTED void glColor3##letter##v(const T *v) { color(share(v[0]), share(v[1]), share(v[2])); }       \
  EXPORTED void glColor4##letter##v(const T *v) { color(share(v[0]), share(v[1]), share(v[2]), share(v[3])); }
COLORS(b, signed char)
COLORS(d, double)
COLORS(f, float)
COLORS(i, int)
COLORS(s, short)
COLORS(ub, unsigned char)
COLORS(ui, unsigned)
COLORS(us, unsigned short)

#define MATRICES(letter, T)                                                                                  \
  EXPORTED void glTranslate##letter(T x, T y, T z) { translate(double(x), double(y), double(z)); }           \
  EXPORTED void glScale##letter(T x, T y, T z) { scale(double(x), double(y), double(z)); }                   \
  EXPORTED void glRotate##letter(T a, T x, T y, T z) { rotate(double(a), double(x), double(y), double(z)); } \
  EXPORTED void glMultMatrix##letter(const T *m) { multiply(matrix_of(m)); }                                 \
  EXPORTED void glLoadMatrix##letter(const T *m) { load(m); }
MATRICES(d, double)
MATRICES(f, float)

EXPORTED void glGetDoublev(unsigned name, double *values) { get(name, values); }
EXPORTED void glGetFloatv(unsigned name, float *values) { get(name, values); }
EXPORTED unsigned glGetError() { return 0; }
EXPORTED unsigned char glIsEnabled(unsigned) { return 0; }
EXPORTED unsigned glGenLists(int) { return 0; }

// The arguments do not matter: callers pass them in registers or clean up the stack.
#define IGNORED(name) \
  EXPORTED void name() {}
IGNORED(glNormal3d)
IGNORED(glNormal3dv)
IGNORED(glNormal3f)
IGNORED(glNormal3fv)
IGNORED(glMaterialf)
IGNORED(glMateriali)
IGNORED(glColorMaterial)
IGNORED(glLightf)
IGNORED(glLightfv)
IGNORED(glLightModelf)
IGNORED(glLightModelfv)
IGNORED(glLightModeli)
IGNORED(glShadeModel)
IGNORED(glBlendFunc)
IGNORED(glAlphaFunc)
IGNORED(glDepthFunc)
IGNORED(glDepthMask)
IGNORED(glDepthRange)
IGNORED(glCullFace)
IGNORED(glFrontFace)
IGNORED(glPolygonMode)
IGNORED(glPolygonOffset)
IGNORED(glLineStipple)
IGNORED(glHint)
IGNORED(glFlush)
IGNORED(glFinish)
IGNORED(glTexCoord2d)
IGNORED(glTexCoord2f)
IGNORED(glBindTexture)
IGNORED(glGenTextures)
IGNORED(glDeleteTextures)
IGNORED(glTexEnvf)
IGNORED(glTexEnvi)
IGNORED(glTexParameterf)
IGNORED(glTexParameteri)
IGNORED(glTexImage2D)
IGNORED(glPixelStorei)
IGNORED(glRasterPos3d)
IGNORED(glRasterPos3f)
IGNORED(glBitmap)
IGNORED(glDrawPixels)
IGNORED(glNewList)
IGNORED(glEndList)
IGNORED(glCallList)
IGNORED(glDeleteLists)
IGNORED(glViewport)
IGNORED(glOrtho)
IGNORED(glFrustum)
IGNORED(glClear)
IGNORED(glClearColor)
IGNORED(glFogf)
IGNORED(glFogfv)
IGNORED(glFogi)
