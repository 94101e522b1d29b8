// A plot of several signals, also of several robots: over time, against each other, their values, their frequencies.
import {color, el, saveFile, setText, short} from '../js/dom.js';
import {icon} from './icons.js';
import {KINDS} from './plot_kinds.js';
import {dataOf, optionsOf} from './plot_styles.js';

const COLORS = ['--curve1', '--curve2', '--curve3', '--curve4', '--curve5', '--curve6'];
const DASHES = [[], [6, 3], [2, 3]]; // tells curves of the same color apart
const SPANS = [5, 10, 30, 60, 120];
const MOST_SIGNALS = 24;
const PLOTS = 'plots'; // they share the place of the cursor

export class PlotPanel {
  // source: {store, isLive, time, duration, seek, choices(), label(key)}; saved: what `state` gave; changed: called when it is another one;
  // zoomed(span): called when the user chooses a span of time, or null for the usual one.
  constructor({source, saved, changed, zoomed, title}) {
    Object.assign(this, {source, changed, zoomed, title});
    this.signals = Array.isArray(saved?.signals) ? saved.signals.filter((one) => typeof one === 'string').slice(0, MOST_SIGNALS) : [];
    this.span = SPANS.includes(saved?.span) ? saved.span : 10;
    this.kind = KINDS[saved?.kind] ? saved.kind : 'time';
    this.hasState = saved !== undefined;
    this.held = null; // [from, to] that is shown instead of the newest values
    this.legend = el('div', {class: 'legend'});
    this.holder = el('div', {class: 'curves', role: 'img'});
    this.empty = el('p', {class: 'hint'}, source.isLive ? 'Choose values with the curve buttons of devices, or by name.' : 'Choose values in the list, or by name.');
    this.root = el('div', {class: 'plot-panel'}, this.legend, this.holder, this.empty);
    this.tools = el('div', {class: 'tools-row'}, ...this.makeTools());
    this.line = el('div', {class: 'cursor-line'});
    this.rebuild();
  }

  get state() {
    return {signals: this.signals, span: this.span, kind: this.kind};
  }

  makeTools() {
    this.back = el('button', {type: 'button', class: 'small', hidden: true, onclick: () => this.zoomed(null)}, this.source.isLive ? 'Follow' : 'Show all');
    const save = el('button', {type: 'button', class: 'quiet small', title: 'Save as CSV', 'aria-label': 'Save as CSV', onclick: () => this.save()}, icon('save'));
    const kind = el('select', {class: 'small', 'aria-label': `Kind of ${this.title}`, 'data-local': true}, ...Object.entries(KINDS).map(([name, [text]]) => el('option', {value: name}, text)));
    kind.value = this.kind;
    kind.onchange = () => {
      this.kind = kind.value;
      this.restyle();
      this.changed();
    };
    if (!this.source.isLive) return [this.back, this.picker(), kind, save];
    const span = el('select', {class: 'small', 'aria-label': `Time span of ${this.title}`}, ...SPANS.map((one) => el('option', {value: one}, `${one} s`)));
    span.value = String(this.span);
    span.onchange = () => {
      this.span = Number(span.value);
      this.zoomed(null);
      this.changed();
    };
    return [this.back, this.picker(), kind, span, save];
  }

  picker() {
    const id = `choices-${this.title.replace(/\W+/g, '-')}`;
    const options = el('datalist', {id});
    const input = el('input', {type: 'text', class: 'small pick', list: id, placeholder: 'Add …', 'aria-label': `Add a value to ${this.title}`, 'data-local': true});
    input.onfocus = () => options.replaceChildren(...this.source.choices().map((key) => el('option', {value: this.source.label(key)})));
    input.onchange = () => {
      const found = this.source.choices().find((key) => this.source.label(key) === input.value);
      if (!found) return;
      input.value = '';
      if (!this.signals.includes(found)) this.toggle([found]);
    };
    return el('span', {}, input, options);
  }

  has(keys) {
    return keys.every((one) => this.signals.includes(one));
  }

  // Adds signals; removes them if all are shown.
  toggle(keys) {
    this.signals = this.has(keys) ? this.signals.filter((one) => !keys.includes(one)) : [...new Set([...this.signals, ...keys])].slice(0, MOST_SIGNALS);
    this.rebuild();
    this.changed();
  }

  // Leaves out signals that turned out to have no values.
  keep(known) {
    this.signals = this.signals.filter((one) => known.has(one));
    this.rebuild();
  }

  // Builds legend and plot for the signals.
  rebuild() {
    this.empty.hidden = this.signals.length > 0;
    this.holder.hidden = this.signals.length === 0;
    this.values = this.signals.map(() => el('b', {}, '–'));
    this.legend.replaceChildren(...this.signals.map((key, i) => el('span', {class: 'signal'},
      el('i', {style: `background: var(${COLORS[i % COLORS.length]})`}), this.source.label(key), ' ', this.values[i],
      el('button', {type: 'button', class: 'quiet tiny', 'aria-label': `Remove ${this.source.label(key)}`, 'data-local': true, onclick: () => this.toggle([key])}, icon('close')))));
    this.holder.setAttribute('aria-label', `${this.title}: ${this.signals.map((key) => this.source.label(key)).join(', ')}`);
    this.restyle();
  }

