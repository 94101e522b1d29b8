// The objects of a scene description in three.js.
import {Group, LineSegments, Matrix4, Mesh, Points, Quaternion, Scene, Vector3, Vector4} from '../vendor/three.js';
import {cubesOf, geometryOf, materialOf, reflectanceOf, setRecord, textureOf} from './surfaces.js';

const KINDS = {1: Points, 2: LineSegments, 3: Mesh};
export const CASTS = 1; // the layer of what casts shadows

// uniforms: shared by all materials; getBlob(name): the content of a file, now or later.
export async function makeWorld(description, getBlob) {
  const made = new World(description, getBlob);
  await made.build();
  return made;
}

class World {
  constructor(description, getBlob) {
    this.description = description;
    this.getBlob = getBlob;
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.bodies = new Map(); // number -> group
    this.meshes = []; // by the places of shapes in the description
    this.materials = []; // by the places of surfaces
    this.textures = new Map();
    this.live = new Map(); // key of a changing texture -> materials and their uniforms
    this.uniforms = {
      exposure: {value: 1}, sky: {value: new Vector4()}, ambient: {value: new Vector4()}, fog: {value: new Vector4()},
      lights: {value: []}, reflectance: {value: null}, surroundings: {value: null},
      shadow_map: {value: null}, shadow_clip: {value: new Matrix4()}, shadow_texel: {value: 0},
    };
    this.defines = {};
  }

  async build() {
    const {description} = this;
    await this.setAir(description.air);
    this.setLights(description.lights);
    const geometries = new Map();
    this.surfaces = [...description.surfaces]; // the newest ones
    const textured = Promise.all(description.surfaces.map((one) => this.texturesOf(one)));
    await Promise.all(description.shapes.map(async ({mesh, corners}) => {
      if (!geometries.has(mesh)) geometries.set(mesh, Promise.resolve(this.getBlob(mesh)).then((data) => geometryOf(data, corners)));
      geometries.set(mesh, await geometries.get(mesh));
    }));
    const surfaces = await textured;
    description.shapes.forEach((shape, i) => this.add(shape, i, geometries.get(shape.mesh), surfaces[shape.surface]));
    this.scene.updateMatrixWorld(true);
  }

  add(shape, i, geometry, textures) {
    const surface = this.description.surfaces[shape.surface];
    const key = `${shape.surface} ${shape.corners}`;
    this.materials[shape.surface] ??= new Map();
    let material = this.materials[shape.surface].get(key);
    if (!material) {
      material = materialOf(surface, shape.corners, this.uniforms, this.defines, textures);
      this.materials[shape.surface].set(key, material);
    }
    const mesh = new KINDS[shape.corners](geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(shape.place));
    mesh.userData = {shape: i, node: shape.node, body: shape.body};
    if (shape.casts && !surface.transparent && shape.corners === 3) mesh.layers.enable(CASTS);
    (shape.body == null ? this.scene : this.bodyOf(shape.body)).add(mesh);
    this.meshes[i] = mesh;
  }

  bodyOf(number) {
    if (!this.bodies.has(number)) {
      const made = new Group();
      made.matrixAutoUpdate = false;
      this.scene.add(made);
      this.bodies.set(number, made);
    }
    return this.bodies.get(number);
  }

  // poses: x y z and a quaternion (w x y z) for each of the numbers.
  setPoses(numbers, poses) {
    numbers.forEach((number, i) => {
      const body = this.bodies.get(number);
      if (!body) return;
      const at = 7 * i;
      place.set(poses[at], poses[at + 1], poses[at + 2]);
      turn.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
      body.matrix.compose(place, turn, ONE);
      body.updateMatrixWorld(true);
    });
  }

  setPlace(i, values) {
    this.meshes[i].matrix.copy(matrixOf(values));
    this.meshes[i].updateMatrixWorld(true);
  }

  // Surfaces and textures.

  texturesOf(surface) {
    return Promise.all(surface.textures.map((one) => one && this.textureFor(one)));
  }

