// The values of signals over time, as they arrive. Columns begin when they are first needed; all have one value for each time.

import {Spacing} from '../js/spacing.js';

const MOST = 7200; // rows that are kept, two minutes at 60 per second
const SLACK = 1.2; // more rows than that are cut at once, now and then

export class Store {
  constructor() {
    this.times = [];
    this.columns = new Map();
    this.version = 0; // counts changes
    this.spacing = new Spacing();
  }

  get time() {
    return this.times.at(-1) ?? 0;
  }

  // The values of a signal; null where there was none.
  column(key) {
    let found = this.columns.get(key);
    if (!found) {
      found = Array.from({length: this.times.length}, () => null);
      this.columns.set(key, found);
    }
    return found;
  }

  latest(key) {
    return this.columns.get(key)?.at(-1) ?? null;
  }

  // values: pairs of key and number. An earlier time than the last one: the run was reset.
  add(time, values) {
    if (this.times.length && time === this.time) return;
    if (time < this.time) this.clear();
    // A row without values: curves end before and begin anew after.
    if (this.times.length && this.spacing.isGap(this.time, time)) this.addRow((this.time + time) / 2, []);
    this.addRow(time, values);
    if (this.times.length > MOST * SLACK) this.cut();
    this.version += 1;
  }

  addRow(time, values) {
    const row = this.times.length;
    this.times.push(time);
    for (const [key, value] of values) {
      if (value != null || this.columns.has(key)) this.column(key)[row] = value;
    }
    for (const one of this.columns.values()) if (one.length <= row) one.push(null);
  }

  cut() {
    const count = this.times.length - MOST;
    this.times.splice(0, count);
    for (const one of this.columns.values()) one.splice(0, count);
  }

  clear() {
    this.times.length = 0;
    for (const one of this.columns.values()) one.length = 0;
    this.version += 1;
  }
}
