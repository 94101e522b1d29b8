// Records values as they arrive, and gives them away as a CSV file.
import {el, setText} from './dom.js';

const MOST = 100000;

export class Recorder {
  constructor(name) {
    this.name = name;
    this.rows = [];
    this.isOn = false;
    this.button = el('button', {type: 'button', id: 'record', 'aria-pressed': 'false', onclick: () => this.toggle()}, 'Record');
    this.save = el('button', {type: 'button', id: 'download', disabled: true, onclick: () => this.download()}, 'Download CSV');
    this.note = el('span', {class: 'dim'});
    this.element = el('span', {class: 'run'}, this.button, this.save, this.note);
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.rows = [];
    this.button.setAttribute('aria-pressed', String(this.isOn));
    setText(this.button, this.isOn ? 'Stop recording' : 'Record');
  }

  add(time, columns) {
    if (!this.isOn || (this.rows.length && this.rows[this.rows.length - 1][0] === time)) return;
    this.rows.push([time, new Map(columns)]);
    if (this.rows.length >= MOST) this.toggle();
  }

  draw() {
    this.save.disabled = this.rows.length === 0;
    setText(this.note, this.rows.length >= MOST ? `${MOST} rows: full, recording has stopped` : this.rows.length ? `${this.rows.length} rows` : '');
  }

  text() {
    const names = [...new Set(this.rows.flatMap(([, row]) => [...row.keys()]))];
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = this.rows.map(([time, row]) => [time, ...names.map((name) => row.get(name) ?? '')].join(','));
    return [['time', ...names].map(quoted).join(','), ...lines, ''].join('\n');
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.text()], {type: 'text/csv'}));
    el('a', {href: address, download: `${this.name.replace(/[^\w-]+/g, '_')}.csv`}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}
