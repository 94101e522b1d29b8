// The generic window: all devices of one robot, built from its device table.
import {CARDS, GROUPS} from './actuators.js';
import {counted, el, named, number, setText, themeButton, windowAddress} from './dom.js';
import {drawRays} from './instruments.js';
import {Keys} from './keys.js';
import {live} from './live.js';
import {Recorder} from './recorder.js';
import {DisplayCard, PictureCard} from './pictures.js';
import {Log, RunBar} from './run.js';
import {SensorCard} from './sensors.js';

const NAME = new URLSearchParams(location.search).get('name');
const SPANS = [5, 10, 30, 60, 120];
const SELDOM = 20; // frames, a third of a second
const NO_CONTROLLER = ['', '<none>', 'void'];
const DRIVERS = {window: 'You drive', other: 'Another page drives', controller: 'The controller drives', nobody: 'No controller'};

class Page {
  constructor() {
    this.period = 32;
    this.span = 10;
    this.isFitting = false;
    this.pictures = 0;
    this.cards = [];
    this.live = live;
    live.start({
      hello: (hello) => this.build(hello),
      news: (news) => this.take(news),
      status: (state, reason) => {
        if (state !== 'connected') for (const one of this.cards) one.interrupt?.();
        this.bar?.setStatus(state, reason);
      },
    });
  }

  ask(name, values = {}) {
    this.live.ask(name, {robot: this.robot.number, ...values});
  }

  build(hello) {
    const isOnly = !NAME && hello.robots.length === 1;
    this.robot = isOnly ? hello.robots[0] : live.own(hello.robots);
    if (!this.robot) {
      this.choose(hello);
      return;
    }
    document.title = `${named(this.robot.name)} – ${hello.title}`;
    this.isYUp = hello.shape.up === 'y';
    this.period = Math.max(1, Math.round(this.robot.table.robot.constants.basicTimeStep));
    this.live.watch({robots: [this.robot.number]});
    this.isReal = hello.isReal;
    this.hasPictures = hello.hasPictures;
    this.bar = new RunBar(this.live, hello.isReal);
    this.bar.setStatus('connected');
    this.log = new Log('Messages', (line) => !line.robot || line.robot === this.robot.name, false, true);
    this.recorder = new Recorder(this.robot.name);
    this.keys = new Keys(this.live);
    document.body.replaceChildren(this.header(), this.body());
    requestAnimationFrame(() => this.draw());
  }

  // The address names no robot of this world: list the existing ones.
  choose(hello) {
    const ordered = [...hello.robots].sort((a, b) => hello.nearest.indexOf(a.name) - hello.nearest.indexOf(b.name));
    const robots = ordered.map((one) => el('div', {class: 'robot'},
      el('span', {class: 'who'}, el('b', {}, named(one.name)), ' ', el('span', {class: 'dim'}, one.type)),
      el('a', {class: 'button', href: windowAddress('generic', one, hello.robots), 'aria-label': `Devices of ${named(one.name)}`}, 'Devices')));
    const title = NAME ? `Robot “${NAME}” not found` : 'Choose a robot';
    const about = !robots.length ? 'This world has no robot.' : NAME ? 'Robots of this world, the most similar name first:' : 'Robots of this world:';
    document.title = `${title} – ${hello.title}`;
    document.body.replaceChildren(
      el('header', {class: 'top'}, el('div', {class: 'title'}, el('h1', {}, title), el('a', {href: '/', class: 'dim', target: '_top'}, 'Workbench')), el('div', {class: 'tools'}, themeButton())),
      el('main', {}, el('section', {class: 'card wide'}, el('div', {}, about), el('div', {class: 'robots'}, ...robots))));
  }

