// The controllers of a run: a person reads and changes them here, and sees errors at their line.
import {el, setText} from '../js/dom.js';
import {Debugging} from './code_debugging.js';
import {PageProject, RunProject} from './code_projects.js';

const PLACE = /File "([^"]+)", line (\d+)/; // in the traceback of an error
const LAST = /^\w[\w.]*(Error|Exception|Interrupt|Exit)\b/; // the last line of a traceback
const READ_ONLY = 'To change controllers here, start the run with --edit-controllers.';

export class CodePanel {
  // project: see code_projects.js; early: lines that came before.
  constructor(project, early) {
    this.title = 'Code';
    this.project = project;
    this.select = el('select', {'aria-label': 'File', onchange: () => this.edit(this.select.value)});
    this.save = el('button', {type: 'button', id: 'save-code', onclick: () => this.write()}, 'Save and restart');
    this.tools = el('div', {class: 'tools-row'}, this.select);
    this.note = el('p', {class: 'hint', role: 'status'}, 'Loading the editor …');
    this.text = el('div', {class: 'code-text'});
    this.row = el('div', {class: 'tools-row'}, this.save, ...project.buttons(this));
    this.root = el('div', {class: 'code-panel'}, this.row, this.note, this.text);
    this.debugging = null; // where breakpoints are possible
    this.error = null; // {file, line, message} of the newest one
    this.open(early);
  }

  wants() {
    return {scene: this.project instanceof RunProject};
  }

  async open(early) {
    try {
      const {Editor} = await this.project.editor();
      this.editor = new Editor(this.text, {changed: () => this.tell('Not saved.'), saved: () => this.write(), chosen: (line) => this.debugging?.toggle(line)});
      await this.load();
      if (this.project instanceof RunProject && this.project.canWrite) this.debug();
      this.hear(early);
    } catch (problem) {
      this.tell(`The code cannot be shown: ${problem.message ?? problem}`);
    }
  }

  // Reads the files; the one that was shown is shown again.
  async load() {
    const files = await this.project.files();
    this.select.replaceChildren(...files.map((name) => el('option', {value: name}, name)));
    this.save.disabled = !this.project.canWrite || !files.length;
    if (files.length) await this.edit(files.includes(this.name) ? this.name : files[0]);
    else this.tell('This world has no controllers whose source can be shown.');
  }

  debug() {
    this.debugging = new Debugging(this, this.project);
    this.row.append(...this.debugging.buttons);
    this.root.append(this.debugging.root);
    this.project.view.listen('debugger', (state) => this.debugging.take(state));
  }

  tell(text) {
    setText(this.note, text);
  }

  async edit(name) {
    this.name = this.select.value = name;
    this.editor.show(await this.project.read(name), this.project.canWrite);
    this.tell(this.project.canWrite ? '' : READ_ONLY);
    if (this.error?.name === name) this.mark();
    await this.debugging?.show();
  }

  async write() {
    if (this.save.disabled) return;
    this.error = null;
    this.editor.clear();
    this.tell(await this.project.write(this.name, this.editor.text));
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
  isPossible: ({hello}) => Boolean(globalThis.runInside) || hello.hasScene,
  make: ({source}) => new CodePanel(globalThis.runInside ? new PageProject(globalThis.runInside) : new RunProject(() => source.loadView(), () => source.robots), source.early),
}];
