// Moves the camera as in Webots: drag to turn around what is under the pointer (on the background: around the camera),
// with the right button or two fingers to move sideways, wheel or pinch to come nearer; the middle button comes nearer
// and rolls. A finger that stays asks as the right button does. Drags with Shift or Alt are left to others.
import {Quaternion, Vector3} from '../vendor/three.js';

const TURN = 1.2 * Math.PI; // rad for a drag over the height of the view
const ZOOM = 0.0012; // for a pixel of the wheel
const STILL = 4; // pixels that a click may move
const STILL_FINGER = 10;
const HOLD_MS = 550; // after which a finger asks
const KEPT_APART = 2; // nearest distance to what is approached, in near planes

export class Orbit {
  // pick(x, y): the point at a place of the canvas, or null; up: the world's; moved: called after each move;
  // clicked(event), asked(event): a press and release of the left or right button without a drag, and a finger that stays;
  // taken(event): true if others drag.
  constructor(camera, canvas, {pick, up, moved, clicked = () => {}, asked = () => {}, taken = () => false}) {
    Object.assign(this, {camera, canvas, pick, up, moved, taken, clicks: {0: clicked, 2: asked}});
    this.target = new Vector3(); // what was last turned around
    this.pointers = new Map();
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    canvas.addEventListener('pointerup', (event) => this.lift(event));
    canvas.addEventListener('pointercancel', (event) => this.cancel(event));
    canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  pointOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    this.canvas.focus({preventScroll: true});
    if (this.taken(event)) return;
    event.preventDefault(); // no selection of text, no scrolling by the middle button
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.pointOf(event));
    this.hasMoved = this.pointers.size > 1;
    this.began = this.pointOf(event);
    const hit = this.pointers.size === 1 && this.pick(...this.pointOf(event));
    if (hit) this.target.copy(hit);
    this.isAround = Boolean(hit) || this.pointers.size > 1;
    this.button = event.button;
    clearTimeout(this.holding);
    if (event.pointerType === 'touch' && !this.hasMoved) this.holding = setTimeout(() => this.hold(event), HOLD_MS);
  }

  // A finger has stayed where it is.
  hold(event) {
    this.hasMoved = true; // its end is no click
    this.clicks[2](event);
  }

  cancel(event) {
    clearTimeout(this.holding);
    this.pointers.delete(event.pointerId);
  }

  lift(event) {
    clearTimeout(this.holding);
    if (this.pointers.delete(event.pointerId) && !this.hasMoved) this.clicks[this.button]?.(event);
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.pointOf(event);
    const still = event.pointerType === 'touch' ? STILL_FINGER : STILL;
    if (!this.hasMoved && Math.hypot(now[0] - this.began[0], now[1] - this.began[1]) < still) return;
    clearTimeout(this.holding);
    this.hasMoved = true;
    this.pointers.set(event.pointerId, now);
    const way = [now[0] - before[0], now[1] - before[1]];
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else if (this.button === 2) this.pan(...way);
    else if (this.button === 1 || (event.buttons & 3) === 3) this.dolly(...way);
    else this.turn(...way);
    this.moved();
  }

  pinch(id, before, now) {
    const [other] = [...this.pointers].filter(([one]) => one !== id).map(([, place]) => place);
    const size = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
    this.approach(this.target, 1 - size(before) / size(now));
    this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  turn(x, y) {
    const {camera, canvas} = this;
    const target = this.isAround ? this.target : camera.position.clone();
    const share = (this.isAround ? -TURN : TURN / 3) / canvas.clientHeight;
    const right = new Vector3(1, 0, 0).applyQuaternion(camera.quaternion);
    const turned = new Quaternion().setFromAxisAngle(this.up, x * share).multiply(new Quaternion().setFromAxisAngle(right, y * share));
    camera.position.sub(target).applyQuaternion(turned).add(target);
    camera.quaternion.premultiply(turned).normalize();
  }

  pan(x, y) {
    const {camera, canvas} = this;
    const ahead = new Vector3(0, 0, -1).applyQuaternion(camera.quaternion);
    const distance = Math.max(this.target.clone().sub(camera.position).dot(ahead), 10 * camera.near);
    const pixel = (2 * distance * Math.tan((camera.fov * Math.PI) / 360)) / canvas.clientHeight;
    const way = new Vector3(-x * pixel, y * pixel, 0).applyQuaternion(camera.quaternion);
    camera.position.add(way);
    this.target.add(way);
  }

  // Nearer and farther by vertical motion, roll by horizontal motion.
  dolly(x, y) {
    const {camera, canvas} = this;
    this.approach(this.target, (3 * y) / canvas.clientHeight);
    const ahead = new Vector3(0, 0, -1).applyQuaternion(camera.quaternion);
    camera.quaternion.premultiply(new Quaternion().setFromAxisAngle(ahead, (-2 * x) / canvas.clientWidth)).normalize();
  }

  wheel(event) {
    event.preventDefault();
    if (this.taken(event)) return;
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.approach(this.pick(...this.pointOf(event)) ?? this.target, 1 - Math.exp(ZOOM * lines * event.deltaY));
    this.moved();
  }

  // Goes a share of the way to a point; negative: away from it.
  approach(point, share) {
    const {camera} = this;
    const way = point.clone().sub(camera.position);
    const left = way.length() - KEPT_APART * camera.near;
    if (share > 0 && left <= 0) return;
    camera.position.addScaledVector(way, Math.max(-1, Math.min(share, left / way.length())));
  }
}