  header() {
    this.driver = el('span', {id: 'driver'}, '–');
    this.take_ = el('button', {type: 'button', id: 'control', onclick: () => this.ask('control', {on: this.now?.driver !== 'window'})}, 'Take control');
    this.driverBox = el('span', {class: 'driver', role: 'status'}, this.driver, this.take_);
    const stop = el('button', {type: 'button', class: 'stop', id: 'stop', onclick: () => this.ask('stop')}, 'Stop all');
    stop.hidden = !this.robot.table.devices.some((one) => one.actuator);
    const restyle = () => this.cards.forEach((one) => one.restyle?.());
    return el('header', {class: 'top'},
      el('div', {class: 'title'}, el('h1', {title: this.robot.name}, named(this.robot.name)), el('a', {href: '/', class: 'dim', target: '_top'}, 'Workbench')),
      this.bar.element, el('div', {class: 'tools'}, this.driverBox, stop, themeButton(restyle)), this.toolbar());
  }

  body() {
    const devices = this.robot.table.devices;
    const parts = [];
    if (Object.keys(this.robot.shape.rays).length) parts.push(this.around());
    parts.push(this.about(), this.log.element);
    const acting = devices.filter((one) => one.actuator);
    const sensing = devices.filter((one) => SensorCard.shows(one) && !one.actuator);
    const seeing = devices.filter((one) => this.hasPictures && PictureCard.shows(one));
    const displaying = devices.filter((one) => this.hasPictures && !this.isReal && DisplayCard.shows(one));
    const others = devices.filter((one) => (this.isReal || one.type !== 'Emitter') && !acting.includes(one) && !sensing.includes(one) && !seeing.includes(one) && !displaying.includes(one));
    for (const [title, actuator] of GROUPS) parts.push(...this.group(title, acting.filter((one) => one.actuator === actuator).map((one) => new CARDS[actuator](one, this))));
    parts.push(...this.group('Pictures', [...seeing.map((one) => new PictureCard(one, this)), ...displaying.map((one) => new DisplayCard(one))]));
    parts.push(...this.group('Sensors', sensing.map((one) => new SensorCard(one, this))));
    if (!devices.length) parts.push(el('p', {class: 'group note'}, 'This robot has no devices.'));
    if (others.length) parts.push(el('p', {class: 'group note'}, `Not shown here: ${others.map((one) => `${one.name} (${one.type})`).join(', ')}`));
    return el('main', {}, ...parts);
  }

  // Cards out of view are updated rarely, for page search and screen readers: robots may have a hundred
  // devices.
  group(title, cards) {
    this.cards.push(...cards);
    for (const one of cards) {
      new IntersectionObserver((entries) => {
        one.isInSight = entries.at(-1).isIntersecting;
        this.isNew ||= Boolean(this.now);
      }, {rootMargin: '200px'}).observe(one.element);
    }
    return cards.length ? [el('h2', {class: 'group'}, title), ...cards.map((one) => one.element)] : [];
  }

  toolbar() {
    this.freeze = el('button', {type: 'button', id: 'freeze', 'data-local': true, 'aria-pressed': 'false'}, 'Pause plots');
    this.freeze.onclick = () => {
      this.isFrozen = !this.isFrozen;
      this.freeze.setAttribute('aria-pressed', String(this.isFrozen));
      setText(this.freeze, this.isFrozen ? 'Resume plots' : 'Pause plots');
    };
    const span = el('select', {id: 'span', 'data-local': true, 'aria-label': 'Time window of plots'}, ...SPANS.map((one) => el('option', {value: one}, `${one} s`)));
    span.value = String(this.span);
    span.onchange = () => (this.span = Number(span.value));
    const scale = el('select', {id: 'scale', 'data-local': true, 'aria-label': 'Vertical axis of plots'}, el('option', {value: 'full'}, 'full range'), el('option', {value: 'fit'}, 'fit to curve'));
    scale.onchange = () => (this.isFitting = scale.value === 'fit');
    const all = (on) => this.cards.filter((one) => one.enable && one.box.checked !== on && !one.box.disabled).forEach((one) => one.enable(on));
    const devices = this.robot.table.devices;
    const plots = !devices.some((one) => SensorCard.shows(one)) ? [] : [
      el('button', {type: 'button', id: 'enable-all', onclick: () => all(true)}, 'Enable all sensors'),
      el('button', {type: 'button', onclick: () => all(false)}, 'Disable all'),
      this.freeze, span, scale];
    return el('div', {class: 'run toolbar', role: 'toolbar', 'aria-label': 'Sensors and plots'},
      ...plots, devices.length ? this.recorder.element : null, this.keys.element);
  }

