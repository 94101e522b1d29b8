// A board at a serial port of this computer, for a run inside of this page: programs are written to it, and what it says is shown.
import {el, setText, short} from '../js/dom.js';

const MOST_LINES = 500;

export class BoardPanel {
  // inside: the run inside of this page.
  constructor(inside) {
    this.title = 'Board';
    this.inside = inside;
    this.file = el('input', {type: 'file', accept: '.hex,.py,.zip', 'aria-label': 'Program', id: 'board-program', onchange: () => this.refresh()});
    this.write = el('button', {type: 'button', id: 'flash-board', disabled: true, onclick: () => this.flash()}, 'Write to board');
    this.speed = el('input', {type: 'number', min: 300, max: 4000000, value: 115200, 'aria-label': 'Speed of the line in bits per second'});
    this.listen = el('button', {type: 'button', id: 'monitor-board', disabled: true, onclick: () => this.begin('monitor', Number(this.speed.value))}, 'Monitor');
    this.leave = el('button', {type: 'button', id: 'leave-board', hidden: true, onclick: () => this.inside.ask('leave')}, 'End');
    this.note = el('p', {class: 'hint board-note', role: 'status'}, 'Loading …');
    this.values = el('dl', {class: 'board-values'});
    this.lines = el('pre', {class: 'board-lines'});
    this.root = el('div', {class: 'board-panel'},
      el('p', {class: 'hint'}, 'A .hex file for an Arduino Uno; a .py file, or a .zip of several, for a board with MicroPython.'),
      el('div', {class: 'tools-row'}, this.file, this.write), el('div', {class: 'tools-row'}, el('label', {}, 'Speed ', this.speed), this.listen, this.leave),
      this.note, this.values, this.lines);
    this.open();
  }

  async open() {
    try {
      this.link = await this.inside.robotLink(() => this.refresh());
      this.refresh();
    } catch (problem) {
      setText(this.note, `A board cannot be connected: ${problem.message ?? problem}`);
    }
  }

  async flash() {
    const [file] = this.file.files;
    if (/\.hex$/i.test(file.name)) await this.begin('flash', await file.text());
    else await this.begin('copy', new Uint8Array(await file.arrayBuffer()));
  }

  async begin(what, value) {
    this.lines.textContent = '';
    this.values.replaceChildren();
    this.link.heard = (news) => this.hear(news);
    this.isListening = what === 'monitor';
    const isDone = await this.link.use(what, value);
    if (isDone && !this.isListening) this.inside.mark('written');
  }

  // What the worker says about the board.
  hear({progress, value, text, message}) {
    if (!progress) this.inside.mark('heard');
    if (progress) this.link.tell('board', progress);
    else if (value) this.showValue(...value);
    else this.add(message ? `board: ${message}` : text);
  }

  showValue(name, value) {
    const shown = this.values.querySelector(`dd[data-name="${CSS.escape(name)}"]`) ?? el('dd', {'data-name': name});
    if (!shown.isConnected) this.values.append(el('dt', {}, name), shown);
    setText(shown, short(value));
  }

  add(line) {
    this.lines.append(`${line}\n`);
    while (this.lines.childNodes.length > MOST_LINES) this.lines.firstChild.remove();
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  refresh() {
    const {state, note, isPossible} = this.link ?? {};
    this.root.dataset.state = state;
    setText(this.note, note ?? '');
    const isFree = isPossible && state === 'none';
    this.write.disabled = !isFree || !this.file.files.length;
    this.listen.disabled = !isFree;
    this.leave.hidden = state !== 'board' || !this.isListening;
  }
}

export const panels = [{
  kind: 'board', title: 'Board', rank: 5, place: ['left', null, 0.35], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: () => new BoardPanel(globalThis.runInside),
}];
