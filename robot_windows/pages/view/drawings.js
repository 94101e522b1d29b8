// Optional drawings over the scene: lines and points that belong to bodies or to the world, see
// wbcore/view/drawings.py, and the frame around what is selected.
import {BufferAttribute, BufferGeometry, DoubleSide, GLSL3, LineSegments, Matrix4, Mesh, Points, RawShaderMaterial, Scene, Texture, Vector3} from '../vendor/three.js';

// Colors as red, green, blue; whether shapes hide the drawing.
const LOOKS = {
  bounds: [1, 1, 1, true], axes: [0.1, 0.1, 0.1, false], contacts: [1, 0.15, 0.1, false], masses: [0.9, 0.2, 0.9, false],
  forces: [1, 0.75, 0.1, false],
  x: [0.95, 0.2, 0.2, false], y: [0.2, 0.75, 0.2, false], z: [0.25, 0.4, 1, false], free: [1, 0.25, 0.2, true], hits: [0.1, 0.8, 0.3, true],
  lidar: [0.1, 0.75, 1, true], cameras: [0.85, 0.2, 0.85, true], track: [1, 0.6, 0.1, true], selected: [0.25, 0.6, 1, false],
  plugin: [1, 1, 1, true],
};
const MOST_TRACK = 3000; // points
const MIN_STEP = 0.002; // m between two points of a track
const FRAME = [0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4, 0, 4, 1, 5, 2, 6, 3, 7];

const VERTEX = `precision highp float;
in vec3 position;
in vec2 uv;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform float size;
out vec2 mapped;
void main() {
  mapped = uv;
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
  gl_PointSize = size;
}`;
const FRAGMENT = `precision highp float;
uniform vec4 tint;
uniform sampler2D picture;
in vec2 mapped;
out vec4 color;
void main() {
#ifdef ROUND
  vec2 off = 2.0 * gl_PointCoord - 1.0;
  if (dot(off, off) > 1.0) discard;
#endif
#ifdef PICTURE
  color = vec4(texture(picture, mapped).rgb, 1.0);
#else
  color = tint;
#endif
}`;

// color: instead of that of the look.
function materialOf(look, defines = {}, color = null, size = 7) {
  const [red, green, blue, isHidden] = LOOKS[look];
  const made = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, side: DoubleSide, depthTest: isHidden, depthWrite: false,
    uniforms: {tint: {value: color ?? [red, green, blue, 1]}, picture: {value: null}, size: {value: size}}, defines,
  });
  made.transparent = true; // after everything else
  return made;
}

function geometryOf(numbers) {
  const made = new BufferGeometry();
  made.setAttribute('position', new BufferAttribute(new Float32Array(numbers), 3));
  return made;
}

// Points, lines or triangles with a color of their own; size: of points, in pixels.
function colored({shape, look, color, size, at}) {
  if (shape === 'points') return new Points(geometryOf(at), materialOf(look, {ROUND: ''}, color, Math.max(size, 2)));
  return new (shape === 'lines' ? LineSegments : Mesh)(geometryOf(at), materialOf(look, {}, color));
}

export class Drawings {
  constructor() {
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.kinds = new Map(); // kind -> objects
    this.tracks = new Map(); // key -> points
    this.pictures = new Map(); // camera -> mesh
  }

  // parts: as sent; null: none.
  show(kind, parts) {
    if (kind === 'pictures') return this.showPictures(parts ?? {});
    for (const one of this.kinds.get(kind) ?? []) this.drop(one);
    if (kind === 'tracks' && !parts) this.tracks.clear();
    this.kinds.set(kind, (parts ?? []).flatMap((part, i) => this.make(part, `${kind} ${i}`)));
  }

  make(part, key) {
    if (part.shape === 'frustum') return this.frustum(part);
    if (part.color) return [this.add(colored(part), part.body)];
    const made = part.shape === 'points' ? new Points(geometryOf(part.at), materialOf(part.look, {ROUND: ''})) : new LineSegments(geometryOf(part.shape === 'track' ? [] : part.at), materialOf(part.look));
    if (part.shape === 'track') {
      made.userData.track = key;
      made.userData.at = new Vector3(...part.at);
      made.userData.carrier = part.body;
    }
    return [this.add(made, part.shape === 'track' ? null : part.body)];
  }