  around() {
    this.canvas = el('canvas', {class: 'square', role: 'img', 'aria-label': 'Distance sensors around the robot'});
    this.rays = Object.entries(this.robot.shape.rays).map(([tag, place]) => {
      const device = this.robot.table.devices[Number(tag) - 1];
      return {tag, place, table: device.constants.lookupTable ?? [], value: null};
    });
    return el('section', {class: 'card'}, el('header', {}, el('h2', {}, 'Around the robot')), this.canvas);
  }

  about() {
    const table = this.robot.table;
    this.controller = el('b', {}, '–');
    this.battery = el('progress', {max: (table.robot.constants.battery ?? [])[1] || 1, value: 0, 'aria-label': 'Battery'});
    this.batteryText = el('span', {class: 'dim'});
    this.custom = el('input', {type: 'text', id: 'custom', 'aria-label': 'Custom data', onchange: () => this.ask('custom', {text: this.custom.value})});
    const parts = [el('div', {}, 'Controller: ', this.controller), el('div', {class: 'dim'}, `${counted(table.devices.length, 'device')}, step ${this.period} ms${this.robot.table.robot.model ? `, model ${table.robot.model}` : ''}`)];
    this.batteryBox = el('div', {hidden: true}, 'Battery ', this.batteryText, this.battery);
    parts.push(this.batteryBox);
    parts.push(el('label', {class: 'dim'}, 'Custom data ', this.custom));
    return el('section', {class: 'card'}, el('header', {}, el('h2', {}, 'Robot'), el('span', {class: 'dim'}, this.robot.type)), ...parts);
  }

  // Updates are only stored here; they are drawn once per frame.
  take(news) {
    if (news.lines && this.log) this.log.add(news.lines, news.lost);
    if (!news.run) return;
    this.run = news.run;
    const now = this.robot && news.robots?.[this.robot.number];
    if (!now) return;
    this.now = now;
    for (const card of this.cards) card.show(this.now, this.run.time, this.isFrozen);
    this.recorder.add(this.run.time, this.recorder.isOn ? this.cards.flatMap((one) => one.columns()) : []);
    if (this.rays) for (const ray of this.rays) ray.value = this.now.periods[ray.tag] === undefined ? null : this.now.values[ray.tag]?.value ?? null;
    this.isNew = true;
  }

  draw() {
    requestAnimationFrame(() => this.draw());
    this.log.draw();
    if (!this.isNew) return;
    this.isNew = false;
    this.bar.show(this.run);
    this.recorder.draw();
    const {driver, controller, battery, customData} = this.now;
    setText(this.driver, DRIVERS[driver]);
    setText(this.take_, driver === 'window' ? 'Give back' : 'Take control');
    this.take_.hidden = driver === 'nobody';
    this.keys.element.hidden = this.isReal && driver === 'nobody';
    this.custom.parentElement.hidden = this.keys.element.hidden;
    this.driverBox.dataset.driver = driver;
    setText(this.controller, NO_CONTROLLER.includes(controller) ? 'none' : controller);
    this.batteryBox.hidden = battery == null;
    if (battery != null) {
      this.battery.value = battery;
      const full = (this.robot.table.robot.constants.battery ?? [])[1];
      setText(this.batteryText, full > 0 ? `${number(battery)} J, ${((100 * battery) / full).toFixed(0)} %` : `${number(battery)} J`);
    }
    if (document.activeElement !== this.custom) this.custom.value = customData;
    const isOfAll = this.pictures % SELDOM === 0;
    this.pictures += 1;
    for (const card of this.cards) if (card.isInSight || isOfAll) card.draw(this.isFrozen ? this.frozenAt : this.run.time, this.span, this.isFitting);
    if (!this.isFrozen) this.frozenAt = this.run.time;
    if (this.canvas) drawRays(this.canvas, this.robot.shape.outline, this.rays);
  }
}

window.page = new Page();
