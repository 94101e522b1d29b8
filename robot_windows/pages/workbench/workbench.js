// The workbench: a header, panels in the middle, and for recordings a time line below. A source says what there is to show.
import {el, saveFile, store, stored, themeButton} from '../js/dom.js';
import {DevicesPanel} from './devices_panel.js';
import {Dock} from './dock.js';
import {icon} from './icons.js';
import {readTree} from './layout.js';
import {menuButton} from './menu.js';
import {PlotPanel} from './plot_panel.js';

const MOST_PLOTS = 20;

// source: LiveSource or RecordedSource.
export class Workbench {
  constructor(source) {
    this.source = source;
    this.key = source.key; // where the layout is kept
    this.saved = layoutOf(stored(this.key));
    this.panels = new Map(); // id -> panel
    this.dock = new Dock({make: (id) => this.make(id), changed: () => this.changed()});
    const add = menuButton('Add a panel', el('span', {class: 'labeled'}, icon('plus'), 'Panel'), () => this.entries());
    add.removeAttribute('title');
    document.title = source.title;
    document.body.classList.add('workbench');
    const main = el('main', {class: 'bench'}, this.dock.element);
    document.body.replaceChildren(
      el('header', {class: 'top'}, el('div', {class: 'title'}, el('h1', {title: source.title}, source.title)), ...source.head, el('div', {class: 'tools'}, add, themeButton(() => this.restyle()))),
      ...(source.notices ? [source.notices] : []), main, ...(source.foot ? [el('footer', {}, source.foot)] : []));
    this.dock.open(readTree(this.saved.tree, (id) => this.knows(id)) ?? source.defaults());
    requestAnimationFrame((now) => this.draw(now));
  }

  // Panels.

  knows(id) {
    return id === 'devices' || /^plot:\d+$/.test(id) || this.source.knows(id);
  }

  make(id) {
    const saved = this.saved.panels?.[id] ?? this.source.savedOf?.(id);
    const panel = this.own(id, saved) ?? this.source.panel(id, saved, this);
    this.panels.set(id, panel);
    const close = panel.close?.bind(panel);
    panel.close = () => {
      close?.();
      this.panels.delete(id);
    };
    return panel;
  }

  own(id, saved) {
    if (id === 'devices') return new DevicesPanel({bench: this, saved});
    if (!id.startsWith('plot:')) return null;
    const number = Number(id.slice(5));
    const plot = new PlotPanel({source: this.source, saved, changed: () => this.changed(), zoomed: (span) => this.plots().forEach((one) => one.hold(span)), title: number === 1 ? 'Plot' : `Plot ${number}`});
    plot.wants = () => ({keys: plot.signals});
    return plot;
  }

  plots() {
    return [...this.panels].filter(([id]) => id.startsWith('plot:')).map(([, one]) => one);
  }

  newPlot() {
    const numbers = [...this.panels.keys()].filter((one) => one.startsWith('plot:')).map((one) => Number(one.slice(5)));
    const number = [...Array(MOST_PLOTS).keys()].map((one) => one + 1).find((one) => !numbers.includes(one));
    if (!number) return null;
    const beside = numbers.length ? `plot:${numbers.at(-1)}` : this.dock.has('view') ? 'view' : null;
    this.dock.add(`plot:${number}`, beside ? 'bottom' : 'right', beside, numbers.length ? 0.5 : 0.35);
    return this.panels.get(`plot:${number}`);
  }

  // Shows signals in the plot that is in front, or removes them from the plots that show them; true if they are shown now.
  plot(keys) {
    const having = this.plots().filter((one) => one.has(keys));
    for (const one of having) one.toggle(keys);
    if (having.length) return false;
    const [id] = [...this.panels.keys()].filter((one) => one.startsWith('plot:') && this.dock.isShown(one));
    const plot = id ? this.panels.get(id) : this.plots()[0] ?? this.newPlot();
    plot?.toggle(keys);
    return true;
  }

  isPlotted(keys) {
    return this.plots().some((one) => one.has(keys));
  }

  showPicture(robot, device) {
    this.show(`picture:${device.key}`, 'devices');
  }

  // Opens a panel below another one.
  show(id, beside) {
    this.dock.add(id, this.dock.has(beside) ? 'bottom' : 'left', this.dock.has(beside) ? beside : null, 0.38);
  }

  // Opens a panel where its kind usually is.
  open(id) {
    const [side, beside, share] = this.source.placeOf(id);
    if (this.dock.has(beside)) this.dock.add(id, side, beside, share);
    else this.dock.add(id, side === 'center' ? 'right' : side, null, beside === null ? share : undefined);
  }

  // What can be opened for a robot.
  entriesOf(robot) {
    return this.source.entriesOf(robot).map(([text, id]) => [text, () => this.show(id, 'devices')]);
  }

  entries() {
    const closed = [['devices', 'Devices'], ...this.source.others()].filter(([id]) => !this.dock.has(id));
    return [['New plot', () => this.newPlot()], ...closed.map(([id, title]) => [title, () => this.open(id)]),
      null, ['Save the layout as a file', () => this.saveLayout()], ['Load a layout …', () => this.askForLayout()], ['Reset the layout', () => this.reset()]];
  }

  // With what the panels show.
  saveLayout() {
    this.save();
    saveFile('layout.json', [JSON.stringify(this.saved, null, 2)], 'application/json');
  }

  askForLayout() {
    const input = el('input', {type: 'file', accept: '.json,application/json', onchange: async () => this.loadLayout(await input.files[0].text())});
    input.click();
  }

  // Takes over a layout; panels of robots that are not here are left out.
  loadLayout(text) {
    const [before, saved] = [this.saved, layoutOf(text)];
    try {
      this.take(saved, readTree(saved.tree, (id) => this.knows(id)));
    } catch {
      this.take(before, readTree(before.tree, (id) => this.knows(id)));
      alert('This file is not a layout of the workbench.');
    }
  }

  take(saved, tree) {
    if (!tree) throw new TypeError('a layout without panels');
    this.saved = saved;
    this.dock.clear();
    this.dock.open(tree);
    this.changed();
  }

  reset() {
    this.take({}, this.source.defaults());
  }

  // Makes some panels anew; those that are not possible any more are left out.
  remake(isOld) {
    this.save();
    this.dock.clear(isOld);
    this.dock.open(readTree(this.dock.tree, (id) => this.knows(id)) ?? this.source.defaults());
  }

  // What is kept.

  changed() {
    this.rewatch();
    this.save();
  }

  save() {
    const panels = Object.fromEntries([...this.panels].filter(([, one]) => one.state).map(([id, one]) => [id, one.state]));
    this.saved = {tree: this.dock.tree, panels: {...this.saved.panels, ...panels}};
    store(this.key, JSON.stringify(this.saved));
  }

  // Tells the source what the panels need.
  rewatch() {
    this.source.watch?.([...this.panels].filter(([id]) => this.dock.isShown(id) || id.startsWith('plot:')).map(([, one]) => one.wants?.() ?? {}));
  }

  restyle() {
    for (const one of this.panels.values()) one.restyle?.();
  }

  draw(now) {
    requestAnimationFrame((next) => this.draw(next));
    this.source.tick?.(now);
    for (const [id, one] of this.panels) if (this.dock.isShown(id)) one.draw?.(now);
  }
}

function layoutOf(text) {
  try {
    const found = JSON.parse(text ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}

