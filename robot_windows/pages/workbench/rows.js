// One line for each device: its name, a control, its value, and a button that plots it. A line opens to show everything.
import {CARDS} from '../js/actuators.js';
import {el, named, setText, short} from '../js/dom.js';
import {isTaken, whoDrives} from '../js/driving.js';
import {DisplayCard, PictureCard} from '../js/pictures.js';
import {SensorCard} from '../js/sensors.js';
import {mainSignals, sizeOf} from './devices.js';
import {icon} from './icons.js';

const MOST = 1e6; // range limit of sliders: some motors have limits of 1e308
const HELD_MS = 400; // a slider that was just moved is not set
const ASKED_MS = 600; // until the answer to a click arrives
const MOST_SHOWN = 3; // values of a recorded device in its line
const SPAN = 10; // s, of the plots in opened lines

// A value in a line: short, as it changes all the time.
export function valueText(value) {
  if (value == null) return '–';
  if (Math.abs(value) >= 10000) return short(value);
  return Math.abs(value) >= 100 ? value.toFixed(1).replace('.0', '') : value.toFixed(2).replace('-0.00', '0.00');
}

// What all lines have. robot: {link, state}; bench: {isPlotted, plot, showPicture}.
class Row {
  constructor(device, robot, bench) {
    Object.assign(this, {device, robot, bench});
    this.value = el('span', {class: 'row-value'}, '–');
    this.control = el('span', {class: 'row-control'});
    this.fold = el('button', {type: 'button', class: 'folder', 'aria-expanded': 'false', title: about(device), 'data-local': true, onclick: () => this.toggle()},
      icon('fold'), el('span', {class: 'row-name'}, named(device.name)));
    this.more = el('div', {class: 'row-more', hidden: true});
    this.line = el('div', {class: 'row'}, this.lead(), this.fold, this.control, this.value, this.plotButton());
    this.root = el('div', {class: 'device', 'data-kind': device.kind}, this.line, this.more);
  }

  lead() {
    return el('span', {class: 'row-lead'});
  }

  plotButton() {
    const {device, bench} = this;
    if (!device.signals.length) return el('span', {class: 'row-action'});
    const keys = mainSignals(device).map((one) => one.key);
    this.keys = keys;
    this.curve = el('button', {type: 'button', class: 'row-action', 'aria-label': `Plot ${named(device.name)}`, title: 'Plot', 'aria-pressed': 'false', 'data-local': true}, icon('plot'));
    this.curve.onclick = () => {
      if (bench.plot(keys)) this.enable?.(true);
    };
    return this.curve;
  }

  get isOpen() {
    return !this.more.hidden;
  }

  toggle() {
    if (!this.card) {
      this.card = this.makeCard();
      this.card?.element.querySelector(':scope > header')?.classList.add('inner');
      this.more.append(this.card?.element ?? el('p', {class: 'dim'}, about(this.device)));
    }
    this.more.hidden = !this.more.hidden;
    this.fold.setAttribute('aria-expanded', String(this.isOpen));
  }

  makeCard() {
    return null;
  }

  // The robot's newest state; called for each one while the line is open.
  show(state, time) {
    if (this.isOpen) this.card?.show?.(state, time, false);
  }

  // Draws the state, a few times per second.
  draw(state, time) {
    if (this.curve) this.curve.setAttribute('aria-pressed', String(this.bench.isPlotted(this.keys)));
    if (this.isOpen && this.card) this.card.draw(time, SPAN, true);
  }
}

function about(device) {
  const channel = device.entry.channels.find((one) => one.range);
  const range = channel ? `, ${short(channel.range[0])} to ${short(channel.range[1])} ${device.signals[0]?.unit ?? ''}` : '';
  return `${device.type}${range}`.trim();
}

class SensorRow extends Row {
  lead() {
    this.box = el('input', {type: 'checkbox', 'aria-label': `Enable ${named(this.device.name)}`});
    this.box.onchange = () => this.enable(this.box.checked);
    this.asked = -ASKED_MS;
    return this.box;
  }

  get channel() {
    return this.device.channels[0];
  }

  // One channel of each sampling period.
  enable(on) {
    if (this.box.disabled || (on && this.box.checked && this.isSampled)) return;
    this.asked = performance.now();
    this.box.checked = on;
    const first = new Map(this.device.channels.map((one) => [one.period, one.name]).reverse());
    for (const [period, name] of first) {
      if (period !== this.channel.period && /recognition/.test(period)) continue;
      this.robot.link.ask('enable', {device: this.device.tag, channel: name, period: on ? this.robot.link.period : 0});
    }
  }

  makeCard() {
    return new SensorCard(this.device.entry, this.robot.link);
  }

