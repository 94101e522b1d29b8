// A real robot for a run inside of this page: a person connects it here, sees its state, and stops it.
import {el, setText} from '../js/dom.js';

const OF_PLUGINS = /^(wblink|epuck|create2|firmata|Remote control)\b/; // the start of their lines in the console
const TITLES = {none: 'No robot is connected', connecting: 'Connecting', driving: 'Connected', stopped: 'The robot stands still'};

export class RobotPanel {
  // inside: the run inside of this page.
  constructor(inside) {
    this.title = 'Robot';
    this.inside = inside;
    this.robots = el('select', {'aria-label': 'Robot'});
    this.protocols = el('select', {'aria-label': 'Protocol', id: 'robot-protocol'});
    this.speed = el('input', {type: 'number', min: 300, max: 4000000, placeholder: 'usual', 'aria-label': 'Speed of the line in bits per second'});
    this.connect = el('button', {type: 'button', id: 'connect-robot', onclick: () => this.begin()}, 'Connect robot');
    this.stop = el('button', {type: 'button', id: 'stop-robot', onclick: () => this.link.stop()}, 'Stop robot');
    this.resume = el('button', {type: 'button', id: 'resume-robot', onclick: () => this.link.resume()}, 'Go on');
    this.end = el('button', {type: 'button', id: 'disconnect-robot', onclick: () => this.link.disconnect()}, 'Disconnect');
    this.state = el('h3', {role: 'status'});
    this.note = el('p', {class: 'hint robot-note'}, 'Loading …');
    this.lines = el('pre', {class: 'robot-lines'});
    this.form = el('div', {class: 'tools-row'}, this.robots, this.protocols, el('label', {}, 'Speed ', this.speed), this.connect);
    this.root = el('div', {class: 'robot-panel'}, this.state, this.note, this.form, el('div', {class: 'tools-row'}, this.stop, this.resume, this.end), this.lines);
    this.open();
  }

  async open() {
    try {
      this.link = await this.inside.robotLink(() => this.show());
      const {robots, protocols} = JSON.parse(await this.inside.ask('robots'));
      this.robots.replaceChildren(...robots.map(({number, name}) => el('option', {value: number}, name)));
      this.robots.hidden = robots.length < 2;
      this.protocols.replaceChildren(...protocols.map(({name, title}) => el('option', {value: name}, title)));
      const named = robots.find(({plugin}) => protocols.some(({name}) => name === plugin));
      if (named) this.protocols.value = named.plugin;
      if (!robots.length) this.link.note = 'No robot of this world has a controller in Python.';
      this.isPossible = this.link.isPossible && robots.length > 0;
      this.show();
    } catch (problem) {
      setText(this.note, `A robot cannot be connected: ${problem.message ?? problem}`);
    }
  }

  begin() {
    this.lines.textContent = '';
    this.link.connect(Number(this.robots.value), this.protocols.value, Number(this.speed.value));
  }

  show() {
    const {state, note} = this.link;
    this.root.dataset.state = state;
    setText(this.state, TITLES[state]);
    setText(this.note, note);
    this.form.hidden = state !== 'none';
    this.connect.disabled = !this.isPossible;
    this.stop.hidden = state !== 'driving';
    this.resume.hidden = state !== 'stopped';
    this.end.hidden = state === 'none';
  }

  // What the plugin says in the console.
  hear(lines) {
    for (const {text} of lines) if (OF_PLUGINS.test(text)) this.lines.append(`${text}\n`);
  }
}

export const panels = [{
  kind: 'robot', title: 'Robot', rank: 5, place: ['left', null, 0.35], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: () => new RobotPanel(globalThis.runInside),
}];
