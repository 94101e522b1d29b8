// The workbench of a running simulation, or of a real robot.
/// <reference path="../../messages.d.ts" />
import {named} from '../js/dom.js';
import {live} from '../js/live.js';
import {RunBar} from '../js/run.js';
import {ConsolePanel} from './console_panel.js';
import {devicesOf, firstSignals, keyOf, labelOf, shownDevices} from './devices.js';
import {wheelsOf} from './drive_panel.js';
import {Failures} from './failures.js';
import {PANELS as OF_ALL} from './panels.js';
import {Store} from './store.js';
import {Telemetry} from './telemetry.js';
import {Workbench} from './workbench.js';

// A run inside of this page has further ones (live/live.js).
const PANELS = [...OF_ALL, ...(globalThis.panelsInside ?? [])].sort((a, b) => a.rank - b.rank);

const MOST_EARLY = 500; // lines that a console shows that is opened later
const PHONE = matchMedia('(max-width: 640px)'); // there a real robot is driven first
const FEW = 4; // named values that a plot shows that nobody has chosen

class LiveSource {
  constructor(hello) {
    this.isLive = true;
    this.title = hello.title || 'wbridge';
    this.key = `workbench ${this.title}`;
    this.store = new Store();
    this.early = []; // lines that came before there was a console
    this.update(hello);
    this.bar = new RunBar(live, hello.isReal);
    this.bar.setStatus('connected');
    this.head = [this.bar.element];
    this.failures = new Failures(this);
    this.notices = this.failures.root;
    this.foot = null;
    this.time = 0;
  }

  /**
   * Takes over what the server says of the world.
   * @param {Hello} hello
   */
  update(hello) {
    this.hello = hello;
    const isYUp = hello.shape.up === 'y';
    this.robots = hello.robots.map((one) => this.robot(one, isYUp));
  }

  robot(info, isYUp) {
    const key = keyOf(info, this.hello.robots);
    const period = Math.max(1, Math.round(info.table.robot.constants.basicTimeStep));
    const link = {period, isYUp, isReal: this.hello.isReal, ask: (name, values = {}) => live.ask(name, {robot: info.number, ...values})};
    const devices = devicesOf(key, info.table, isYUp);
    return {...info, info, key, link, devices, telemetry: new Telemetry(key, devices), state: null};
  }

  // Panels.

  defaults() {
    const leaf = (...tabs) => ({tabs, active: tabs[0]});
    const driven = PHONE.matches && this.robots.find(wheelsOf);
    if (!this.hello.hasScene && driven) return leaf(`drive:${driven.key}`, 'devices', 'plot:1', 'console');
    if (!this.hello.hasScene) {
      const middle = {axis: 'column', sizes: [0.6, 0.4], parts: [leaf('plot:1'), leaf('console')]};
      return {axis: 'row', sizes: [0.28, 0.72], parts: [leaf('devices'), middle]};
    }
    // The world has two thirds of the page.
    const left = {axis: 'column', sizes: [0.48, 0.32, 0.2], parts: [leaf('devices'), leaf('plot:1'), leaf('console')]};
    return {axis: 'row', sizes: [0.28, 0.72], parts: [left, leaf('view', 'above')]};
  }

  others() {
    const own = PANELS.filter((panel) => panel.title && panel.isPossible(this)).map((panel) => [panel.kind, panel.title]);
    const ofRobots = this.robots.flatMap((robot) => this.entriesOf(robot).map(([text, id]) => [id, this.robots.length > 1 ? `${named(robot.name)}: ${text}` : text]));
    return [...own, ...ofRobots];
  }

  // Panels of one robot: title, id.
  entriesOf(robot) {
    return PANELS.map((panel) => [panel.entry?.(robot), `${panel.kind}:${robot.key}`]).filter(([text]) => text);
  }

  knows(id) {
    const {panel, key, robot} = this.partsOf(id);
    if (!panel) return false;
    return panel.entry ? Boolean(robot && panel.entry(robot)) : panel.isPossible(this, key);
  }

  // A panel's id is its kind, and the key of its robot or device.
  partsOf(id) {
    const [kind] = id.split(':', 1);
    const key = id.slice(kind.length + 1);
    return {panel: PANELS.find((panel) => panel.kind === kind), key, robot: this.robots.find((robot) => robot.key === key)};
  }

  picture(key) {
    for (const robot of this.robots) for (const device of robot.devices) if (device.key === key && device.kind === 'picture') return [robot, device];
    return null;
  }

  // Where a panel is opened: side, beside which one, its share of that one's place.
  placeOf(id) {
    if (id === 'devices') return ['left', null];
    return this.partsOf(id).panel?.place ?? ['bottom', 'devices', 0.38];
  }

  panel(id, saved, bench) {
    const {panel, key, robot} = this.partsOf(id);
    return panel.make({source: this, key, robot, saved, changed: () => bench.changed()});
  }

  // The 3D view, which is loaded only where it is shown.
  loadView() {
    this.loading ??= import('../view/live_view.js').then(({LiveView}) => {
      this.view = new LiveView(this.hello);
      if (this.scene) this.view.take(this.scene);
      if (this.poses) this.view.takePoses(this.poses);
      return this.view;
    });
    return this.loading;
  }

  // What comes of the scene while the view is being loaded is kept.
  takeScene(scene) {
    if (this.view) this.view.take(scene);
    else this.scene = this.scene?.number === scene.number ? {...scene, messages: {...this.scene.messages, ...scene.messages}} : scene;
  }

