// Cards of actuators: motors with sliders, LEDs, switches.
import {el, number, setText, short} from './dom.js';
import {isTaken} from './driving.js';
import {unitOf} from './sensors.js';

const MOST = 1e6; // range limit of sliders: some motors have limits of 1e308
const WIDE = Math.PI; // range of a slider around the position of a motor without limits (rad or m)

// Sends the latest value of a slider, at most once per frame.
function slider(title, from, to, unit, send) {
  const [low, high] = [Math.max(from, -MOST), Math.min(to, MOST)];
  const range = el('input', {type: 'range', min: low, max: high, step: (high - low) / 400 || 'any', 'aria-label': title});
  const out = el('output', {}, '–');
  let waits = false;
  let held = 0;
  range.oninput = () => {
    held = performance.now() + 400;
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      send(Number(range.value));
    });
  };
  if (low < 0 && high > 0) {
    range.title = 'Double-click: 0';
    range.ondblclick = () => {
      range.value = 0;
      send(0);
    };
  }
  const element = el('div', {class: 'slider'}, el('span', {class: 'name'}, title.split(' ').pop()), range, out);
  const isHeld = () => performance.now() <= held || range.matches(':active');
  return {
    element,
    range,
    // Sets the range, unless the slider is being moved.
    reach(from, to) {
      if (isHeld()) return;
      [range.min, range.max] = [from, to];
    },
    // Sets the value; without one, the start position.
    set(value, isOn, isUsed, start = 0) {
      range.disabled = !isOn;
      element.classList.toggle('used', isUsed);
      if (!isHeld()) range.value = value ?? start;
      setText(out, value == null ? '–' : `${number(value)} ${unit}`);
    },
  };
}

// Explains why the controls are disabled.
function explain(element, isOn) {
  const title = isOn ? '' : 'Take control first.';
  if (element.title !== title) element.title = title;
}

class Motor {
  constructor(device, page) {
    this.device = device;
    const [position, velocity, force, limit] = ['position', 'velocity', 'force', 'availableForce'].map((name) => device.channels.find((one) => one.name === name));
    const unit = (channel) => unitOf(device, channel);
    const [fastest, most] = [velocity, force].map((one) => one.range?.[1] ?? Infinity);
    const has = Boolean(position.range);
    this.isEndless = !has;
    this.middle = 0;
    const [low, high] = position.range ?? [-WIDE, WIDE];
    const set = (channel, value) => page.ask('set', {device: device.tag, channel, value});
    this.velocity = slider(`${device.name} velocity`, -fastest, fastest, unit(velocity), (value) => {
      set('position', null);
      set('velocity', value);
    });
    this.position = slider(`${device.name} position`, low, high, unit(position), (value) => {
      if (!this.state || !this.state.velocity || this.state.position == null) set('velocity', fastest);
      set('position', value);
    });
    this.force = slider(`${device.name} ${force.label}`, -most, most, unit(force), (value) => set('force', value));
    this.limit = slider(`${device.name} limit`, 0, most, unit(limit), (value) => set('availableForce', value));
    this.at = el('b', {}, '–');
    this.place = el('span', {class: 'dim', hidden: true}, 'at ', this.at);
    this.unit = unit(position);
    const about = `${device.type} · up to ${short(fastest)} ${unit(velocity)}, ${short(most)} ${unit(force)}`;
    this.element = el('section', {class: 'card', id: `device-${device.tag}`},
      el('header', {}, el('h2', {}, device.name), this.place),
      el('div', {class: 'dim'}, has ? `${about}, ${short(low)} to ${short(high)} ${this.unit}` : about),
      ...[this.velocity, this.position, this.force, this.limit].map((one) => one.element));
  }

  show(robot) {
    this.state = robot.acts[this.device.tag];
    this.isOn = !isTaken(robot);
    explain(this.element, this.isOn);
  }

  draw() {
    const s = this.state;
    if (!s) return;
    this.place.hidden = s.at == null; // a real robot reports it by an encoder, if at all
    setText(this.at, `${number(s.at)} ${this.unit}`);
    const byForce = s.force != null;
    const byPosition = !byForce && s.position != null;
    this.velocity.set(byPosition || byForce ? null : s.velocity, this.isOn, !byForce && !byPosition);
    if (this.isEndless) this.follow(byPosition ? s.position : s.at ?? 0, byPosition);
    this.position.set(byPosition ? s.position : null, this.isOn, byPosition, s.at);
    this.force.set(s.force, this.isOn, byForce);
    this.limit.set(s.availableForce, this.isOn, false);
  }

