// Cards of sensors: on and off, the latest values, and a plot or an instrument.
import {el, number, setText} from './dom.js';
import {angles, drawAttitude, drawCompass} from './instruments.js';
import {CURVES, Plot} from './plot.js';

const DEGREES = 180 / Math.PI;

// Plotted values and number formats per channel; other channels only show their values.
const KINDS = {
  vec3: {names: ['x', 'y', 'z'], parts: (value) => value},
  quaternion: {names: ['roll °', 'pitch °', 'yaw °'], parts: (value, isYUp) => angles(value, isYUp).map((one) => one * DEGREES)},
  f64: {names: [''], parts: (value) => [value]},
  f32: {names: [''], parts: (value) => [value]},
  i32: {names: [''], parts: (value) => [value]},
  bool: {names: [''], parts: (value) => [Number(value)]},
};
const PATIENCE_MS = 600; // until the answer to a click arrives
const PICTURES = ['image', 'points', 'bytes'];
const INSTRUMENTS = {Compass: drawCompass, InertialUnit: drawAttitude};

// A lookup table converts the measured quantity to raw numbers, like the converter of a real sensor.
export function unitOf(device, channel) {
  const isConverted = device.constants.lookupTable?.some(([measured, told]) => measured !== told);
  return isConverted ? '' : channel.unit.replace('^2', '²');
}

export class SensorCard {
  // Pictures and point clouds are not shown.
  static shows(device) {
    return device.channels.some((one) => one.direction === 'sense' && one.period && !PICTURES.includes(one.type) && !one.shape.some((length) => length > 1));
  }

  constructor(device, page) {
    this.device = device;
    this.page = page;
    this.asked = -PATIENCE_MS;
    this.channels = device.channels.filter((one) => one.direction === 'sense' && one.period);
    this.main = this.channels.find((one) => KINDS[one.type] && one.shape.length === 0) ?? this.channels[0];
    this.kind = this.main.shape.length === 0 ? KINDS[this.main.type] : undefined;
    this.box = el('input', {type: 'checkbox', id: `enable-${device.tag}`});
    this.box.onchange = () => this.enable(this.box.checked);
    this.note = el('span', {class: 'dim'});
    const {range} = this.main;
    const about = [device.type, unitOf(device, this.main), range && device.type !== 'Compass' ? `${range[0]} to ${range[1]}` : ''];
    this.values = el('div', {class: 'value', role: 'group', 'aria-label': `values of ${device.name}`});
    this.element = el('section', {class: 'card', id: `device-${device.tag}`},
      el('header', {}, el('label', {class: 'switch'}, this.box, el('h2', {}, device.name)), this.note),
      el('div', {class: 'dim'}, about.filter(Boolean).join(' · ')), this.values);
    const isOfPackets = this.main.name === 'packets';
    if (isOfPackets) this.values.append(el('span', {class: 'dim'}, page.isReal ? 'packets are not shown' : 'packets: see Messages'));
    this.texts = (this.kind ? this.kind.names : isOfPackets ? [] : [this.main.name]).map((name, i, all) => {
      const text = el('b', {}, '–');
      const dot = all.length > 1 ? el('i', {style: `background: var(${CURVES[i]})`}) : null;
      this.values.append(el('span', {}, dot, name ? `${name} ` : '', text));
      return text;
    });
  }

  enable(on) {
    this.asked = performance.now();
    for (const one of this.periods()) this.page.ask('enable', {device: this.device.tag, channel: one, period: on ? this.page.period : 0});
  }

  // One channel of each sampling period.
  periods() {
    const first = new Map(this.channels.map((one) => [one.period, one.name]).reverse());
    return [this.main.name, ...[...first].filter(([period]) => period !== this.main.period && !/recognition/.test(period)).map(([, name]) => name)];
  }

  show(robot, time, isPaused) {
    const tag = this.device.tag;
    const period = robot.periods[tag];
    const isOwn = robot.own.includes(tag);
    if (performance.now() > this.asked + PATIENCE_MS) this.box.checked = period !== undefined;
    this.box.disabled = period !== undefined && !isOwn; // the controller uses it
    this.box.title = this.box.disabled ? 'Enabled by the controller' : '';
    setText(this.note, period === undefined ? 'off' : `${period} ms${isOwn ? '' : ', controller'}`);
    const value = (robot.values[tag] ?? {})[this.main.name];
    this.value = period === undefined ? undefined : value;
    if (this.value === undefined) {
      this.interrupt();
      return;
    }
    this.isNumber = !Array.isArray(value) || !value.includes(null); // infinite or missing values are null
    this.parts = !this.kind ? [value] : this.isNumber ? this.kind.parts(value, this.page.isYUp) : this.kind.names.map(() => null);
    if (this.kind) {
      if (!this.plot) this.addPlot();
      this.plot.add(time, this.parts, isPaused);
    }
  }

  addPlot() {
    const draw = INSTRUMENTS[this.device.type];
    if (draw) {
      this.canvas = el('canvas', {class: 'instrument', role: 'img', 'aria-label': `${this.device.type} ${this.device.name}`});
      this.element.append(this.canvas);
      this.instrument = draw;
    }
    const holder = el('div', {class: 'plot'});
    this.element.append(holder);
    this.plot = new Plot(holder, this.kind.names, this.main.range);
  }

  draw(time, span, isFitting) {
    if (this.value === undefined) {
      for (const text of this.texts) setText(text, '–');
      return;
    }
    this.texts.forEach((text, i) => setText(text, describe(this.parts[i])));
    if (this.instrument && this.isNumber) this.instrument(this.canvas, this.value, this.page.isYUp);
    if (this.plot) this.plot.draw(time, span, isFitting);
  }

  interrupt() {
    if (this.plot) this.plot.spacing.interrupt();
  }

  restyle() {
    if (this.plot) this.plot.restyle();
  }

  // Columns for a recording.
  columns() {
    if (this.value === undefined || !this.kind) return [];
    return this.kind.names.map((name, i) => [`${this.device.name}${name ? `.${name}` : ''}`, this.parts[i]]);
  }
}

function describe(value) {
  return Array.isArray(value) ? String(value.length) : number(value);
}