  takePoses(data) {
    if (this.view) this.view.takePoses(data);
    else this.poses = data;
  }

  console(saved, changed) {
    const made = new ConsolePanel({robots: this.robots, saved, changed});
    made.add(this.early);
    return made;
  }

  // Values.

  choices() {
    return this.robots.flatMap((one) => one.devices.flatMap((device) => device.signals.map((signal) => signal.key)));
  }

  label(key) {
    return labelOf(key, this.robots.length === 1);
  }

  // Asks for what panels need.
  watch(wishes) {
    const keys = wishes.flatMap((one) => one.keys ?? []);
    const plotted = this.robots.filter((robot) => keys.some((key) => key.startsWith(`${robot.key}/`))).map((one) => one.number);
    const robots = [...new Set([...wishes.flatMap((one) => one.robots ?? []), ...plotted])].sort((a, b) => a - b);
    const wanted = {robots, places: wishes.some((one) => one.places), scene: wishes.some((one) => one.scene)};
    if (JSON.stringify(wanted) === JSON.stringify(this.wanted)) return;
    this.wanted = wanted;
    live.watch(wanted);
  }

  /** @param {News} news */
  take(news, bench) {
    if (news.lines) this.log(news.lines, news.lost, bench);
    if (news.scene) this.takeScene(news.scene);
    if (!news.run) return;
    const wasReset = this.run && news.run.time < this.run.time;
    this.run = news.run;
    this.time = news.run.time;
    this.failures.show(news.run.failures ?? []);
    const values = [];
    for (const robot of this.robots) {
      const state = news.robots?.[robot.number];
      if (state?.pictures) this.takePictures(robot, state.pictures, bench);
      // Only new pictures come; a panel that opens later shows the newest.
      if (state) state.pictures = {...robot.state?.pictures, ...state.pictures};
      if (state) robot.state = state;
      const known = state ? robot.devices : robot.devices.filter((one) => one.kind === 'telemetry'); // these need no state
      for (const device of known) for (const signal of device.signals) values.push([signal.key, signal.read(state)]);
    }
    this.store.add(this.time, values);
    if (news.robots && !this.hasBegun) this.begin(bench);
    for (const panel of bench.panels.values()) {
      panel.take?.(news, wasReset);
      for (const [number, state] of Object.entries(news.robots ?? {})) panel.show?.(state, Number(number), this.time);
    }
  }

  // A plot that was never changed shows something.
  begin(bench) {
    if (this.robots.some((one) => one.state === null && this.wanted?.robots.includes(one.number))) return;
    this.hasBegun = true;
    const [plot] = bench.plots();
    if (plot && !plot.hasState) plot.toggle(firstSignals(this.robots));
  }

  // Named values of controllers become curves; robots of the same name share them.
  takeTelemetry(lines, bench) {
    const before = this.robots.map((one) => one.devices.length);
    for (const line of lines) this.robots.find((one) => one.name === line.robot)?.telemetry.take(line);
    const fresh = this.robots.flatMap((one, i) => one.devices.slice(before[i]));
    if (!fresh.length) return;
    bench.remake((id) => id === 'devices');
    const [plot] = bench.plots();
    if (plot && !plot.hasState && plot.signals.length === 0) plot.toggle(fresh.slice(0, FEW).map((one) => one.key));
  }

  // Pictures for which a controller opens windows of its own become devices, each with an open panel.
  takePictures(robot, pictures, bench) {
    const fresh = shownDevices(robot, Object.keys(pictures));
    if (!fresh.length) return;
    robot.devices.push(...fresh);
    bench.remake((id) => id === 'devices');
    for (const device of fresh) bench.showPicture(robot, device);
  }

  log(lines, lost, bench) {
    this.takeTelemetry(lines, bench);
    this.early.push(...lines);
    this.early.splice(0, this.early.length - MOST_EARLY);
    bench.panels.get('console')?.add(lines, lost);
    for (const id of ['code', 'robot']) bench.panels.get(id)?.hear(lines);
  }

  tick() {
    if (this.run) this.bar.show(this.run);
  }
}

// Panels that stay when robots come or go.
function isLasting(id) {
  return id.startsWith('plot:') || PANELS.some((panel) => panel.kind === id && panel.isLasting);
}

// The page.
class Page {
  constructor() {
    this.live = live; // this and `world` are for programs that drive the page
    live.start({
      hello: (hello) => this.build(hello),
      changed: (hello) => this.rebuild(hello),
      news: (news) => this.source?.take(news, this.bench),
      poses: (data) => this.source?.takePoses(data),
      status: (state, reason) => {
        if (state !== 'connected') this.source?.store.spacing.interrupt();
        this.source?.bar.setStatus(state, reason);
      },
    });
  }

  get world() {
    return this.source?.view;
  }

  build(hello) {
    this.source = new LiveSource(hello);
    this.bench = new Workbench(this.source);
    this.bench.rewatch();
    globalThis.runInside?.opened(this.bench, PANELS);
  }

  // Robots have come or gone, or the world is another one.
  rebuild(hello) {
    if (hello.title !== this.source.hello.title) {
      location.reload();
      return;
    }
    this.source.update(hello);
    this.bench.remake((id) => !isLasting(id));
    this.bench.rewatch();
  }
}

window.page = new Page();