  restyle() {
    this.plot?.destroy();
    this.plot = null;
    this.drawn = null;
  }

  make() {
    const isTime = this.kind === 'time';
    const series = this.signals.map((key, i) => ({
      label: this.source.label(key), stroke: color(COLORS[i % COLORS.length]), width: 1.5, points: {show: false},
      dash: DASHES[Math.floor(i / COLORS.length) % DASHES.length],
    }));
    const axis = {stroke: color('--dim'), grid: {stroke: color('--grid'), width: 1}, ticks: {show: false}, font: '11px system-ui'};
    this.plot = new uPlot({
      width: this.holder.clientWidth,
      height: this.holder.clientHeight,
      legend: {show: false},
      padding: [8, 10, 0, 0],
      cursor: isTime ? {sync: {key: PLOTS}, drag: {x: true, y: false, setScale: false}, points: {size: 5}} : {drag: {x: false, y: false}},
      scales: {x: isTime ? {time: false} : {time: false, range: (_, low, high) => around(low, high)}, y: {range: (_, low, high) => (['time', 'xy'].includes(this.kind) ? around(low, high) : [0, (high || 1) * 1.08])}},
      axes: [{...axis, size: isTime ? 22 : 36, space: 70, label: this.across, labelSize: 14, labelFont: axis.font}, {...axis, size: 50, space: 26}],
      ...optionsOf(this.kind, series),
      hooks: {
        setSelect: [({select}) => this.zoom(select)],
        setCursor: [() => this.tell()],
        ready: [(plot) => this.listen(plot)],
      },
    }, isTime ? this.data() : dataOf(this.kind, ...this.columns(), ...this.spanShown()), this.holder);
  }

  // What the horizontal axis shows.
  get across() {
    if (this.kind === 'time') return undefined;
    return this.kind === 'xy' ? this.source.label(this.signals[0]) : KINDS[this.kind][1];
  }

  data() {
    const [times, columns] = this.columns();
    return [times, ...columns];
  }

  columns() {
    const {store} = this.source;
    return [store.times, this.signals.map((key) => store.column(key))];
  }

  // From and to, in simulated s.
  spanShown() {
    const {source} = this;
    return this.held ?? (source.isLive ? [Math.max(0, source.time - this.span), Math.max(source.time, this.span * 0.02)] : [0, source.duration || 1]);
  }

  listen(plot) {
    plot.over.append(this.line);
    if (this.kind !== 'time') return;
    plot.over.addEventListener('dblclick', () => this.zoomed(null));
    let from = 0;
    plot.over.addEventListener('pointerdown', (event) => (from = event.clientX));
    plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - from) < 4) this.source.seek?.(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
  }

  zoom({left, width}) {
    if (width < 4 || this.kind !== 'time') return;
    this.zoomed([this.plot.posToVal(left, 'x'), this.plot.posToVal(left + width, 'x')]);
    this.plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
  }

  // Shows a span of time; null: the newest values, or the whole recording.
  hold(span) {
    this.held = span;
    this.back.hidden = span === null;
    this.drawn = null;
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.holder;
    if (this.plot && width && height) this.plot.setSize({width, height});
  }

  // Draws what is new.
  draw() {
    const {source} = this;
    if (!this.signals.length || !this.holder.clientWidth) return;
    if (!this.plot) this.make();
    const [from, to] = this.spanShown();
    const state = `${source.store.version} ${from} ${to} ${source.time}`;
    if (state === this.drawn) return;
    this.drawn = state;
    const {plot} = this;
    if (this.kind !== 'time') {
      plot.setData(dataOf(this.kind, ...this.columns(), from, to));
      this.line.hidden = true;
      this.tell();
      return;
    }
    if (this.shown !== source.store.version || !plot.data) {
      this.shown = source.store.version;
      plot.setData(this.data(), false);
    }
    plot.setScale('x', {min: from, max: to});
    this.mark();
    this.tell();
  }

  // The line of the time that is shown, in recordings.
  mark() {
    const place = this.source.isLive ? -1 : this.plot.valToPos(this.source.time, 'x');
    this.line.hidden = place < 0 || place > this.plot.over.clientWidth;
    this.line.style.transform = `translateX(${place}px)`;
  }

  // The values under the cursor; without it, the newest or those of the shown time.
  tell() {
    const {source, plot} = this;
    if (!plot) return;
    const under = this.kind === 'time' && plot.cursor.left >= 0 ? plot.cursor.idx : null;
    const row = under ?? source.row ?? source.store.times.length - 1;
    this.signals.forEach((key, i) => {
      const value = source.store.column(key)[row];
      setText(this.values[i], value == null ? '–' : short(value));
    });
  }

  // Saves what is kept of the signals.
  save() {
    const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const [times, ...columns] = this.data();
    const rows = Array.from(times, (time, i) => `${time},${columns.map((one) => one[i] ?? '').join(',')}\n`);
    const head = `${['time', ...this.signals].map(quoted).join(',')}\n`;
    saveFile(`${this.title.toLowerCase().replace(/\W+/g, '_')}.csv`, [head, ...rows], 'text/csv');
  }

  close() {
    this.restyle();
  }
}

// A range with room above and below.
function around(low, high) {
  if (low == null) return [0, 1];
  const rim = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.1, 0.1);
  return [low - rim, high + rim];
}
