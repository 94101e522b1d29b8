// Poses between those that arrive, so that motion is smooth at the screen's rate.
const HEAD = 16; // bytes: time and number of the scene, both float64
const LONGEST = 120; // ms between two poses; what comes later comes after a pause
const WIDTH = 7; // x y z and a quaternion (w x y z)

export class Between {
  constructor() {
    this.last = null;
    this.next = null;
    this.isDone = true;
  }

  take(data) {
    const head = new DataView(data);
    const poses = new Float32Array(data.slice(HEAD));
    this.last = this.next;
    this.next = {arrived: performance.now(), time: head.getFloat64(0, true), scene: head.getFloat64(8, true), poses};
    this.isDone = false;
  }

  // The poses to show now (ms, as of animation frames) of a scene; null: as before.
  at(now, scene) {
    const {last, next} = this;
    if (!next || next.scene !== scene || this.isDone) return null;
    const isJump = !last || last.scene !== scene || last.poses.length !== next.poses.length || next.time < last.time;
    const share = isJump ? 1 : Math.min(1, Math.max(0, (now - next.arrived) / Math.min(Math.max(next.arrived - last.arrived, 1), LONGEST)));
    this.isDone = share === 1;
    return share === 1 ? next.poses : mixed(last.poses, next.poses, share);
  }
}

function mixed(from, to, share) {
  const made = new Float32Array(to.length);
  for (let i = 0; i < to.length; i += WIDTH) {
    // q and -q are the same rotation: take the shorter way.
    const dot = from[i + 3] * to[i + 3] + from[i + 4] * to[i + 4] + from[i + 5] * to[i + 5] + from[i + 6] * to[i + 6];
    for (let k = 0; k < WIDTH; k++) {
      const start = k > 2 && dot < 0 ? -from[i + k] : from[i + k];
      made[i + k] = start + (to[i + k] - start) * share;
    }
    const length = Math.hypot(made[i + 3], made[i + 4], made[i + 5], made[i + 6]) || 1;
    for (let k = 3; k < WIDTH; k++) made[i + k] /= length;
  }
  return made;
}
