// Many equal shapes in one drawing. Each shape stays an object of its own, which is picked, measured and moved; only its
// drawing is done by the group.
import {InstancedMesh} from '../vendor/three.js';

// Layers of what casts shadows: single shapes, and groups.
export const CASTS = 1;
export const MANY_CAST = 2;
const LEAST = 8; // shapes; fewer are drawn one by one

// By the places of shapes in the description: a key that is equal for shapes that look the same; null: drawn alone.
export function groupKeys({shapes, surfaces}) {
  const looks = surfaces.map((one) => (one.transparent || one.invisible || one.textures.some((texture) => texture?.live) ? null : JSON.stringify(one)));
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

  // Draws meshes together, which have the same geometry, material and layers.
  gather(meshes) {
    const drawn = new InstancedMesh(meshes[0].geometry, meshes[0].material, meshes.length);
    drawn.matrixAutoUpdate = false;
    drawn.frustumCulled = false; // its shapes can be anywhere
    if (meshes[0].layers.isEnabled(CASTS)) drawn.layers.enable(MANY_CAST);
    const group = {drawn, meshes};
    for (const mesh of meshes) {
      mesh.visible = false;
      this.groupOf.set(mesh, group);
    }
    this.groups.push(group);
    this.scene.add(drawn);
  }

  has(mesh) {
    return this.groupOf.has(mesh);
  }

  // Draws a shape alone from now on.
  release(mesh) {
    const {meshes, drawn} = this.groupOf.get(mesh);
    meshes.splice(meshes.indexOf(mesh), 1);
    drawn.count = meshes.length;
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
    for (const {drawn} of this.groups) drawn.dispose();
  }
}
