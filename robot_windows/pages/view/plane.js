// A plane in the world, for drags of the pointer.

export class Plane {
  constructor(normal, point) {
    Object.assign(this, {normal, point: point.clone()});
  }

  // Where a ray meets it; null if it does not, or far away.
  meets({origin, toward}) {
    const slope = toward.dot(this.normal);
    const far = this.point.clone().sub(origin).dot(this.normal) / slope;
    return Number.isFinite(far) && far > 0 && far < 1e4 ? origin.clone().addScaledVector(toward, far) : null;
  }
}