  draw(state, time) {
    super.draw(state, time);
    const {tag, signals} = this.device;
    this.isSampled = state.periods[tag] !== undefined;
    if (performance.now() > this.asked + ASKED_MS) this.box.checked = this.isSampled;
    this.box.disabled = this.isSampled && !state.own.includes(tag); // the controller uses it
    const title = this.box.disabled ? 'Enabled by the controller' : '';
    if (this.box.title !== title) this.box.title = title;
    this.root.classList.toggle('off', !this.isSampled);
    const values = this.isSampled ? signals.map((one) => one.read(state)) : [];
    const unit = signals.length === 1 ? signals[0].unit : '';
    setText(this.value, values.every((one) => one == null) ? '' : `${values.map(signals.length > 1 ? compact : valueText).join('  ')} ${unit}`.trim());
  }
}

function compact(value) {
  return value == null ? '–' : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2).replace('-0.00', '0.00');
}

class PictureRow extends SensorRow {
  lead() {
    return this.device.type === 'Display' ? el('span', {class: 'row-lead'}) : super.lead();
  }

  plotButton() {
    const button = el('button', {type: 'button', class: 'row-action', 'aria-label': `Show the picture of ${named(this.device.name)}`, title: 'Show the picture', 'data-local': true}, icon('eye'));
    button.onclick = () => {
      if (this.box) this.enable(true);
      this.bench.showPicture(this.robot, this.device);
    };
    return button;
  }

  makeCard() {
    const Card = {Display: DisplayCard, Radar: SensorCard}[this.device.type] ?? PictureCard;
    return new Card(this.device.entry, this.robot.link);
  }

  draw(state, time) {
    if (this.box) super.draw(state, time);
    else if (this.isOpen && this.card) this.card.draw();
    setText(this.value, sizeOf(this.device.entry.constants));
  }
}

// Sends the latest value of an input, at most once per refresh of the screen.
function sends(input, send) {
  let waits = false;
  input.oninput = () => {
    input.held = performance.now() + HELD_MS;
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      send(Number(input.value));
    });
  };
}

function isHeld(input) {
  return performance.now() < (input.held ?? 0) || input.matches(':active');
}

class MotorRow extends Row {
  constructor(device, robot, bench) {
    super(device, robot, bench);
    const channel = (name) => device.entry.channels.find((one) => one.name === name);
    this.limits = channel('position').range;
    this.fastest = channel('velocity').range?.[1] ?? Infinity;
    const most = Math.min(this.fastest, MOST);
    const [low, high] = this.limits ?? [-most, most];
    this.slider = el('input', {type: 'range', min: low, max: high, step: (high - low) / 400 || 'any', 'aria-label': `${this.limits ? 'Position' : 'Velocity'} of ${named(device.name)}`});
    const set = (name, value) => robot.link.ask('set', {device: device.tag, channel: name, value});
    sends(this.slider, (value) => {
      if (!this.limits) {
        set('position', null);
        set('velocity', value);
        return;
      }
      if (!this.state?.velocity || this.state.position == null) set('velocity', this.fastest);
      set('position', value);
    });
    this.slider.ondblclick = () => {
      this.slider.value = 0;
      this.slider.oninput();
    };
    this.control.append(this.slider);
  }

  makeCard() {
    return new CARDS.motor(this.device.entry, this.robot.link);
  }

  draw(state, time) {
    super.draw(state, time);
    const now = (this.state = state.acts[this.device.tag]);
    if (!now) return;
    explain(this.slider, state);
    const [velocity, position] = this.device.signals;
    const byPosition = now.force == null && now.position != null;
    const value = this.limits ? (now.at ?? now.position) : byPosition || now.force != null ? null : now.velocity;
    if (!isHeld(this.slider)) this.slider.value = (this.limits && byPosition ? now.position : value) ?? 0;
    setText(this.value, value == null ? `${valueText(now.at)} ${position.unit}` : `${valueText(value)} ${this.limits ? position.unit : velocity.unit}`);
  }
}

// Disables a control while somebody else drives, and says who.
function explain(control, state) {
  control.disabled = isTaken(state);
  const title = control.disabled ? `${whoDrives(state)} drives. Take control first.` : control.type === 'range' ? 'Double-click: 0' : '';
  if (control.title !== title) control.title = title;
}

class LightRow extends Row {
  constructor(device, robot, bench) {
    super(device, robot, bench);
    const {color = [], gradual} = device.entry.constants;
    const name = named(device.name);
    const set = (value) => robot.link.ask('set', {device: device.tag, channel: 'value', value});
    this.hasAllColors = gradual && !color.length;
    if (this.hasAllColors) {
      this.input = el('input', {type: 'color', class: 'lamp', 'aria-label': `Color of ${name}`});
      this.input.oninput = () => set(parseInt(this.input.value.slice(1), 16));
      this.control.append(this.input);
    } else if (gradual) {
      this.input = el('input', {type: 'range', min: 0, max: 255, 'aria-label': `Brightness of ${name}`});
      sends(this.input, set);
      this.control.append(this.input);
    } else {
      // A press goes to the next color, and after the last one to off.
      this.input = el('button', {type: 'button', class: 'lamp', role: 'switch', 'aria-checked': 'false', 'aria-label': name});
      const count = Math.max(1, color.length);
      this.input.onclick = () => set(((this.state?.value ?? 0) + 1) % (count + 1));
      this.control.append(this.input);
    }
  }

