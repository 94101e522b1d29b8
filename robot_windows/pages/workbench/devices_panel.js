// The devices of all robots as a tree: search, robots, groups, one line for each device.
import {counted, el, named, setText} from '../js/dom.js';
import {GROUPS} from './devices.js';
import {icon} from './icons.js';
import {menuButton} from './menu.js';
import {rowOf} from './rows.js';

const DRAWN_MS = 100; // values in lines are drawn at most that often: they are to be read
const MANY = 80; // devices of all robots; if there are more, only the first robot is open at first
const DRIVERS = {window: 'you drive', other: 'another page drives', controller: 'controller', nobody: 'no controller'};

export class DevicesPanel {
  // bench: the workbench; saved: what `state` gave.
  constructor({bench, saved}) {
    this.bench = bench;
    this.title = 'Devices';
    const {robots} = bench.source;
    const isMany = robots.reduce((sum, one) => sum + one.devices.length, 0) > MANY;
    const closed = new Set(Array.isArray(saved?.closed) ? saved.closed : isMany ? robots.slice(1).map((one) => one.key) : []);
    this.branches = robots.map((one) => new Branch(one, bench, closed, () => bench.save()));
    this.closed = closed;
    this.find = el('input', {type: 'search', class: 'small', placeholder: 'Find a device', 'aria-label': 'Find a device', 'data-local': true});
    this.find.oninput = () => this.filter();
    this.tree = el('div', {class: 'device-tree'}, ...this.branches.map((one) => one.root), robots.length ? null : el('p', {class: 'hint'}, 'There is no robot.'));
    this.none = el('p', {class: 'hint', hidden: true}, 'No device has this name.');
    this.root = el('div', {class: 'devices-panel'}, el('div', {class: 'find'}, this.find), this.tree, this.none);
    this.drawn = 0;
  }

  get state() {
    return {closed: [...this.closed]};
  }

  wants() {
    return {robots: this.branches.filter((one) => one.isOpen).map((one) => one.robot.number)};
  }

  filter() {
    const text = this.find.value.trim().toLowerCase();
    const counts = this.branches.map((one) => one.filter(text));
    this.none.hidden = !text || counts.some((one) => one > 0);
    this.bench.rewatch();
  }

  show(state, number, time) {
    this.branches.find((one) => one.robot.number === number)?.show(state, time);
  }

  draw(now) {
    if (now - this.drawn < DRAWN_MS) return;
    this.drawn = now;
    for (const one of this.branches) one.draw();
  }
}

// One robot.
class Branch {
  constructor(robot, bench, closed, changed) {
    Object.assign(this, {robot, bench, closed, changed});
    this.groups = GROUPS.map(([kind, title]) => [kind, title, robot.devices.filter((one) => one.kind === kind)])
      .concat([['recorded', '', robot.devices.filter((one) => one.kind === 'recorded')]])
      .filter(([, , devices]) => devices.length)
      .map(([kind, title, devices]) => new Group(`${robot.key}/${kind}`, title, devices, robot, bench, closed, changed));
    this.head = el('button', {type: 'button', class: 'folder robot-name', 'data-local': true, onclick: () => this.toggle()}, icon('fold'), el('span', {class: 'row-name', title: robot.name}, named(robot.name)));
    this.driver = el('span', {class: 'driver-state'});
    this.body = el('div', {class: 'branch-body'}, ...this.groups.map((one) => one.root), robot.devices.length ? null : el('p', {class: 'hint'}, 'no devices'));
    this.root = el('section', {class: 'branch', 'aria-label': named(robot.name)}, el('div', {class: 'branch-head'}, this.head, ...this.tools()), this.body);
    this.setOpen(!closed.has(robot.key));
  }

  tools() {
    const {robot, bench} = this;
    if (!robot.link) return [el('span', {class: 'dim'}, counted(robot.devices.length, 'device'))];
    this.take = el('button', {type: 'button', class: 'small take', hidden: true, onclick: () => robot.link.ask('control', {on: robot.state?.driver !== 'window'})}, 'Take control');
    this.stop = el('button', {type: 'button', class: 'small stop', 'aria-label': `Stop all motors of ${named(robot.name)}`, onclick: () => robot.link.ask('stop')}, 'Stop');
    this.stop.hidden = !robot.devices.some((one) => one.kind === 'motor');
    const all = (on) => this.groups.forEach((group) => group.rows.forEach((one) => one.box && one.enable(on)));
    const entries = () => [['Enable all sensors', () => all(true)], ['Disable all sensors', () => all(false)], null, ...bench.entriesOf(robot)];
    return [this.driver, this.take, this.stop, menuButton(`More about ${named(robot.name)}`, icon('more'), entries)];
  }

  setOpen(on) {
    this.isOpen = on;
    this.body.hidden = !on;
    this.head.setAttribute('aria-expanded', String(on));
  }

  toggle() {
    this.setOpen(!this.isOpen);
    if (this.isOpen) this.closed.delete(this.robot.key);
    else this.closed.add(this.robot.key);
    this.bench.rewatch();
    this.changed();
  }

  // Shows what matches a text, opened; "": everything as before.
  filter(text) {
    const isOwn = text !== '' && this.robot.name.toLowerCase().includes(text);
    const count = this.groups.reduce((sum, one) => sum + one.filter(isOwn ? '' : text), 0);
    this.root.hidden = text !== '' && count === 0 && !isOwn;
    this.setOpen(text !== '' ? count > 0 : !this.closed.has(this.robot.key));
    return isOwn ? 1 : count;
  }

  show(state, time) {
    for (const group of this.groups) for (const row of group.rows) row.show(state, time);
  }

  draw() {
    const {robot} = this;
    const {state} = robot;
    if (robot.link && state) this.showDriver(state);
    if (!this.isOpen || (robot.link && !state)) return;
    for (const group of this.groups) if (group.isOpen) for (const row of group.rows) row.draw(state, this.bench.source.time);
  }

  showDriver({driver}) {
    setText(this.driver, DRIVERS[driver]);
    setText(this.take, driver === 'window' ? 'Give back' : 'Take control');
    this.take.hidden = driver === 'nobody';
    this.root.dataset.driver = driver;
  }
}

// The devices of one kind.
class Group {
  constructor(key, title, devices, robot, bench, closed, changed) {
    Object.assign(this, {key, closed});
    this.rows = devices.map((one) => rowOf(one, robot, bench));
    this.head = el('button', {type: 'button', class: 'folder group-name', 'data-local': true, hidden: !title}, icon('fold'), title, el('span', {class: 'dim'}, String(devices.length)));
    this.head.onclick = () => {
      this.setOpen(!this.isOpen);
      if (this.isOpen) closed.delete(key);
      else closed.add(key);
      changed();
    };
    this.body = el('div', {}, ...this.rows.map((one) => one.root));
    this.root = el('div', {class: 'group-branch'}, this.head, this.body);
    this.setOpen(!closed.has(key));
  }

  setOpen(on) {
    this.isOpen = on;
    this.body.hidden = !on;
    this.head.setAttribute('aria-expanded', String(on));
  }

  filter(text) {
    let count = 0;
    for (const {root, device} of this.rows) {
      const isShown = !text || `${device.name} ${device.type}`.toLowerCase().includes(text);
      root.hidden = !isShown;
      count += isShown;
    }
    this.root.hidden = count === 0;
    this.setOpen(text ? true : !this.closed.has(this.key));
    return count;
  }
}
