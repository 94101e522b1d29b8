// The objects of a scene description in three.js.
import {Group, LineSegments, Matrix4, Mesh, Points, Quaternion, Scene, Vector3, Vector4} from '../vendor/three.js';
import {CASTS, Instances, groupKeys, lookOf} from './instances.js';
import {lightCalls, shadowTiles} from './shadows.js';
import {cubesOf, geometryOf, materialOf, reflectanceOf, setRecord, setTextures, textureOf, whiteFor} from './surfaces.js';

const KINDS = {1: Points, 2: LineSegments, 3: Mesh};

// getBlob(name): the content of a file, now or later. graphics: a View, which compiles programs and changes textures.
export async function makeWorld(description, getBlob, graphics) {
  const made = new World(description, getBlob, graphics);
  await made.build();
  return made;
}

class World {
  constructor(description, getBlob, graphics) {
    Object.assign(this, {description, getBlob, graphics});
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    this.bodies = new Map(); // number -> group
    this.meshes = []; // by the places of shapes in the description
    this.materials = new Map(); // see `materialFor`
    this.instances = new Instances(this.scene);
    this.textures = new Map();
    this.pictures = new Map(); // key of a changing texture -> the message that it shows
    this.uniforms = {
      exposure: {value: 1}, sky: {value: new Vector4()}, ambient: {value: new Vector4()}, fog: {value: new Vector4()},
      lights: {value: []}, reflectance: {value: null}, surroundings: {value: null},
      shadow_maps: {value: null}, shadow_tiles: {value: []}, shadow_clips: {value: []}, shadow_texels: {value: []}, shadow_cubes: {value: []},
    };
    this.defines = {};
  }

  async build() {
    const {description} = this;
    this.defineAir(description.air);
    this.setLights(description.lights);
    this.surfaces = [...description.surfaces]; // the newest ones
    // Known before programs are compiled, so that none is compiled twice.
    this.define({LINEAR: description.surfaces.some((one) => one.transparent && !one.invisible) ? '' : null});
    const isAround = this.loadAir(description.air);
    const geometries = new Map();
    for (const {mesh, corners} of description.shapes) {
      if (!geometries.has(mesh)) geometries.set(mesh, Promise.resolve(this.getBlob(mesh)).then((data) => geometryOf(data, corners)));
    }
    const textured = description.surfaces.map((one) => this.texturesOf(one));
    const groups = groupKeys(description);
    this.white = whiteFor(description.surfaces);
    const materials = description.shapes.map((one, i) => this.materialFor(one, groups[i]));
    const loaded = Promise.all([...geometries.values(), ...textured, isAround]);
    loaded.catch(() => {}); // the error is thrown below
    this.graphics.compile(this.materials.values()); // while files are on their way
    await loaded;
    for (const [i, shape] of description.shapes.entries()) {
      setTextures(materials[i], await textured[shape.surface]);
      this.add(shape, i, await geometries.get(shape.mesh), materials[i]);
    }
    this.gather(groups);
    this.scene.updateMatrixWorld(true);
  }

  // The material of a surface for points, lines or triangles, or of a group of equal shapes; without its textures.
  materialFor({surface, corners}, group = null) {
    const key = group ?? `${surface} ${corners}`;
    if (!this.materials.has(key)) this.materials.set(key, this.newMaterial(this.description.surfaces[surface], corners, group !== null));
    return this.materials.get(key);
  }

  newMaterial(surface, corners, isInstanced = false) {
    const defines = isInstanced ? {...this.defines, INSTANCED: ''} : this.defines;
    return materialOf(surface, corners, this.uniforms, defines, this.white);
  }

  add(shape, i, geometry, material) {
    const surface = this.description.surfaces[shape.surface];
    const mesh = new KINDS[shape.corners](geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrixOf(shape.place));
    mesh.userData = {shape: i, node: shape.node, body: shape.body, record: surface.record};
    if (shape.casts && !surface.transparent && shape.corners === 3) mesh.layers.enable(CASTS);
    (shape.body == null ? this.scene : this.bodyOf(shape.body)).add(mesh);
    this.meshes[i] = mesh;
  }

  gather(groups) {
    const meshes = new Map();
    groups.forEach((key, i) => {
      if (key === null) return;
      if (!meshes.has(key)) meshes.set(key, []);
      meshes.get(key).push(this.meshes[i]);
    });
    for (const together of meshes.values()) this.instances.gather(together);
  }