  makeCard() {
    return new CARDS.light(this.device.entry, this.robot.link);
  }

  draw(state, time) {
    super.draw(state, time);
    this.state = state.acts[this.device.tag];
    if (!this.state) return;
    explain(this.input, state);
    const {value, color} = this.state;
    const shown = `rgb(${color.map((one) => Math.round(one * 255)).join(' ')})`;
    if (this.input.type === 'button') {
      this.input.style.setProperty('--lamp', value ? shown : 'transparent');
      this.input.setAttribute('aria-checked', String(Boolean(value)));
    } else if (!isHeld(this.input) && document.activeElement !== this.input) this.input.value = this.hasAllColors ? hex(value) : value;
    setText(this.value, value ? (this.hasAllColors ? hex(value) : this.input.type === 'range' ? String(value) : value > 1 ? `color ${value}` : 'on') : 'off');
  }
}

function hex(value) {
  return `#${(value & 0xffffff).toString(16).padStart(6, '0')}`;
}

// A brake by its damping, and on/off devices.
class SwitchRow extends Row {
  constructor(device, robot, bench) {
    super(device, robot, bench);
    const channel = device.entry.channels.find((one) => one.direction === 'act');
    this.isFlag = channel.type === 'bool';
    this.input = this.isFlag
      ? el('input', {type: 'checkbox', role: 'switch', 'aria-label': `${channel.label} of ${named(device.name)}`})
      : el('input', {type: 'number', class: 'small', min: 0, step: 'any', 'aria-label': `${channel.label} of ${named(device.name)}`});
    this.input.onchange = () => robot.link.ask('set', {device: device.tag, channel: channel.name, value: this.isFlag ? this.input.checked : Number(this.input.value)});
    this.control.append(this.input);
  }

  makeCard() {
    return new CARDS.switch(this.device.entry, this.robot.link);
  }

  draw(state, time) {
    super.draw(state, time);
    const now = state.acts[this.device.tag];
    if (!now) return;
    explain(this.input, state);
    setText(this.value, this.isFlag ? (now.value ? 'on' : 'off') : valueText(now.value));
    if (document.activeElement === this.input) return;
    if (this.isFlag) this.input.checked = now.value;
    else this.input.value = now.value;
  }
}

class OtherRow extends Row {
  draw() {
    setText(this.value, this.device.type);
  }
}

// A named value that the controller prints.
class TelemetryRow extends Row {
  draw(state, time) {
    super.draw(state, time);
    const [signal] = this.device.signals;
    const {store, row} = this.bench.source;
    setText(this.value, valueText(this.robot.link ? signal.read(state) : store.column(signal.key)[row]));
  }
}

// A recorded device: its values at the shown time.
class RecordedRow extends Row {
  makeCard() {
    return new RecordedSignals(this.device, this.bench);
  }

  draw(state, time) {
    super.draw(state, time);
    const {store, row} = this.bench.source;
    const values = this.device.signals.slice(0, MOST_SHOWN).map((one) => store.column(one.key)[row]);
    const isEmpty = values.every((one) => one == null);
    setText(this.value, isEmpty ? '' : values.map(values.length > 1 ? compact : valueText).join('  '));
  }
}

// All signals of a recorded device.
class RecordedSignals {
  constructor(device, bench) {
    Object.assign(this, {device, bench});
    this.values = device.signals.map(() => el('span', {class: 'row-value'}));
    this.element = el('div', {}, ...device.signals.map(({key, name}, i) => {
      const button = el('button', {type: 'button', class: 'row-action', 'aria-label': `Plot ${device.name} ${name}`, title: 'Plot', onclick: () => bench.plot([key])}, icon('plot'));
      return el('div', {class: 'row'}, el('span'), el('span', {class: 'row-name'}, name), el('span'), this.values[i], button);
    }));
  }

  show() {}

  draw() {
    const {store, row} = this.bench.source;
    this.device.signals.forEach(({key}, i) => setText(this.values[i], valueText(store.column(key)[row])));
  }
}

const ROWS = {motor: MotorRow, light: LightRow, switch: SwitchRow, sensor: SensorRow, picture: PictureRow, telemetry: TelemetryRow, other: OtherRow, recorded: RecordedRow};

export function rowOf(device, robot, bench) {
  return new ROWS[device.kind](device, robot, bench);
}
