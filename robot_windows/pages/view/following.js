// Moves the camera with a body: Webots' "Tracking Shot", "Mounted Shot" and "Pan and Tilt Shot".
import {Matrix4, Quaternion, Vector3} from '../vendor/three.js';

export const KINDS = ['Tracking Shot', 'Mounted Shot', 'Pan and Tilt Shot'];

export class Following {
  constructor(camera, target) {
    Object.assign(this, {camera, target}); // target: what the view turns around
    this.before = null;
  }

  // kind: one of KINDS, or anything else for none; from: the body's matrix for which the camera's pose holds.
  start(kind, body, from = null) {
    this.kind = KINDS.includes(kind) ? kind : null;
    this.body = this.kind ? body : null;
    this.before = from?.clone() ?? null;
  }

  // now: the body's matrix; to be called when it may have moved.
  move(now) {
    const {before, camera, target} = this;
    this.before = now.clone();
    const place = new Vector3().setFromMatrixPosition(now);
    if (this.kind === 'Pan and Tilt Shot') this.look(place);
    else if (!before) return;
    else if (this.kind === 'Mounted Shot') {
      const way = now.clone().multiply(before.clone().invert());
      camera.applyMatrix4(way);
      target.applyMatrix4(way);
    } else {
      const way = place.sub(new Vector3().setFromMatrixPosition(before));
      camera.position.add(way);
      target.add(way);
    }
  }

  // Turns the view to a point by the smallest rotation.
  look(place) {
    const {camera} = this;
    const ahead = new Vector3(0, 0, -1).applyQuaternion(camera.quaternion);
    const wanted = place.clone().sub(camera.position).normalize();
    if (!wanted.lengthSq()) return;
    camera.quaternion.premultiply(new Quaternion().setFromUnitVectors(ahead, wanted)).normalize();
    this.target.copy(place);
  }
}

// The matrix of a pose: x y z and a quaternion (w x y z).
export function matrixOfPose([x, y, z, qw, qx, qy, qz]) {
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
}
