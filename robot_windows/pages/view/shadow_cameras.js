// What lights see: cameras for their shadow maps, as in wbcore/render/shadows.py and cube_shadows.py.
import {OrthographicCamera, PerspectiveCamera, Vector3} from '../vendor/three.js';
import {CASTS} from './instances.js';

const WIDEST = 20; // half the width (m) of the region with shadows, in larger worlds
const THIN = 0.005; // height (m) of what lies flat at the bottom and shades nothing, as floors do
const NEAREST = 0.01; // distance (m) from a point light at which things cast shadows; shaders.js has it too
const X = new Vector3(1, 0, 0);
const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

function placed(camera, eye, right, up, forward) {
  camera.matrixAutoUpdate = false;
  camera.matrix.makeBasis(right, up, forward.clone().negate()).setPosition(eye);
  camera.matrixWorld.copy(camera.matrix);
  camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
  camera.updateProjectionMatrix();
  return camera;
}

// Two axes across a direction.
function across(forward) {
  const right = new Vector3().crossVectors(forward, Math.abs(forward.z) < 0.9 ? Z : X).normalize();
  return [right, new Vector3().crossVectors(right, forward)];
}

// Each returns the camera, and half the width of its picture: everywhere, or at distance 1 in a cone.
export function directionalCamera(record, world, eye, ahead) {
  const forward = new Vector3(record[8], record[9], record[10]);
  const [right, up] = across(forward);
  const axes = [right, up, forward];
  // Fine looks: the texels go to what casts shadows.
  const casts = world.air.is_fine && world.air.is_z_up ? boundsOf(world, axes, boundsOf(world)[0][2] + THIN) : null;
  const [low, high] = casts ?? boundsOf(world, axes);
  const middle = axes.map((_, k) => (low[k] + high[k]) / 2);
  const half = axes.map((_, k) => (high[k] - low[k]) / 2);
  const around = eye.clone().addScaledVector(ahead, WIDEST);
  for (const k of [0, 1]) {
    if (half[k] > WIDEST) [middle[k], half[k]] = [axes[k].dot(around), WIDEST];
  }
  const [x, y, deep] = [half[0] + 1e-6, half[1] + 1e-6, 2 * half[2] + 2e-3];
  const place = new Vector3().addScaledVector(right, middle[0]).addScaledVector(up, middle[1]).addScaledVector(forward, low[2] - 1e-3);
  return {camera: placed(new OrthographicCamera(-x, x, y, -y, 0, deep), place, right, up, forward), reach: Math.max(x, y)};
}

export function spotCamera(record, [low, high]) {
  const forward = new Vector3(record[8], record[9], record[10]);
  const radius = record[15];
  const cut = Math.min(record[17], 1.5);
  const far = Math.min(radius, Math.hypot(...high.map((one, k) => one - low[k])) + 1);
  const camera = new PerspectiveCamera(2 * cut * 180 / Math.PI, 1, far * 1e-3, far);
  return {camera: placed(camera, new Vector3(record[4], record[5], record[6]), ...across(forward), forward), reach: Math.tan(cut)};
}

// Six directions around a point light: +x, -x, +y, -y, +z, -z; left_around in shaders.js reads them.
export function cubeCameras(record) {
  const eye = new Vector3(record[4], record[5], record[6]);
  const far = record[7];
  return [[X, Y, Z, -1], [Y, X, Z, 1], [Z, X, Y, -1]].flatMap(([ahead, beside, up, turn]) => [1, -1].map((sign) => {
    const forward = ahead.clone().multiplyScalar(sign);
    return placed(new PerspectiveCamera(90, 1, NEAREST, far), eye, beside.clone().multiplyScalar(turn * sign), up, forward);
  }));
}

// The extent of everything along three axes, or only of what casts shadows and rises above a height; null if there is nothing.
export function boundsOf(world, axes = [X, Y, Z], ground = null) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const mesh of world.meshes) {
    if (!mesh?.material.visible) continue;
    if (ground !== null && (!mesh.layers.isEnabled(CASTS) || extentOf(mesh, Z)[1] < ground)) continue;
    axes.forEach((axis, k) => {
      const [first, last] = extentOf(mesh, axis);
      low[k] = Math.min(low[k], first);
      high[k] = Math.max(high[k], last);
    });
  }
  return low[0] > high[0] ? null : [low, high];
}

const middle = new Vector3();
const half = new Vector3();
const way = new Vector3();

// From where to where a mesh reaches along an axis.
function extentOf({geometry, matrixWorld}, axis) {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  const at = axis.dot(geometry.boundingBox.getCenter(middle).applyMatrix4(matrixWorld));
  geometry.boundingBox.getSize(half).multiplyScalar(0.5);
  // A turned box reaches as far as its edges do together.
  const reach = half.toArray().reduce((sum, size, i) => sum + size * Math.abs(axis.dot(way.setFromMatrixColumn(matrixWorld, i))), 0);
  return [at - reach, at + reach];
}
