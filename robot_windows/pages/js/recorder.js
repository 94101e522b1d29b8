// Records values as they arrive, and saves them as a CSV file.
import {el, saveFile, setText} from './dom.js';

const MOST_ROWS = 100000;
const MOST_VALUES = 5e6; // about 40 MB
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export class Recorder {
  constructor(name) {
    this.name = name;
    this.forget();
    this.isOn = false;
    this.button = el('button', {type: 'button', id: 'record', 'aria-pressed': 'false', onclick: () => this.toggle()}, 'Record');
    this.save = el('button', {type: 'button', id: 'download', disabled: true, onclick: () => this.download()}, 'Download CSV');
    this.note = el('span', {class: 'dim'});
    this.element = el('span', {class: 'run', 'data-local': true}, this.button, this.save, this.note);
  }

  forget() {
    this.rows = []; // each row: the time, and the values of all columns known so far
    this.places = new Map(); // indices of columns after the time, by name
    this.count = 0;
    this.isFull = false;
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.forget();
    this.button.setAttribute('aria-pressed', String(this.isOn));
    setText(this.button, this.isOn ? 'Stop recording' : 'Record');
  }

  add(time, columns) {
    if (!this.isOn || this.rows.at(-1)?.[0] === time) return;
    for (const [name] of columns) if (!this.places.has(name)) this.places.set(name, this.places.size + 1);
    const row = Array.from({length: this.places.size + 1}, () => null);
    row[0] = time;
    for (const [name, value] of columns) row[this.places.get(name)] = value;
    this.rows.push(row);
    this.count += row.length;
    if (this.rows.length < MOST_ROWS && this.count < MOST_VALUES) return;
    this.isFull = true;
    this.toggle();
  }

  draw() {
    this.save.disabled = this.rows.length === 0;
    const {length} = this.rows;
    setText(this.note, this.isFull ? `${length} rows: limit reached, recording stopped` : length ? `${length} rows` : '');
  }

  // In chunks: a single string would be too long.
  lines() {
    const length = this.places.size + 1;
    const written = (row) => Array.from({length}, (_, i) => row[i] ?? '').join(',');
    return [['time', ...this.places.keys()].map(quoted).join(','), '\n', ...this.rows.map((row) => `${written(row)}\n`)];
  }

  download() {
    saveFile(`${this.name.replace(/[^\p{L}\p{N}_-]+/gu, '_')}.csv`, this.lines(), 'text/csv');
  }
}
