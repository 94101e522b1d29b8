// The world from above: drag to move, wheel, two fingers or + and - to zoom.
import {color, fit} from './dom.js';
import {polygon} from './instruments.js';

const MARK = 9; // radius of a robot without an outline, in the units of the page
const LARGEST_MARK = 18;
const FAR = 50; // m; what is larger is only ground
const LONGEST = 24; // letters of a name
const LINE = 13; // height of a name

export class TopView {
  constructor(canvas, shape, robots) {
    this.canvas = canvas;
    this.shape = shape;
    this.robots = robots;
    this.isDirty = true;
    this.zoom = 1;
    this.shift = [0, 0];
    // How far outlines reach.
    this.sizes = robots.map((_, i) => Math.max(0, ...(shape.robots?.[i] ?? []).flat().map(([x, y]) => Math.hypot(x, y))));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.scaleBy(Math.exp(-event.deltaY / 500));
    }, {passive: false});
    canvas.addEventListener('dblclick', () => this.showAll());
    this.fingers = new Map(); // places of pointers that are down
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    canvas.addEventListener('keydown', (event) => {
      const move = {ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30]}[event.key];
      if (event.key === '+' || event.key === '-') this.scaleBy(event.key === '+' ? 1.2 : 1 / 1.2);
      else if (event.key === '0') this.showAll();
      else if (move) this.shift = [this.shift[0] + move[0], this.shift[1] + move[1]];
      else return;
      event.preventDefault();
      this.isDirty = true;
    });
    new ResizeObserver(() => (this.isDirty = true)).observe(canvas);
  }

  // One pointer moves the world, two move and scale it.
  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other) {
      const apart = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
      this.scaleBy(apart(now) / Math.max(apart(before), 1));
    }
    const share = 1 / this.fingers.size;
    this.shift = this.shift.map((one, i) => one + (now[i] - before[i]) * share);
    this.fingers.set(event.pointerId, now);
    this.isDirty = true;
  }

  scaleBy(factor) {
    this.zoom = Math.min(50, Math.max(0.2, this.zoom * factor));
    this.shift = this.shift.map((one) => one * factor);
    this.isDirty = true;
  }

  // Also robots that have left what was seen at first.
  showAll() {
    if (this.places) this.limits = this.measure(this.places);
    this.zoom = 1;
    this.shift = [0, 0];
    this.isDirty = true;
  }

  show(places) {
    this.places = places;
    if (!this.limits) this.limits = this.measure(places);
    this.isDirty = true;
  }

  // All outlines together, as [left, bottom, right, top]; very large ones are only ground.
  measure(places) {
    const all = [1e9, 1e9, -1e9, -1e9];
    const take = (x, y) => {
      all[0] = Math.min(all[0], x);
      all[1] = Math.min(all[1], y);
      all[2] = Math.max(all[2], x);
      all[3] = Math.max(all[3], y);
    };
    places.robots.forEach(([x, y, angle], i) => {
      take(x, y);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      if (this.sizes[i] < FAR) for (const [a, b] of (this.shape.robots?.[i] ?? []).flat()) take(x + a * c - b * s, y + a * s + b * c);
    });
    for (const [x, y] of places.moving) take(x, y);
    for (const hull of this.shape.standing) if (hull.every(([x, y]) => Math.hypot(x, y) < FAR)) hull.forEach(([x, y]) => take(x, y));
    if (all[0] > all[2]) return [-1, -1, 1, 1];
    const rim = Math.max(0.2, (all[2] - all[0]) * 0.04);
    return [all[0] - rim, all[1] - rim, all[2] + rim, all[3] + rim];
  }

  draw() {
    if (!this.isDirty || !this.places) return;
    this.isDirty = false;
    const {pen, width, height} = fit(this.canvas);
    const [left, bottom, right, top] = this.limits;
    const scale = Math.min(width / (right - left), height / (top - bottom)) * this.zoom;
    pen.translate(width / 2 + this.shift[0], height / 2 + this.shift[1]);
    pen.scale(scale, -scale);
    pen.translate(-(left + right) / 2, -(bottom + top) / 2);
    const px = 1 / scale;
    pen.lineWidth = 1.2 * px;
    pen.lineJoin = 'round';
    this.fill(pen, this.shape.standing, '--line', '--dim');
    this.shape.moving.forEach((hulls, i) => this.at(pen, this.places.moving[i], () => this.fill(pen, hulls, '--earth', '--dim')));
    this.places.robots.forEach((place, i) => this.at(pen, place, () => this.robot(pen, i, px)));
    pen.setTransform(1, 0, 0, 1, 0, 0);
    this.names(pen, scale, width, height);
  }

  at(pen, [x, y, angle], draw) {
    pen.save();
    pen.translate(x, y);
    pen.rotate(angle);
    draw();
    pen.restore();
  }

  fill(pen, hulls, inside, rim) {
    pen.fillStyle = color(inside);
    pen.strokeStyle = color(rim);
    for (const hull of hulls) {
      polygon(pen, hull);
      pen.fill();
      pen.stroke();
    }
  }

  robot(pen, i, px) {
    const hulls = this.shape.robots[i] ?? [];
    const size = Math.max(MARK * px, this.sizes[i]);
    this.fill(pen, hulls, '--sky', '--accent');
    const mark = Math.max(Math.min(size * 0.45, LARGEST_MARK * px), MARK * px);
    polygon(pen, [[mark, 0], [-mark * 0.6, mark * 0.55], [-mark * 0.6, -mark * 0.55]]);
    pen.fillStyle = color('--accent');
    pen.fill();
  }

  names(pen, scale, width, height) {
    const sharp = devicePixelRatio || 1;
    pen.scale(sharp, sharp);
    pen.font = '12px system-ui';
    pen.textAlign = 'center';
    pen.fillStyle = color('--text');
    pen.strokeStyle = color('--card'); // around the letters, so that they can be read on whatever is below
    pen.lineWidth = 3;
    const [left, bottom, right, top] = this.limits;
    const taken = []; // where names stand; one that would cover another is left out
    this.places.robots.forEach(([x, y], i) => {
      const u = width / 2 + this.shift[0] + (x - (left + right) / 2) * scale;
      const v = height / 2 + this.shift[1] - (y - (bottom + top) / 2) * scale;
      const name = this.robots[i]?.name ?? '';
      const text = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
      if (u < 0 || u > width || v < 0 || v > height) return;
      const half = pen.measureText(text).width / 2;
      const at = Math.max(half, Math.min(u, width - half)); // whole, also at the rim
      const line = Math.max(LINE, v - 6 - Math.max(MARK, this.sizes[i] * scale));
      if (taken.some(([other, above, wide]) => Math.abs(other - at) < wide + half && Math.abs(above - line) < LINE)) return;
      taken.push([at, line, half]);
      pen.strokeText(text, at, line);
      pen.fillText(text, at, line);
    });
  }
}