  // A wheel that has turned a hundred times is set relative to its position: the slider is centered there.
  follow(place, isAim) {
    if (Math.abs(place - this.middle) <= (isAim ? WIDE : 0.02)) return;
    this.middle = place;
    this.position.reach(place - WIDE, place + WIDE);
  }

  columns() {
    const s = this.state;
    return s ? [[`${this.device.name}.position`, s.at], [`${this.device.name}.target`, s.position], [`${this.device.name}.velocity`, s.velocity]] : [];
  }
}

class Led {
  constructor(device, page) {
    this.device = device;
    const colors = device.constants.color ?? [];
    const set = (value) => page.ask('set', {device: device.tag, channel: 'value', value});
    this.lamp = el('span', {class: 'lamp', role: 'img', 'aria-label': `color of ${device.name}`});
    this.out = el('span', {class: 'dim'}, '–');
    const gradual = device.constants.gradual;
    this.element = el('section', {class: 'card', id: `device-${device.tag}`},
      el('header', {}, this.lamp, el('h2', {}, device.name), this.out));
    this.hasAllColors = gradual && !colors.length;
    if (this.hasAllColors) {
      this.input = el('input', {type: 'color', 'aria-label': `color of ${device.name}`});
      this.input.oninput = () => set(parseInt(this.input.value.slice(1), 16));
    } else if (gradual) {
      this.input = el('input', {type: 'range', min: 0, max: 255, 'aria-label': `brightness of ${device.name}`});
      this.input.oninput = () => set(Number(this.input.value));
    } else {
      const count = Math.max(1, Array.isArray(colors) ? colors.length : 1);
      this.input = el('select', {'aria-label': `color of ${device.name}`}, el('option', {value: 0}, 'off'),
        ...Array.from({length: count}, (_, i) => el('option', {value: i + 1}, count > 1 ? `color ${i + 1}` : 'on')));
      this.input.onchange = () => set(Number(this.input.value));
    }
    this.element.append(this.input);
  }

  show(robot) {
    this.state = robot.acts[this.device.tag];
    this.input.disabled = isTaken(robot);
    explain(this.element, !this.input.disabled);
  }

  draw() {
    if (!this.state) return;
    const [r, g, b] = this.state.color.map((one) => Math.round(one * 255));
    this.lamp.style.background = `rgb(${r} ${g} ${b})`;
    const {value} = this.state;
    const told = this.hasAllColors ? `#${(value & 0xffffff).toString(16).padStart(6, '0')}` : String(value);
    setText(this.out, value ? told : 'off');
    if (document.activeElement !== this.input) this.input.value = told;
  }

  columns() {
    return this.state ? [[`${this.device.name}.value`, this.state.value]] : [];
  }
}

// A brake by its damping, and on/off devices.
class Switch {
  constructor(device, page) {
    this.device = device;
    const channel = device.channels.find((one) => one.direction === 'act');
    const isFlag = channel.type === 'bool';
    this.input = el('input', {type: isFlag ? 'checkbox' : 'number', min: 0, step: 'any', 'aria-label': `${channel.name} of ${device.name}`});
    this.input.onchange = () => page.ask('set', {device: device.tag, channel: channel.name, value: isFlag ? this.input.checked : Number(this.input.value)});
    this.element = el('section', {class: 'card', id: `device-${device.tag}`}, el('header', {}, el('h2', {}, device.name), el('span', {class: 'dim'}, device.type)),
      el('label', {class: 'switch'}, this.input, `${channel.label} ${unitOf(device, channel)}`));
  }

  show(robot) {
    this.state = robot.acts[this.device.tag];
    this.input.disabled = isTaken(robot);
    explain(this.element, !this.input.disabled);
  }

  draw() {
    if (!this.state || document.activeElement === this.input) return;
    if (this.input.type === 'checkbox') this.input.checked = this.state.value;
    else this.input.value = this.state.value;
  }

  columns() {
    return [];
  }
}

// The card of a device, by the kind of control in the catalogue.
export const CARDS = {motor: Motor, light: Led, switch: Switch};

// Groups of cards, in this order.
export const GROUPS = [['Motors', 'motor'], ['Lights', 'light'], ['Brakes, pens and grippers', 'switch']];