  // A pyramid: the eye, then the corners of its base from the upper left; the picture lies on the base.
  frustum({body, at, look, key}) {
    const [eye, ...corners] = [0, 3, 6, 9, 12].map((i) => at.slice(i, i + 3));
    const lines = corners.flatMap((one, i) => [...eye, ...one, ...one, ...corners[(i + 1) % 4]]);
    const base = geometryOf(corners.flat());
    base.setAttribute('uv', new BufferAttribute(new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]), 2));
    base.setIndex([0, 2, 1, 0, 3, 2]);
    const material = materialOf(look, {PICTURE: ''});
    const picture = this.add(new Mesh(base, material), body);
    picture.visible = false; // until there is one
    this.pictures.set(key, picture);
    return [this.add(new LineSegments(geometryOf(lines), materialOf(look)), body), picture];
  }

  // Addresses by camera.
  showPictures(addresses) {
    for (const [key, address] of Object.entries(addresses)) {
      const image = new Image();
      image.onload = () => this.setPicture(key, image);
      image.src = address;
    }
  }

  // The newest picture of a camera: an element that a texture can be made from.
  setPicture(key, image) {
    const mesh = this.pictures.get(key);
    if (!mesh) return;
    const {picture} = mesh.material.uniforms;
    picture.value?.dispose();
    picture.value = new Texture(image);
    picture.value.flipY = false;
    picture.value.generateMipmaps = false;
    picture.value.needsUpdate = true;
    mesh.visible = true;
  }

  add(made, body) {
    made.matrixAutoUpdate = false;
    made.frustumCulled = false;
    made.userData.body = body;
    this.scene.add(made);
    return made;
  }

  drop(made) {
    this.scene.remove(made);
    made.geometry.dispose();
    made.material.uniforms.picture.value?.dispose();
    made.material.dispose();
  }

  // Frames around groups of meshes.
  select(groups) {
    for (const one of this.kinds.get('selected') ?? []) this.drop(one);
    this.kinds.set('selected', groups.filter(({meshes}) => meshes.length).map((one) => this.frame(one)));
  }

  // In the axes of the body that carries the meshes, or of the world.
  frame({meshes, carrier: body}) {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const inverse = body == null ? new Matrix4() : meshes[0].parent.matrixWorld.clone().invert();
    for (const mesh of meshes) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      const box = mesh.geometry.boundingBox.clone().applyMatrix4(inverse.clone().multiply(mesh.matrixWorld));
      low.min(box.min);
      high.max(box.max);
    }
    const [a, b] = [low.toArray(), high.toArray()];
    const corners = [[a[0], a[1], a[2]], [b[0], a[1], a[2]], [b[0], b[1], a[2]], [a[0], b[1], a[2]], [a[0], a[1], b[2]], [b[0], a[1], b[2]], [b[0], b[1], b[2]], [a[0], b[1], b[2]]];
    return this.add(new LineSegments(geometryOf(FRAME.flatMap((i) => corners[i])), materialOf('selected')), body);
  }

  // Two points (m, world) that show a force or torque; null: none.
  arrow(from, to) {
    for (const one of this.kinds.get('arrow') ?? []) this.drop(one);
    this.kinds.set('arrow', from ? [this.add(new LineSegments(geometryOf([...from, ...to]), materialOf('track')), null), this.add(new Points(geometryOf(to), materialOf('track', {ROUND: ''})), null)] : []);
  }

  // bodies: number -> group. Call before drawing, after bodies have moved.
  follow(bodies) {
    for (const one of this.scene.children) {
      const {body, track} = one.userData;
      if (track) this.extend(one, bodies.get(one.userData.carrier));
      if (body == null) continue;
      const carrier = bodies.get(body);
      one.visible = Boolean(carrier) && (!('PICTURE' in one.material.defines) || Boolean(one.material.uniforms.picture.value));
      if (carrier) one.matrixWorld.copy(carrier.matrix);
    }
  }

  extend(line, carrier) {
    if (!carrier) return;
    const place = line.userData.at.clone().applyMatrix4(carrier.matrix);
    const points = this.tracks.get(line.userData.track) ?? [];
    this.tracks.set(line.userData.track, points);
    const last = points.at(-1);
    if (last && last.distanceTo(place) < MIN_STEP) return;
    points.push(place);
    if (points.length > MOST_TRACK) points.shift();
    line.geometry.dispose();
    line.geometry = geometryOf(points.slice(1).flatMap((one, i) => [...points[i].toArray(), ...one.toArray()]));
  }

  dispose() {
    for (const parts of this.kinds.values()) parts.forEach((one) => this.drop(one));
    this.kinds.clear();
  }
}
