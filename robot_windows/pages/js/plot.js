// A live plot of one sensor: curves of its components over simulated time.
import {color} from './dom.js';
import {Spacing} from './spacing.js';

const MOST = 7200; // points, two minutes at 60 per second
export const CURVES = ['--curve1', '--curve2', '--curve3', '--curve4'];

export class Plot {
  constructor(holder, names, range) {
    this.holder = holder;
    this.names = names;
    this.range = range; // [low, high] that is always shown, or null
    this.data = [[], ...names.map(() => [])];
    this.isVisible = false;
    this.isDirty = false;
    this.spacing = new Spacing();
    new IntersectionObserver((entries) => {
      this.isVisible = entries.at(-1).isIntersecting;
      this.isDirty = true;
    }, {rootMargin: '200px'}).observe(holder);
    new ResizeObserver(() => this.resize()).observe(holder);
  }

  // A frozen plot keeps new values, and shows them when it resumes.
  add(time, values, isFrozen) {
    const times = this.data[0];
    if (times.length && time <= times[times.length - 1]) {
      if (time === times[times.length - 1]) return;
      for (const one of this.data) one.length = 0; // the run was reset
    }
    const last = times[times.length - 1];
    if (times.length && this.spacing.isGap(last, time)) {
      times.push((last + time) / 2); // without values: the curves end before and begin anew after
      for (const one of this.data.slice(1)) one.push(null);
    }
    times.push(time);
    values.forEach((value, i) => this.data[i + 1].push(value));
    if (times.length > MOST * 1.2) for (const one of this.data) one.splice(0, one.length - MOST);
    if (!isFrozen) this.isDirty = true;
  }

  resize() {
    if (this.plot) this.plot.setSize({width: this.holder.clientWidth, height: 150});
  }

  // Rebuilds the plot in the current colors.
  restyle() {
    if (this.plot) this.plot.destroy();
    this.plot = null;
    this.isDirty = true;
  }

  make() {
    const axis = {stroke: color('--dim'), grid: {stroke: color('--grid'), width: 1}, ticks: {show: false}, font: '11px system-ui'};
    this.plot = new uPlot({
      width: this.holder.clientWidth,
      height: 150,
      cursor: {points: {show: false}, drag: {x: false, y: false}},
      scales: {
        x: {time: false},
        y: {range: (plot, low, high) => {
          const range = this.isFitting ? null : this.range;
          if (range) [low, high] = [Math.min(low ?? range[0], range[0]), Math.max(high ?? range[1], range[1])];
          const rim = Math.max((high - low) * 0.06, 1e-3);
          return low == null ? [0, 1] : [low - rim, high + rim];
        }},
      },
      axes: [{...axis, size: 26, space: 60}, {...axis, size: 52}],
      series: [{}, ...this.names.map((label, i) => ({label, stroke: color(CURVES[i % CURVES.length]), width: 1.5, points: {show: false}}))],
    }, this.data, this.holder);
  }

  // Shows `span` seconds before `now`; the vertical axis shows the whole range or fits the curves.
  draw(now, span, isFitting) {
    const isSame = !this.isDirty && now === this.now && span === this.span && isFitting === this.isFitting;
    if (!this.isVisible || isSame || this.holder.clientWidth === 0) return;
    Object.assign(this, {now, span, isFitting, isDirty: false});
    if (!this.plot) this.make();
    this.plot.setData(this.data, false);
    this.plot.batch(() => {
      this.plot.setScale('x', {min: Math.max(0, now - span), max: Math.max(now, span * 0.02)});
    });
  }
}
