// Pulls and moves solids with the pointer, as Webots: Alt pulls (left button: force, right button: torque), Shift moves (left:
// over the ground, right: around the vertical axis, middle or wheel: up and down). The tools of the view do the same
// without keys, also on phones; the tool for moves also has handles, and keys for them: see handles.js.
import {Vector3} from '../vendor/three.js';
import {Handles} from './handles.js';
import {Plane} from './plane.js';

const RENEW_MS = 400; // the run ends a drag that is not renewed
const PERIOD_MS = 33;
const LIFT = 0.0005; // m for a pixel of the wheel, times the distance
const TURN = 0.01; // rad for a pixel
const GRID = 0.05; // m, with Ctrl
const GRID_ANGLE = Math.PI / 12; // rad, with Ctrl

export class Dragging {
  // view: see view.js; ask(name, values): sends a request; said(text): shows a text at the pointer, or none ('').
  constructor(view, ask, said) {
    Object.assign(this, {view, ask, said});
    this.tool = 'look';
    this.handles = new Handles(view);
    view.takesPointer = (event) => this.takes(event);
    const {canvas} = view;
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.lift(event));
    canvas.addEventListener('pointercancel', (event) => this.lift(event));
    canvas.addEventListener('wheel', (event) => this.wheel(event), {passive: false});
    addEventListener('blur', () => this.end());
    addEventListener('keydown', (event) => this.key(event));
  }

  choose(tool) {
    this.tool = tool;
    this.handles.isOn = tool === 'move';
    this.view.invalidate();
  }

  takes(event) {
    if (event.type === 'wheel') return event.shiftKey;
    if (this.current) return true;
    return Boolean(this.handleAt(event) || (this.kindOf(event) && this.hitOf(event)));
  }

  handleAt(event) {
    const isPlain = event.button === 0 && !event.altKey && !event.shiftKey;
    return isPlain ? this.handles.at(...this.view.orbit.pointOf(event), event.pointerType) : null;
  }

  kindOf({altKey, shiftKey, button}) {
    if (altKey || (this.tool === 'pull' && !shiftKey)) return button === 2 ? 'torque' : button === 0 ? 'force' : null;
    if (shiftKey || this.tool === 'move') return ['over', 'lift', 'turn'][button] ?? null;
    return null;
  }

  hitOf(event) {
    const hit = this.view.pick(...this.view.orbit.pointOf(event));
    if (hit?.node == null) return null;
    // The tools leave the ground alone: a drag there turns the view.
    return hit.body == null && !event.shiftKey && !event.altKey ? null : hit;
  }

  press(event) {
    const handle = this.current ? null : this.handleAt(event);
    if (handle) {
      this.view.canvas.setPointerCapture(event.pointerId);
      this.hold(handle, event.pointerId, this.view.orbit.pointOf(event));
      return;
    }
    const kind = this.current ? null : this.kindOf(event);
    const hit = kind && this.hitOf(event);
    if (!hit) return;
    event.preventDefault();
    const {canvas, camera, orbit, world} = this.view;
    canvas.setPointerCapture(event.pointerId);
    const isPull = kind === 'force' || kind === 'torque';
    const node = isPull ? hit.node : this.movedOf(hit.node);
    const body = world.bodies.get(hit.body);
    if (isPull && !body) {
      this.refuse();
      return;
    }
    const across = kind === 'lift' || isPull ? camera.getWorldDirection(new Vector3()) : orbit.up.clone();
    if (kind === 'lift') across.addScaledVector(orbit.up, -across.dot(orbit.up)).normalize();
    this.current = {
      kind, node, body, pointer: event.pointerId, from: hit.point.clone(), x: event.clientX,
      point: isPull ? hit.point.clone().applyMatrix4(body.matrix.clone().invert()) : null,
      plane: new Plane(across, hit.point), begins: true, way: new Vector3(), angle: 0, end: hit.point.clone(),
    };
    if (!this.view.allSelected().includes(node)) this.ask('select', {node, more: false});
    this.timer = setInterval(() => this.send(), RENEW_MS);
  }

  // Holds a handle by a pointer, or by the keyboard (null).
  hold(handle, pointer, place) {
    this.handles.hold(handle, place);
    this.current = {kind: 'handle', node: this.handles.selected.node, pointer, begins: true};
    this.timer = setInterval(() => this.send(), RENEW_MS);
    this.said(this.handles.change().text);
  }

  // With the tool for moves: x, y, z, s take a handle of what is selected; numbers say how far; Enter and Escape end.
  key(event) {
    const isElsewhere = event.target.matches?.('input:not([type="checkbox"]), select, textarea');
    if (isElsewhere || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const {handles, current} = this;
    if (current?.kind === 'handle') {
      if (event.key === 'Escape') handles.cancel();
      const isEnd = event.key === 'Enter' || event.key === 'Escape';
      if (!isEnd && !handles.type(event.key)) return;
      this.isLate = true;
      this.said(handles.change().text);
      if (isEnd) this.end();
    } else {
      const handle = handles.isShown && !current && handles.named(event.key.toLowerCase(), event.shiftKey);
      if (handle) this.hold(handle, null, null);
      else if (handles.isShown && event.key === 'l') handles.turnAxes();
      else return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // Ends a pull of something that does not move.
  refuse() {
    this.end();
    this.said('nothing moves this: it has no Physics');
    setTimeout(() => this.said(''), 1500);
  }

  // What is moved: the selected solid if the hit one is in it, else the topmost one.
  movedOf(node) {
    const {parents} = this.view.world.description;
    let one = node;
    while (one !== this.view.selected && parents?.[one] != null) one = parents[one];
    return one;
  }

  move(event) {
    const {current} = this;
    if (!current) this.handles.hover(event.buttons ? null : this.view.orbit.pointOf(event));
    if (!current || event.pointerId !== current.pointer) return;
    const {view} = this;
    current.isOnGrid = event.ctrlKey || event.metaKey;
    if (current.kind === 'handle') {
      this.handles.pull(view.orbit.pointOf(event));
      this.said(this.handles.change(current.isOnGrid).text);
    } else if (current.kind === 'turn') {
      current.angle = TURN * (event.clientX - current.x);
    } else {
      const at = current.plane.meets(view.rayAt(...view.orbit.pointOf(event)));
      if (!at) return;
      current.end.copy(at);
      current.way.copy(at).sub(current.from);
      if (current.kind === 'lift') current.way.copy(view.orbit.up).multiplyScalar(current.way.dot(view.orbit.up));
    }
    const now = performance.now();
    if (now - (this.sent ?? 0) >= PERIOD_MS) this.send();
    else this.isLate = true;
  }

  send() {
    const {current} = this;
    if (!current) return;
    this.sent = performance.now();
    this.isLate = false;
    const {kind, node} = current;
    if (current.point) {
      this.ask('pull', {kind, node, point: current.point.toArray(), end: current.end.toArray()});
    } else if (kind === 'handle') {
      const {way, turn, factor} = this.handles.change(current.isOnGrid);
      this.ask('move', {node, begins: current.begins, way, turn, factor});
      current.begins = false;
    } else {
      const way = current.way.toArray().map((one) => (current.isOnGrid ? Math.round(one / GRID) * GRID : one));
      const angle = current.isOnGrid ? Math.round(current.angle / GRID_ANGLE) * GRID_ANGLE : current.angle;
      const turn = this.view.orbit.up.clone().multiplyScalar(angle).toArray();
      this.ask('move', {node, begins: current.begins, way, turn, factor: 1});
      current.begins = false;
    }
  }

  // Shows the handles, and the arrow of a pull; call it before drawing.
  draw() {
    const {current, view} = this;
    this.handles.draw();
    if (this.isLate && performance.now() - this.sent >= PERIOD_MS) this.send();
    if (!current?.point) return;
    view.drawings.arrow(current.point.clone().applyMatrix4(current.body.matrix).toArray(), current.end.toArray());
    view.invalidate();
  }

  lift(event) {
    if (this.current && event.pointerId === this.current.pointer) this.end();
  }

  end() {
    if (!this.current) return;
    if (this.isLate || (!this.current.point && !this.current.begins)) this.send();
    this.ask('drop', {node: this.current.node});
    clearInterval(this.timer);
    this.current = null;
    this.handles.release();
    this.said('');
    this.view.drawings.arrow(null);
    this.view.invalidate();
  }

  // Lifts with Shift and the wheel.
  wheel(event) {
    if (!event.shiftKey) return;
    event.preventDefault();
    const hit = this.hitOf(event);
    if (!hit) return;
    const {camera, orbit} = this.view;
    const size = -(event.deltaY || event.deltaX) * LIFT * camera.position.distanceTo(hit.point);
    const node = this.movedOf(hit.node);
    this.ask('move', {node, begins: true, way: orbit.up.clone().multiplyScalar(size).toArray(), turn: [0, 0, 0], factor: 1});
    this.ask('drop', {node});
  }
}
