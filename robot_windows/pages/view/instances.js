// Many shapes of the same form in one drawing, each with its own colors. Each shape stays an object of its own, which is
// picked, measured and moved; only its drawing is done by the group.
import {BufferGeometry, InstancedMesh, InterleavedBuffer, InterleavedBufferAttribute} from '../vendor/three.js';

// Layers of what casts shadows: single shapes, and groups.
export const CASTS = 1;
export const MANY_CAST = 2;
const LEAST = 8; // shapes; fewer are drawn one by one
const NUMBERS = 24; // of a record: six rows of four
const ROWS = {look: [16, 0], mapped_x: [4, 16], mapped_y: [4, 20]}; // numbers, and the first one, of what the program reads

// Equal for surfaces that one program draws with the same textures; null: drawn alone.
export function lookOf(surface) {
  if (surface.transparent || surface.invisible || surface.textures.some((texture) => texture?.live)) return null;
  return JSON.stringify({...surface, record: null});
}

// By the places of shapes in the description: a key that is equal for shapes that are drawn together; null: drawn alone.
export function groupKeys({shapes, surfaces}) {
  const looks = surfaces.map(lookOf);
  const keys = shapes.map(({mesh, corners, casts, surface, place}) => {
    const isMirrored = place[7] * place[8] * place[9] < 0; // its triangles turn the other way
    return looks[surface] === null || corners < 3 || isMirrored ? null : `${mesh} ${casts} ${looks[surface]}`;
  });
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.map((key) => (key !== null && counts.get(key) >= LEAST ? key : null));
}

export class Instances {
  constructor(scene) {
    this.scene = scene;
    this.groups = [];
    this.groupOf = new Map(); // mesh -> group
  }

  // Draws meshes together, which have the same geometry, material and layers; their records may differ.
  gather(meshes) {
    const records = new InterleavedBuffer(new Float32Array(NUMBERS * meshes.length), NUMBERS);
    Object.assign(records, {isInstancedInterleavedBuffer: true, meshPerAttribute: 1}); // what three.js asks for
    const drawn = new InstancedMesh(withRecords(meshes[0].geometry, records), meshes[0].material, meshes.length);
    drawn.matrixAutoUpdate = false;
    drawn.frustumCulled = false; // its shapes can be anywhere
    if (meshes[0].layers.isEnabled(CASTS)) drawn.layers.enable(MANY_CAST);
    const group = {drawn, meshes, records};
    for (const mesh of meshes) {
      mesh.visible = false;
      this.groupOf.set(mesh, group);
    }
    paint(group);
    this.groups.push(group);
    this.scene.add(drawn);
  }

  // A mesh has got another record.
  repaint(mesh) {
    paint(this.groupOf.get(mesh));
  }

  has(mesh) {
    return this.groupOf.has(mesh);
  }

  // Draws a shape alone from now on.
  release(mesh) {
    const group = this.groupOf.get(mesh);
    group.meshes.splice(group.meshes.indexOf(mesh), 1);
    group.drawn.count = group.meshes.length;
    paint(group);
    this.groupOf.delete(mesh);
    mesh.visible = true;
  }

  // Takes over where the shapes are now. Call it before drawing.
  update() {
    for (const {drawn, meshes} of this.groups) {
      const {array} = drawn.instanceMatrix;
      let isNew = false;
      meshes.forEach(({matrixWorld: {elements}}, i) => {
        for (let k = 0; k < 16; k++) {
          const value = Math.fround(elements[k]);
          if (array[16 * i + k] === value) continue;
          array[16 * i + k] = value;
          isNew = true;
        }
      });
      drawn.instanceMatrix.needsUpdate ||= isNew;
    }
  }

  dispose() {
    for (const {drawn} of this.groups) {
      drawn.geometry.dispose();
      drawn.dispose();
    }
  }
}

// The same geometry, and what differs between the shapes of a group.
function withRecords(geometry, records) {
  const made = new BufferGeometry();
  for (const [name, one] of Object.entries(geometry.attributes)) made.setAttribute(name, one);
  for (const [name, [size, first]] of Object.entries(ROWS)) made.setAttribute(name, new InterleavedBufferAttribute(records, size, first));
  return made.setIndex(geometry.index);
}

function paint({meshes, records}) {
  meshes.forEach((mesh, i) => records.array.set(mesh.userData.record, NUMBERS * i));
  records.needsUpdate = true;
}
