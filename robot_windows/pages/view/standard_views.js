// The standard views of Webots' menu: from the front, back, left, right, top and bottom.
import {Matrix4, Vector3} from '../vendor/three.js';

// Where the eye is, for worlds with z up (ENU: x is the front of robots, y their left) and with y up (NUE).
const EYES = {
  z: {front: [1, 0, 0], back: [-1, 0, 0], left: [0, 1, 0], right: [0, -1, 0], top: [0, 0, 1], bottom: [0, 0, -1]},
  y: {front: [1, 0, 0], back: [-1, 0, 0], left: [0, 0, -1], right: [0, 0, 1], top: [0, 1, 0], bottom: [0, -1, 0]},
};
const NORTH = {z: [0, 1, 0], y: [1, 0, 0]}; // up in views from the top and the bottom
const UP = {z: [0, 0, 1], y: [0, 1, 0]};
export const VIEWS = ['front', 'back', 'left', 'right', 'top', 'bottom'];
const MARGIN = 1.15;

// Where to place a camera to see a sphere: {position, matrix (rotation)}.
export function standardView(name, isZUp, sphere, camera) {
  const system = isZUp ? 'z' : 'y';
  const toEye = new Vector3(...EYES[system][name]);
  const up = new Vector3(...(name === 'top' || name === 'bottom' ? NORTH : UP)[system]);
  const right = new Vector3().crossVectors(up, toEye);
  const angle = (camera.fov * Math.PI) / 360; // half the vertical one
  const narrow = Math.min(angle, Math.atan(Math.tan(angle) * camera.aspect));
  const distance = (MARGIN * sphere.radius) / Math.sin(narrow);
  return {
    position: sphere.center.clone().addScaledVector(toEye, Math.max(distance, 3 * camera.near)),
    matrix: new Matrix4().makeBasis(right, up, toEye),
  };
}
