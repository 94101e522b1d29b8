// Where the code panel reads and writes controllers: inside of this page, or in the folders of a run on this machine.
// Both have: editor(), a module; files(), names; read(name); write(name, text), which gives what to say; buttons(panel); canWrite.
import {el, named, saveFile} from '../js/dom.js';
import {sceneFile} from '../js/socket.js';

export class PageProject {
  // inside: the run inside of this page.
  constructor(inside) {
    this.inside = inside;
    this.canWrite = true;
  }

  editor() {
    return this.inside.editor();
  }

  async files() {
    return JSON.parse(await this.inside.ask('files'));
  }

  read(name) {
    return this.inside.ask('read', name);
  }

  async write(name, text) {
    await this.inside.ask('write', name, text);
    this.inside.keep(name, text);
    return 'Saved in this browser. The controller starts again.';
  }

  buttons(_panel) {
    return [
      el('button', {type: 'button', title: 'Drop all changes', onclick: () => this.forget()}, 'Original'),
      el('button', {type: 'button', id: 'load-project', onclick: () => this.download()}, 'Download'),
    ];
  }

  // Drops all that was changed here.
  forget() {
    this.inside.keepNothing();
    this.inside.restart();
  }

  async download() {
    saveFile('project.zip', [await this.inside.ask('archive')], 'application/zip');
  }
}

export class RunProject {
  // world(): the 3D view, when it has been loaded; robots(): those of the run.
  constructor(world, robots) {
    this.world = world;
    this.robots = robots;
    this.sources = new Map(); // name -> {text, digest}
    this.waiting = []; // called when newer sources are here
  }

  editor() {
    return import('./plain_editor.js');
  }

  async files() {
    if (!this.view) {
      this.view = await this.world();
      this.view.listen('code', ({file, canWrite}) => this.load(file, canWrite));
    }
    const newer = this.newer();
    this.view.ask('code');
    await newer;
    return [...this.sources.keys()];
  }

  // Waits for sources that were read later than those here.
  newer() {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async load(file, canWrite) {
    if (file === this.file) return;
    this.file = file;
    const sources = JSON.parse(new TextDecoder().decode(await sceneFile(file)));
    if (file !== this.file) return;
    this.canWrite = canWrite;
    this.sources = new Map(sources.map((one) => [one.name, one]));
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  read(name) {
    return this.sources.get(name).text;
  }

  // Asks for a change; done(problem) is called with the reason why it was not possible, or ''.
  request(name, values, done) {
    this.view.request(name, values, done);
  }

  async write(name, text) {
    const newer = this.newer();
    const {digest} = this.sources.get(name);
    const problem = await new Promise((resolve) => this.view.request('write', {name, text, known: digest}, resolve));
    if (problem) return problem;
    await newer;
    return 'Saved. The controller starts again.';
  }

  buttons(panel) {
    return [
      el('button', {type: 'button', id: 'load-code', title: 'Read the files anew, and drop what is not saved', onclick: () => panel.load()}, 'Load'),
      this.beginning(panel),
    ];
  }

  // Gives a robot a controller of the project, or a first program under a new name.
  beginning(panel) {
    const robot = el('select', {'aria-label': 'Robot'});
    const fill = () => robot.replaceChildren(...this.robots().map((one) => el('option', {value: one.number}, named(one.name))));
    const name = el('input', {'aria-label': 'Name of the controller', placeholder: 'name', size: 12, maxLength: 60, required: true});
    const form = el('form', {class: 'tools-row', onsubmit: (event) => {
      event.preventDefault();
      this.begin(panel, Number(robot.value), name.value);
    }}, robot, name, el('button', {type: 'submit'}, 'Give'));
    return el('details', {class: 'new-controller', ontoggle: fill}, el('summary', {}, 'New …'), form);
  }

  async begin(panel, robot, name) {
    const problem = await new Promise((resolve) => this.view.request('begin', {robot, name}, resolve));
    if (problem) {
      panel.tell(problem);
      return;
    }
    await panel.load();
    const file = [...this.sources.keys()].find((one) => one.startsWith(`${name}/`));
    if (file) await panel.edit(file);
    panel.tell('The robot has this controller now. Undo takes it back.');
  }
}