  // Draws a shape alone from now on, which was drawn in a group.
  release(mesh) {
    const shape = this.description.shapes[mesh.userData.shape];
    this.instances.release(mesh);
    const grouped = mesh.material.uniforms;
    mesh.material = this.newMaterial({...this.description.surfaces[shape.surface], record: mesh.userData.record}, shape.corners);
    for (const [name, uniform] of Object.entries(mesh.material.uniforms)) if (name.startsWith('map')) uniform.value = grouped[name].value;
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
      mesh.userData.record = surface.record;
      if (this.instances.has(mesh)) {
        if (lookOf(surface) === lookOf(this.description.surfaces[i])) {
          this.instances.repaint(mesh);
          return;
        }
        this.release(mesh);
      }
      const isSame = ['kind', 'textures'].every((field) => JSON.stringify(mesh.userData.surface?.[field] ?? this.description.surfaces[i][field]) === JSON.stringify(surface[field]));
      if (isSame) setRecord(mesh.material, surface);
      else {
        mesh.material = this.newMaterial(surface, shape.corners);
        setTextures(mesh.material, textures);
      }
      mesh.userData.surface = surface;
    });
  }

  // A texture that changes: all uses show the new picture. A patch changes what the message before it (`before`) shows.
  async setTexture(key, message) {
    const shown = this.pictures.get(key);
    this.pictures.set(key, message);
    const patches = [];
    let whole = message;
    for (; whole?.patch && whole !== shown; whole = whole.before) patches.unshift(whole);
    const uses = this.surfaces.flatMap((surface) => surface.textures).filter((one) => one?.live === key);
    await Promise.all(uses.map(async (use) => {
      const texture = await this.textureFor(use);
      if (!shown || whole !== shown) {
        texture.image = (await textureOf({...use, file: (whole ?? use).file}, this.getBlob)).image;
        texture.needsUpdate = true;
      }
      for (const one of patches) this.graphics.patch(texture, one);
    }));
  }

  // Light and air.

  setLights({ambient, lights}) {
    const {value} = this.uniforms.ambient;
    value.set(...ambient, value.w);
    this.lights = lights;
    this.uniforms.lights.value = lights.flatMap(({record}) => [0, 1, 2, 3, 4].map((row) => new Vector4(...record.slice(4 * row, 4 * row + 4))));
    this.tiles = shadowTiles(lights);
    this.define({LIGHTS: lights.length, ADD_LIGHTS: lightCalls(lights, this.tiles), ...this.tiles.macros});
  }

  defineAir(air) {
    this.air = air;
    this.uniforms.sky.value.set(...air.sky, air.luminosity);
    this.uniforms.fog.value.set(...air.fog.color, air.fog.kind);
    this.uniforms.ambient.value.w = 1 / air.fog.visibility;
    this.define({
      CUBE: air.cube || (air.is_fine && air.backdrop) ? '' : null, FINE: air.is_fine ? '' : null, CUBE_LEVELS: '8.0',
      'CUBE_AXES(v)': air.is_z_up ? 'vec3((v).y, (v).z, -(v).x)' : 'vec3((v).x, (v).y, -(v).z)',
    });
  }

  async loadAir(air) {
    const {uniforms} = this;
    const {cube, backdrop} = air;
    [uniforms.reflectance.value, this.cubes, this.backdrop] = await Promise.all([
      reflectanceOf(air.reflectance, this.getBlob), cube && cubesOf(cube, this.getBlob), backdrop && cubesOf(backdrop.files, this.getBlob, air.is_fine ? backdrop.light : null),
    ]);
    uniforms.surroundings.value = (this.cubes ?? this.backdrop)?.light ?? null;
  }

  // Whether pictures consist of light until all shapes are drawn. `setLinear` returns true if this has changed.
  get isLinear() {
    return 'LINEAR' in this.defines;
  }

  setLinear() {
    const isWanted = this.meshes.some((one) => one?.material.transparent && one.material.visible);
    if (isWanted === this.isLinear) return false;
    this.define({LINEAR: isWanted ? '' : null});
    return true;
  }

  // The color of the sky: light, or displayed as in wbcore/render/film.py.
  skyColor() {
    const exposure = this.uniforms.exposure.value;
    return this.air.glow.map((glow) => {
      const light = Math.max(glow, 0);
      if (this.isLinear) return light;
      if (!this.air.is_fine) return (1 - Math.exp(-light * exposure)) ** (1 / 2.2);
      const x = light * exposure * 0.7;
      return Math.min((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 1) ** (1 / 2.2);
    });
  }

  // Another sky or fog. Pictures of the former sky are not used any more.
  async setAir(air) {
    if (JSON.stringify(air.cube) !== JSON.stringify(this.air.cube)) {
      const gone = [this.uniforms.reflectance.value, ...[this.cubes, this.backdrop].flatMap((one) => [one?.sky, one?.light])];
      await this.loadAir(air);
      for (const one of gone) one?.dispose();
    }
    this.defineAir(air);
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
    this.instances.dispose();
    this.white?.dispose();
    for (const one of this.textures.values()) Promise.resolve(one).then((texture) => texture.dispose(), () => {});
    for (const one of [this.cubes, this.backdrop]) {
      one?.sky.dispose();
      one?.light?.dispose();
    }
    this.uniforms.reflectance.value?.dispose();
  }
}

const place = new Vector3();
const turn = new Quaternion();
const ONE = new Vector3(1, 1, 1);

function matrixOf([x, y, z, qw, qx, qy, qz, sx, sy, sz]) {
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(sx, sy, sz));
}
