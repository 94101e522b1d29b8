// Drives a robot with wheels: a pad, arrow keys, a gamepad; with its picture, its battery, and a button that stops it.
import {el, named, setText} from '../js/dom.js';
import {IDLE, isTaken, whoDrives} from '../js/driving.js';

const MOST = 1e3; // rad/s, for motors without a limit
const DEAD = 0.12; // of a gamepad's stick
const KEYS = {ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0], w: [0, 1], s: [0, -1], a: [-1, 0], d: [1, 0]};

// Motors that turn without limits, on the left and on the right by their names; null if there are not both.
export function wheelsOf(robot) {
  const wheels = robot.devices.filter((one) => one.kind === 'motor' && one.type === 'RotationalMotor' && !one.entry.channels.find((channel) => channel.name === 'position').range);
  const of = (side) => wheels.filter((one) => new RegExp(`(^|[^a-z])${side}([^a-z]|$)`, 'i').test(one.name.replace(/([a-z])([A-Z])/g, '$1 $2')));
  const [left, right] = [of('left'), of('right')];
  return left.length && right.length ? {left, right} : null;
}

function fastest({left, right}) {
  const limits = [...left, ...right].map((one) => one.entry.channels.find((channel) => channel.name === 'velocity').range?.[1] ?? Infinity);
  return Math.min(MOST, ...limits);
}

export class DrivePanel {
  constructor(robot, saved, changed) {
    Object.assign(this, {robot, title: `Drive ${named(robot.name)}`, wheels: wheelsOf(robot), sent: [0, 0], wish: [0, 0], keys: new Set()});
    this.most = fastest(this.wheels);
    this.knob = el('i', {class: 'knob'});
    this.pad = el('div', {class: 'pad', tabindex: '0', role: 'application', 'aria-label': `Drive ${named(robot.name)}: drag, or use the arrow keys`}, this.knob);
    this.speed = el('input', {type: 'range', min: 0.05, max: 1, step: 0.05, value: saved?.speed ?? 0.5, 'aria-label': 'Largest speed'});
    this.speed.oninput = changed;
    this.stick = el('input', {type: 'checkbox', id: `gamepad-${robot.number}`});
    this.take_ = el('button', {type: 'button', class: 'small', onclick: () => robot.link.ask('control', {on: true})}, 'Take control');
    this.note = el('output', {class: 'dim'});
    this.stop = el('button', {type: 'button', class: 'stop whole', onclick: () => this.halt()}, 'Stop');
    this.camera = robot.devices.find((one) => one.type === 'Camera');
    this.picture = el('img', {alt: `picture of ${this.camera?.name}`, hidden: true});
    this.battery = el('output', {class: 'dim', hidden: true});
    this.root = el('div', {class: 'drive-panel'}, this.picture, this.pad,
      el('div', {class: 'drive-side'}, this.stop, el('label', {class: 'dim'}, 'Largest speed', this.speed), el('label', {class: 'switch dim'}, this.stick, 'Gamepad'), this.take_, this.note, this.battery));
    this.listen();
  }

  get state() {
    return {speed: Number(this.speed.value)};
  }

  wants() {
    return {robots: [this.robot.number]};
  }

  listen() {
    const {pad} = this;
    const point = (event) => {
      const {left, top, width, height} = pad.getBoundingClientRect();
      const [x, y] = [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
      const size = Math.max(1, Math.hypot(x, y));
      this.wish = [x / size, y / size];
    };
    pad.onpointerdown = (event) => {
      pad.setPointerCapture(event.pointerId);
      pad.focus();
      point(event);
      pad.onpointermove = point;
    };
    pad.onpointerup = pad.onpointercancel = () => {
      pad.onpointermove = null;
      this.wish = [0, 0];
    };
    pad.onkeydown = (event) => {
      if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.keys.add(event.key);
      this.press();
    };
    pad.onkeyup = (event) => {
      if (this.keys.delete(event.key)) this.press();
    };
    pad.onblur = () => {
      this.keys.clear();
      this.wish = [0, 0];
    };
    addEventListener(IDLE, () => {
      pad.onpointermove = null;
      pad.onblur();
      this.sent = [0, 0];
    });
  }

  press() {
    const sum = [0, 0];
    for (const one of this.keys) KEYS[one].forEach((value, i) => (sum[i] += value));
    const size = Math.max(1, Math.hypot(...sum));
    this.wish = sum.map((one) => one / size);
  }

  // The first stick of the first gamepad, if it is used.
  readGamepad() {
    const found = [...(navigator.getGamepads?.() ?? [])].find(Boolean);
    if (!this.stick.checked || !found) return null;
    const [x = 0, y = 0] = found.axes;
    return Math.hypot(x, y) < DEAD ? [0, 0] : [x, -y];
  }

  draw() {
    const {state} = this.robot;
    if (!state) return;
    this.showRobot(state);
    const isFree = !isTaken(state);
    this.take_.hidden = isFree;
    this.pad.setAttribute('aria-disabled', String(!isFree));
    const [x, y] = this.readGamepad() ?? this.wish;
    this.knob.style.transform = `translate(${x * 100}%, ${-y * 100}%)`;
    if (isFree) this.drive(x, y);
    const [left, right] = this.sent;
    setText(this.note, isFree ? `left ${left.toFixed(1)}, right ${right.toFixed(1)} rad/s` : `${whoDrives(state)} drives.`);
  }

  halt() {
    Object.assign(this, {wish: [0, 0], sent: [0, 0]});
    this.robot.link.ask('stop');
  }

  showRobot({battery, pictures, periods}) {
    const {camera, picture} = this;
    this.battery.hidden = battery == null;
    if (battery != null) setText(this.battery, `Battery ${Math.round((100 * battery) / (this.robot.table.robot.constants.battery?.[1] || battery || 1))} %`);
    if (!camera) return;
    const newest = pictures[camera.tag];
    if (newest && picture.src !== newest) picture.src = newest;
    picture.hidden = !picture.src || periods[camera.tag] === undefined;
  }

  // x: to the right, y: forward, both -1 to 1.
  drive(x, y) {
    const turn = x * (y < 0 ? -1 : 1) * (Math.abs(y) > 0.3 ? 0.6 : 0.5);
    const [left, right] = [y + turn, y - turn];
    const scale = (this.most * Number(this.speed.value)) / Math.max(1, Math.abs(left), Math.abs(right));
    const wanted = [left * scale, right * scale].map((one) => Math.round(one * 100) / 100);
    if (wanted.every((one, i) => one === this.sent[i])) return;
    this.sent = wanted;
    this.wheels.left.forEach((one) => this.set(one, wanted[0]));
    this.wheels.right.forEach((one) => this.set(one, wanted[1]));
  }

  set(motor, velocity) {
    const {link} = this.robot;
    link.ask('set', {device: motor.tag, channel: 'position', value: null});
    link.ask('set', {device: motor.tag, channel: 'velocity', value: velocity});
  }

  close() {
    if (this.sent.some((one) => one !== 0)) this.drive(0, 0);
  }
}

export const panels = [{
  kind: 'drive', rank: 5,
  entry: (robot) => (wheelsOf(robot) ? 'Drive' : null),
  make: ({robot, saved, changed}) => new DrivePanel(robot, saved, changed),
}];
