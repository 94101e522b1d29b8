// Plots of recorded signals below the view, with the shown time in all of them.
import {color, el, short} from '../js/dom.js';
import {clock} from './timeline.js';

const COLORS = ['--curve1', '--curve2', '--curve3', '--curve4'];
const DASHES = [[], [6, 3], [2, 3]]; // tells curves of the same color apart
const HEIGHT = 116;

// e-puck/ps0.value -> e-puck ps0
export function nameOf(column) {
  return column.replace(/\.(value|values)$/, '').replace('/', ' ');
}

export class Charts {
  // signals: {times, values}, of Recording.signals; columns: their names; groups: lists of signals, one for each plot.
  constructor(player, columns, signals, groups) {
    Object.assign(this, {player, columns, signals});
    this.known = columns.map((_, i) => i).filter((i) => signals.values[i]);
    this.charts = [];
    this.list = el('div', {class: 'charts'});
    this.menu = this.makeMenu();
    this.root = el('section', {class: 'plots', 'aria-label': 'Plots'}, this.list, this.menu);
    for (const group of groups) this.add(group.filter((i) => signals.values[i]));
    player.addEventListener('change', () => this.mark());
    new ResizeObserver(() => this.resize()).observe(this.list);
  }

  makeMenu() {
    const options = el('datalist', {id: 'signals'}, ...this.known.map((i) => el('option', {value: nameOf(this.columns[i])})));
    const input = el('input', {type: 'text', list: 'signals', placeholder: `Plot a value … (${this.known.length})`, 'aria-label': 'Plot a value'});
    const names = new Map(this.known.map((i) => [nameOf(this.columns[i]), i]));
    input.onchange = () => {
      const found = names.get(input.value);
      if (found == null) return;
      this.add([found]);
      input.value = '';
    };
    return el('div', {class: 'signals', hidden: this.known.length === 0}, input, options);
  }

  add(signals) {
    if (!signals.length) return;
    const chart = new Chart(this, signals);
    this.charts.push(chart);
    this.list.append(chart.root);
    chart.make();
    this.mark();
  }

  remove(chart) {
    this.charts = this.charts.filter((one) => one !== chart);
    chart.plot.destroy();
    chart.root.remove();
  }

  // The same time span in all plots.
  zoom(min, max, source) {
    for (const one of this.charts) if (one !== source) one.show(min, max);
  }

  mark() {
    for (const one of this.charts) one.mark();
  }

  resize() {
    for (const one of this.charts) one.plot.setSize({width: one.holder.clientWidth, height: HEIGHT});
  }

  restyle() {
    for (const one of this.charts) one.make();
  }
}

class Chart {
  constructor(owner, signals) {
    this.owner = owner;
    this.signals = signals;
    this.holder = el('div', {class: 'curve'});
    this.values = signals.map(() => el('span', {class: 'value'}));
    const names = signals.map((signal, i) => el('span', {class: 'signal', 'data-curve': i % COLORS.length}, el('span', {class: 'dot'}), nameOf(owner.columns[signal]), ' ', this.values[i]));
    const close = el('button', {class: 'quiet', type: 'button', 'aria-label': 'Remove this plot', onclick: () => owner.remove(this)}, '×');
    this.root = el('div', {class: 'chart'}, el('div', {class: 'legend'}, ...names, close), this.holder);
    this.line = el('div', {class: 'cursor'});
  }

  make() {
    this.plot?.destroy();
    const {player, signals: {times, values}, columns} = this.owner;
    const axis = {stroke: color('--dim'), grid: {stroke: color('--grid'), width: 1}, ticks: {show: false}, font: '11px system-ui'};
    this.plot = new uPlot({
      width: this.holder.clientWidth || 600,
      height: HEIGHT,
      legend: {show: false},
      cursor: {drag: {x: true, y: false, setScale: true}, points: {show: false}},
      scales: {x: {time: false, min: 0, max: player.duration}},
      axes: [{...axis, size: 24, space: 70, values: (_, marks) => marks.map((one) => clock(one, one % 1 ? 2 : 0))}, {...axis, size: 56}],
      series: [{}, ...this.signals.map((signal, i) => ({
        label: nameOf(columns[signal]), stroke: color(COLORS[i % COLORS.length]), width: 1.5, points: {show: false},
        dash: DASHES[Math.floor(i / COLORS.length) % DASHES.length],
      }))],
      hooks: {
        setScale: [(plot, key) => {
          if (key === 'x' && !this.isFollowing) this.owner.zoom(plot.scales.x.min, plot.scales.x.max, this);
          this.mark();
        }],
        ready: [(plot) => {
          plot.over.append(this.line);
          plot.over.addEventListener('click', (event) => {
            if (Math.abs(event.movementX) < 3) player.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
          });
        }],
      },
    }, [times, ...this.signals.map((signal) => Array.from(values[signal], (one) => (Number.isNaN(one) ? null : one)))], this.holder);
    this.mark();
  }

  show(min, max) {
    this.isFollowing = true;
    this.plot.setScale('x', {min, max});
    this.isFollowing = false;
  }

  mark() {
    if (!this.plot) return;
    const {player, signals: {values}} = this.owner;
    const place = this.plot.valToPos(player.time, 'x');
    const isVisible = place >= 0 && place <= this.plot.over.clientWidth;
    this.line.hidden = !isVisible;
    this.line.style.transform = `translateX(${place}px)`;
    const frame = Math.round(player.time / player.frame);
    this.signals.forEach((signal, i) => {
      const value = values[signal][frame];
      this.values[i].textContent = Number.isNaN(value) ? '–' : short(value);
    });
  }
}
