// The workbench of a recording: the same panels, with a time line below.
import {el} from '../js/dom.js';
import {Player} from '../recording/player.js';
import {Recording} from '../recording/recording.js';
import {makeView} from '../recording/scene.js';
import {Timeline} from '../recording/timeline.js';
import {ConsolePanel} from './console_panel.js';
import {labelOf} from './devices.js';
import {Telemetry, columnsOf, readTelemetry} from './telemetry.js';
import {Workbench} from './workbench.js';

const INTERRUPTED = {reason: 'The recording ends here: the run was interrupted.', status: 1};

function badge(end) {
  const {reason, status} = end ?? INTERRUPTED;
  return el('span', {class: 'result', role: 'status', 'data-good': status === 0, title: reason}, reason);
}

// What the head of the page says of a law of contact that is not the default.
function lawNote(law) {
  return law && law !== 'webots' ? `, contacts ${law}` : '';
}

// The recorded numbers; there are none until `load`.
class RecordedStore {
  constructor() {
    this.times = [];
    this.found = new Map(); // key -> numbers
    this.columns = new Map(); // the same with null for what was not sent yet
    this.version = 0;
  }

  // further: columns by key, as long as `times`.
  load(names, {times, values}, further) {
    this.times = times;
    names.forEach((name, i) => values[i] && this.found.set(name, values[i]));
    for (const [key, column] of further) this.found.set(key, column);
    this.columns.clear();
    this.version += 1;
  }

  column(key) {
    let made = this.columns.get(key);
    if (!made) {
      const found = this.found.get(key);
      made = found ? Array.from(found, (one) => (Number.isNaN(one) ? null : one)) : Array.from({length: this.times.length}, () => null);
      this.columns.set(key, made);
    }
    return made;
  }
}

// e-puck/ps0.value -> robot e-puck, device ps0, signal value
function robotsOf(names) {
  const robots = new Map();
  for (const key of names) {
    const slash = key.indexOf('/');
    const robot = slash < 0 ? '' : key.slice(0, slash);
    const [name, ...rest] = key.slice(slash + 1).split('.');
    if (!robots.has(robot)) robots.set(robot, {key: robot, name: robot, number: robots.size, devices: new Map()});
    const {devices} = robots.get(robot);
    if (!devices.has(name)) devices.set(name, {key: `${robot}/${name}`, name, kind: 'recorded', type: 'recorded', entry: {channels: []}, signals: []});
    devices.get(name).signals.push({key, name: rest.join('.'), unit: ''});
  }
  return [...robots.values()].map((one) => ({...one, devices: [...one.devices.values()]}));
}

class RecordedSource {
  constructor(recording) {
    this.isLive = false;
    this.recording = recording;
    const {title, world, contacts, signals, plots} = recording.head;
    this.title = title;
    this.key = `workbench recorded ${title} ${JSON.stringify(plots ?? [])}`;
    this.groups = (plots ?? []).map((group) => group.map((i) => signals[i]));
    this.robots = robotsOf(signals);
    const times = Float64Array.from({length: recording.frames}, (_, i) => i * recording.head.frame_s);
    this.telemetry = columnsOf(recording.lines, times, (line) => this.telemetryOf(line));
    this.keys = [...signals, ...this.telemetry.keys()];
    this.store = new RecordedStore();
    this.player = new Player(recording.duration, recording.head.frame_s);
    this.timeline = new Timeline(this.player);
    this.head = [el('span', {class: 'dim world'}, `${world}${lawNote(contacts)}`), badge(recording.end)];
    this.foot = this.timeline.root;
  }

  // The named values of the robot that printed a line.
  telemetryOf({robot: name, kind, text}) {
    if (kind !== 'stdout' || !readTelemetry(text)) return null;
    let robot = this.robots.find((one) => one.name === name);
    if (!robot) this.robots.push((robot = {key: name, name, number: this.robots.length, devices: []}));
    return (robot.telemetry ??= new Telemetry(robot.key, robot.devices));
  }

  get time() {
    return this.player.time;
  }

  get duration() {
    return this.player.duration;
  }

  get row() {
    return Math.round(this.player.time / this.player.frame);
  }

  seek(time) {
    this.player.seek(time);
  }

  // Panels.