  textureFor(description) {
    const key = JSON.stringify(description);
    if (!this.textures.has(key)) this.textures.set(key, textureOf(description, this.getBlob));
    return this.textures.get(key);
  }

  async setSurface(i, surface) {
    this.surfaces[i] = surface;
    const textures = await this.texturesOf(surface);
    this.description.shapes.forEach((shape, number) => {
      if (shape.surface !== i) return;
      const mesh = this.meshes[number];
      const isSame = ['kind', 'textures'].every((field) => JSON.stringify(mesh.userData.surface?.[field] ?? this.description.surfaces[i][field]) === JSON.stringify(surface[field]));
      if (isSame) setRecord(mesh.material, surface);
      else mesh.material = materialOf(surface, shape.corners, this.uniforms, this.defines, textures);
      mesh.userData.surface = surface;
    });
  }

  // A texture that changes: all uses show the new picture.
  async setTexture(key, {file}) {
    const uses = this.surfaces.flatMap((surface) => surface.textures).filter((one) => one?.live === key);
    await Promise.all(uses.map(async (use) => {
      const texture = await this.textureFor(use);
      const next = await textureOf({...use, file}, this.getBlob);
      texture.image = next.image;
      texture.needsUpdate = true;
    }));
  }

  // Light and air.

  setLights({ambient, lights}) {
    const {value} = this.uniforms.ambient;
    value.set(...ambient, value.w);
    this.lights = lights;
    this.uniforms.lights.value = lights.flatMap(({record}) => [0, 1, 2, 3, 4].map((row) => new Vector4(...record.slice(4 * row, 4 * row + 4))));
    const caster = lights.findIndex((one) => one.casts && one.kind === 0);
    const counts = [0, 1].map((kind) => lights.filter((one) => one.kind === kind).length);
    this.caster = caster;
    this.define({LIGHTS: lights.length, DIRECTIONAL: counts[0], POINT: counts[1], CASTER: caster, SHADOW: caster >= 0 ? '' : null});
  }

  async setAir(air) {
    this.air = air;
    this.uniforms.sky.value.set(...air.sky, air.luminosity);
    this.uniforms.fog.value.set(...air.fog.color, air.fog.kind);
    this.uniforms.ambient.value.w = 1 / air.fog.visibility;
    this.uniforms.reflectance.value = await reflectanceOf(air.reflectance, this.getBlob);
    this.cubes = air.cube && await cubesOf(air.cube, this.getBlob);
    this.uniforms.surroundings.value = this.cubes?.light ?? null;
    this.define({
      CUBE: this.cubes ? '' : null, CUBE_LEVELS: '8.0',
      'CUBE_AXES(v)': air.is_z_up ? 'vec3((v).y, (v).z, -(v).x)' : 'vec3((v).x, (v).y, -(v).z)',
    });
  }

  // Sets macros of all programs; null removes one.
  define(macros) {
    let isNew = false;
    for (const [name, value] of Object.entries(macros)) {
      if (value === null ? !(name in this.defines) : this.defines[name] === value) continue;
      isNew = true;
      if (value === null) delete this.defines[name];
      else this.defines[name] = value;
    }
    if (!isNew) return;
    for (const {material} of this.meshes.filter(Boolean)) {
      for (const [name, value] of Object.entries(macros)) {
        if (value === null) delete material.defines[name];
        else material.defines[name] = value;
      }
      material.needsUpdate = true;
    }
  }

  dispose() {
    const gone = new Set();
    for (const mesh of this.meshes.filter(Boolean)) gone.add(mesh.geometry).add(mesh.material);
    for (const one of gone) one.dispose();
    for (const one of this.textures.values()) Promise.resolve(one).then((texture) => texture.dispose(), () => {});
    this.cubes?.sky.dispose();
    this.cubes?.light.dispose();
    this.uniforms.reflectance.value?.dispose();
  }
}

const place = new Vector3();
const turn = new Quaternion();
const ONE = new Vector3(1, 1, 1);

function matrixOf([x, y, z, qw, qx, qy, qz, sx, sy, sz]) {
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(sx, sy, sz));
}
