// The world from above: drag to move, wheel or + and - to zoom.
import {color, fit} from './dom.js';
import {polygon} from './instruments.js';

const MARK = 9; // radius of a robot without an outline, in the units of the page

export class TopView {
  constructor(canvas, shape, robots) {
    this.canvas = canvas;
    this.shape = shape;
    this.robots = robots;
    this.isDirty = true;
    this.zoom = 1;
    this.shift = [0, 0];
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.scaleBy(Math.exp(-event.deltaY / 500));
    }, {passive: false});
    canvas.addEventListener('pointermove', (event) => {
      if (!event.buttons) return;
      this.shift[0] += event.movementX;
      this.shift[1] += event.movementY;
      this.isDirty = true;
    });
    canvas.addEventListener('pointerdown', (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('keydown', (event) => {
      const move = {ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30]}[event.key];
      if (event.key === '+' || event.key === '-') this.scaleBy(event.key === '+' ? 1.2 : 1 / 1.2);
      else if (move) this.shift = [this.shift[0] + move[0], this.shift[1] + move[1]];
      else return;
      event.preventDefault();
      this.isDirty = true;
    });
    new ResizeObserver(() => (this.isDirty = true)).observe(canvas);
  }

  scaleBy(factor) {
    this.zoom = Math.min(50, Math.max(0.2, this.zoom * factor));
    this.shift = this.shift.map((one) => one * factor);
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
    for (const [x, y] of [...places.robots, ...places.moving]) take(x, y);
    for (const hull of this.shape.standing) if (hull.every(([x, y]) => Math.hypot(x, y) < 50)) hull.forEach(([x, y]) => take(x, y));
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
    this.fill(pen, this.shape.standing, '--grid', '--line');
    this.shape.moving.forEach((hulls, i) => this.at(pen, this.places.moving[i], () => this.fill(pen, hulls, '--line', '--dim')));
    this.places.robots.forEach((place, i) => this.at(pen, place, () => this.robot(pen, this.shape.robots[i] ?? [], px)));
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

  robot(pen, hulls, px) {
    let size = MARK * px;
    for (const hull of hulls) for (const [x, y] of hull) size = Math.max(size, Math.hypot(x, y));
    this.fill(pen, hulls, '--sky', '--accent');
    const mark = Math.max(size * 0.45, MARK * px);
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
    const [left, bottom, right, top] = this.limits;
    this.places.robots.forEach(([x, y], i) => {
      const u = width / 2 + this.shift[0] + (x - (left + right) / 2) * scale;
      const v = height / 2 + this.shift[1] - (y - (bottom + top) / 2) * scale;
      pen.fillText(this.robots[i]?.name ?? '', u, v - 14);
    });
  }
}
