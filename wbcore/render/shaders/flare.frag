// Lens flares: ghosts of the picture, mirrored at its center, and a halo. Source: manual, chapter LensFlare;
// lens_flare.frag of Webots, whose colors of ghosts come from a picture: here they grow warm toward the corners.
#version 430 core
in vec2 uv;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;
uniform vec4 bias_scale;  // bias and scale of light, dispersal of ghosts, radius of the halo
uniform vec2 ghosts;      // their number, and how far red and blue are apart (pixels)

const float CORNER = length(vec2(0.5));

float from_center(vec2 place) { return length(vec2(0.5) - place) / CORNER; }

vec3 bright(vec2 place, vec2 beside) {
  vec3 light = vec3(texture(picture, place - beside).r, texture(picture, place).g, texture(picture, place + beside).b);
  return max(light + bias_scale.x, 0.0) * bias_scale.y;
}

void main() {
  vec2 mirrored = 1.0 - uv, toward = (0.5 - mirrored) * bias_scale.z;
  vec2 direction = toward / max(length(toward), 1e-9);
  vec2 beside = direction * ghosts.y / float(textureSize(picture, 0).x);
  vec3 sum = vec3(0.0);
  for (int i = 0; i < int(ghosts.x); ++i) {
    vec2 place = fract(mirrored + toward * float(i));
    sum += bright(place, beside) * pow(max(1.0 - from_center(place), 0.0), 10.0);
  }
  float far = from_center(mirrored);
  sum *= vec3(1.0, 1.0 - 0.4 * far, 1.0 - 0.8 * far);
  vec2 halo = fract(mirrored + direction * bias_scale.w);
  sum += bright(halo, beside) * pow(max(1.0 - from_center(halo), 0.0), 5.0);
  color = vec4(clamp(sum, 0.0, 1.0), 1.0);
}
