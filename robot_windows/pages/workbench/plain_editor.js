// A plain editor of code: a text with the numbers of its lines, of which one can be marked with an error.
import {el} from '../js/dom.js';

const INDENT = '    ';
const LINE_END = /\n/g;

export class Editor {
  // on: {changed, saved, chosen}: called after each change, for Ctrl+S, and with a line whose number is clicked.
  constructor(parent, on) {
    this.numbers = el('div', {class: 'line-numbers', 'aria-hidden': 'true'});
    this.area = el('textarea', {class: 'plain-code', 'aria-label': 'Code', spellcheck: 'false', wrap: 'off', autocapitalize: 'off'});
    this.numbers.onclick = ({target}) => target !== this.numbers && on.chosen?.(Number(target.textContent));
    this.on = on;
    this.area.oninput = () => {
      this.number();
      on.changed();
    };
    this.area.onkeydown = (event) => this.press(event);
    this.area.onscroll = () => {
      this.numbers.scrollTop = this.area.scrollTop;
    };
    parent.append(el('div', {class: 'plain-editor'}, this.numbers, this.area));
  }

  get text() {
    return this.area.value;
  }

  show(text, canWrite = true) {
    this.area.value = text;
    this.area.readOnly = !canWrite;
    this.area.setSelectionRange(0, 0);
    this.clear();
  }

  // Tab leaves a text that cannot be changed, and Escape every text, for those who have no mouse.
  press(event) {
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.on.saved();
    } else if (event.key === 'Tab' && !event.shiftKey && !this.area.readOnly && !this.leaves) {
      event.preventDefault();
      document.execCommand('insertText', false, INDENT); // unlike a new value, it can be undone
    } else if (event.key === 'Enter' && !this.area.readOnly) {
      event.preventDefault();
      const before = this.area.value.slice(0, this.area.selectionStart).split('\n').at(-1);
      const [indent] = /^[ \t]*/.exec(before);
      document.execCommand('insertText', false, `\n${indent}${/:\s*(#.*)?$|\{\s*$/.test(before) ? INDENT : ''}`);
    }
    this.leaves = event.key === 'Escape';
  }

  number() {
    const count = (this.area.value.match(LINE_END)?.length ?? 0) + 1;
    if (count === this.numbers.childElementCount) return;
    this.numbers.replaceChildren(...Array.from({length: count}, (_, i) => el('div', {}, String(i + 1))));
    if (this.marked) this.mark(...this.marked);
    this.stops(this.stopLines ?? []);
    this.at(this.line ?? null);
  }

  // Marks a line, counted from 1, with a message.
  mark(number, message) {
    this.marked = null;
    this.clear();
    this.marked = [number, message];
    const line = this.numbers.children[Math.min(Math.max(number, 1), this.numbers.childElementCount) - 1];
    line.className = 'wrong-line';
    line.title = message;
    this.area.scrollTop = line.offsetTop - this.area.clientHeight / 2;
    this.numbers.scrollTop = this.area.scrollTop;
  }

  // Shows the lines with breakpoints.
  stops(lines) {
    this.stopLines = lines;
    for (const [i, one] of [...this.numbers.children].entries()) one.toggleAttribute('data-stop', lines.includes(i + 1));
  }

  // Shows the line at which the program is paused; null: it runs.
  at(line) {
    for (const one of this.numbers.querySelectorAll('[data-here]')) one.removeAttribute('data-here');
    const isNew = line !== this.line;
    this.line = line;
    const here = line && this.numbers.children[line - 1];
    if (!here) return;
    here.toggleAttribute('data-here', true);
    const top = here.offsetTop - this.area.scrollTop;
    if (isNew && (top < 0 || top > this.area.clientHeight - 40)) this.area.scrollTop = here.offsetTop - this.area.clientHeight / 2;
  }

  clear() {
    this.marked = null;
    this.numbers.replaceChildren();
    this.number();
  }
}