  defaults() {
    const leaf = (...tabs) => ({tabs, active: tabs[0]});
    if (!this.keys.length && !this.recording.lines.length) return leaf('view');
    const column = (parts, sizes) => (parts.length === 1 ? parts[0] : {axis: 'column', parts, sizes});
    const plots = this.groups.map((_, i) => leaf(`plot:${i + 1}`));
    if (!plots.length && this.keys.length) plots.push(leaf('plot:1'));
    const text = this.recording.lines.length ? [leaf('console')] : [];
    const low = [column(plots, plots.map(() => 1 / plots.length)), ...text].filter((one) => one.tabs || one.parts?.length);
    const below = low.length === 1 ? low[0] : {axis: 'row', sizes: [0.65, 0.35], parts: low};
    const share = Math.min(0.5, 0.18 + 0.16 * Math.max(plots.length, 1));
    const middle = column([leaf('view'), below], [1 - share, share]);
    return this.keys.length ? {axis: 'row', sizes: [0.25, 0.75], parts: [leaf('devices'), middle]} : middle;
  }

  // The plots that the recording asks for.
  savedOf(id) {
    const group = this.groups[Number(id.slice(5)) - 1];
    return group && id.startsWith('plot:') ? {signals: group} : undefined;
  }

  others() {
    return [['view', '3D view'], ...(this.recording.lines.length ? [['console', 'Console']] : [])];
  }

  entriesOf() {
    return [];
  }

  knows(id) {
    return this.others().some(([known]) => known === id);
  }

  placeOf(id) {
    return id === 'devices' ? ['left', null] : ['bottom', 'view', 0.3];
  }

  panel(id, saved, bench) {
    if (id === 'console') return this.console(saved, bench);
    const stage = el('div', {class: 'stage'});
    const panel = {title: '3D view', root: el('div', {class: 'view-panel'}, stage), close: () => this.closeView()};
    this.ready = this.showView(panel, stage);
    return panel;
  }

  // The lines up to the time that is shown.
  console(saved, bench) {
    const panel = new ConsolePanel({robots: this.robots, saved, changed: () => bench.changed()});
    const {lines} = this.recording;
    let count = 0;
    const draw = panel.draw.bind(panel);
    panel.draw = () => {
      const now = countBefore(lines, this.time + 1e-9);
      if (now < count) panel.clear();
      if (now !== count) panel.add(lines.slice(now < count ? 0 : count, now));
      count = now;
      draw();
    };
    return panel;
  }

  choices() {
    return this.store.version ? this.keys.filter((one) => this.store.found.has(one)) : this.keys;
  }

  label(key) {
    return labelOf(key, this.robots.length === 1);
  }

  // The view: the state at the player's time, at once if it is in memory, otherwise as soon as it is.

  async showView(panel, stage) {
    const view = await makeView(stage, this.recording);
    const state = await this.recording.at(this.time);
    if (state) await view.show(state);
    this.view = view;
    panel.draw = () => view.render();
  }

  closeView() {
    this.view?.view.dispose();
    this.view = this.shown = null;
  }

  tick(now) {
    this.player.tick(now);
    if (this.player.isPlaying) this.timeline.show();
    if (!this.view || this.shown === this.time) return;
    const {time} = this;
    const state = this.recording.now(time);
    if (state) {
      this.shown = time;
      this.view.show(state);
    } else if (!this.isLoading) {
      this.isLoading = true;
      this.recording.at(time).finally(() => (this.isLoading = false));
    }
  }
}

// How many lines were said up to a time.
function countBefore(lines, time) {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function start() {
  const recording = await Recording.open(document);
  const source = new RecordedSource(recording);
  const bench = new Workbench(source);
  window.recording = {recording, player: source.player, bench}; // for programs that drive the page
  await source.ready;
  window.recording.view = source.view;
  if (source.keys.length) {
    source.store.load(recording.head.signals, await recording.signals(), source.telemetry);
    for (const one of bench.plots()) one.keep(source.store.found);
  }
  document.documentElement.dataset.ready = 'true';
}

try {
  await start();
} catch (problem) {
  document.body.replaceChildren(el('p', {class: 'problem', role: 'alert'}, String(problem.message ?? problem)));
  throw problem;
}
