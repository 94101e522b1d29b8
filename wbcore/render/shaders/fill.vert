// One triangle that covers the whole picture.
#version 430 core
out vec2 uv;  // from 0 to 1, the first row of the picture at 0

void main() {
  uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(2.0 * uv - 1.0, 1.0, 1.0);
}
