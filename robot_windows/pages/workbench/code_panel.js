// The controllers of a run inside of this page: a person reads and changes them here, and sees errors at their line.
import {el, setText} from '../js/dom.js';

const PLACE = /File "([^"]+)", line (\d+)/; // in the traceback of an error
const LAST = /^\w[\w.]*(Error|Exception|Interrupt|Exit)\b/; // the last line of a traceback

export class CodePanel {
  // run: the run inside of this page; early: lines that came before.
  constructor(run, early) {
    this.title = 'Code';
    this.project = run;
    this.select = el('select', {'aria-label': 'File', onchange: () => this.edit(this.select.value)});
    const save = el('button', {type: 'button', id: 'save-code', onclick: () => this.write()}, 'Save and restart');
    const original = el('button', {type: 'button', title: 'Drop all changes', onclick: () => this.forget()}, 'Original');
    const load = el('button', {type: 'button', id: 'load-project', onclick: () => this.download()}, 'Download');
    this.tools = el('div', {class: 'tools-row'}, this.select);
    this.note = el('p', {class: 'hint', role: 'status'}, 'Loading the editor …');
    this.text = el('div', {class: 'code-text'});
    this.root = el('div', {class: 'code-panel'}, el('div', {class: 'tools-row'}, save, original, load), this.note, this.text);
    this.error = null; // {file, line, message} of the newest one
    this.open(early);
  }

  async open(early) {
    try {
      const [{Editor}, files] = await Promise.all([this.project.editor(), this.project.ask('files')]);
      this.editor = new Editor(this.text, {changed: () => this.tell('Not saved.'), saved: () => this.write()});
      this.select.replaceChildren(...JSON.parse(files).map((name) => el('option', {value: name}, name)));
      if (this.select.value) await this.edit(this.select.value);
      else this.tell('This project has no controllers in Python.');
      this.hear(early);
    } catch (problem) {
      this.tell(`The code cannot be shown: ${problem.message ?? problem}`);
    }
  }

  tell(text) {
    setText(this.note, text);
  }

  async edit(name) {
    this.name = this.select.value = name;
    this.editor.show(await this.project.ask('read', name));
    this.tell('');
    if (this.error?.name === name) this.mark();
  }

  async write() {
    this.error = null;
    this.editor.clear();
    await this.project.ask('write', this.name, this.editor.text);
    this.project.keep(this.name, this.editor.text);
    this.tell('Saved in this browser. The controller starts again.');
  }

  // Drops all that was changed here.
  forget() {
    this.project.keepNothing();
    this.project.restart();
  }

  async download() {
    const address = URL.createObjectURL(new Blob([await this.project.ask('archive')], {type: 'application/zip'}));
    el('a', {href: address, download: 'project.zip'}).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // Looks for errors among the lines of the console.
  hear(lines) {
    for (const {text} of lines) {
      const [, file, line] = PLACE.exec(text) ?? [];
      const name = [...this.select.options].find((one) => file?.endsWith(`/${one.value}`))?.value;
      if (name) this.error = {name, line: Number(line), message: ''};
      else if (this.error && !this.error.message && LAST.test(text)) {
        this.error.message = text;
        if (this.error.name === this.name) this.mark();
        else this.edit(this.error.name);
      }
    }
  }

  mark() {
    this.editor.mark(this.error.line, this.error.message);
    this.tell(`Line ${this.error.line}: ${this.error.message}`);
  }
}

export const panels = [{
  kind: 'code', title: 'Code', rank: 4, place: ['left', null, 0.35], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: ({source}) => new CodePanel(globalThis.runInside, source.early),
}];
