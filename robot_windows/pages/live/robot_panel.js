// A real robot for a run inside of this page: a person connects it here, sees its state, and stops it.
import {el, setText, short} from '../js/dom.js';

const OF_PLUGINS = /^(wblink|epuck|create2|firmata|Remote control)\b/; // the start of their lines in the console
const TITLES = {none: 'No robot is connected', connecting: 'Connecting', driving: 'Connected', stopped: 'The robot stands still'};

export class RobotPanel {
  // inside: the run inside of this page; source: what there is to show.
  constructor(inside, source) {
    this.title = 'Robot';
    this.source = source;
    this.inside = inside;
    this.robots = el('select', {'aria-label': 'Robot'});
    this.protocols = el('select', {'aria-label': 'Protocol', id: 'robot-protocol'});
    this.speed = el('input', {type: 'number', min: 300, max: 4000000, placeholder: 'usual', 'aria-label': 'Speed of the line in bits per second'});
    // Nothing can be pressed before the choices are there.
    this.connect = el('button', {type: 'button', id: 'connect-robot', disabled: true, onclick: () => this.begin()}, 'Connect robot');
    this.stop = el('button', {type: 'button', id: 'stop-robot', hidden: true, onclick: () => this.link.stop()}, 'Stop robot');
    this.resume = el('button', {type: 'button', id: 'resume-robot', hidden: true, onclick: () => this.link.resume()}, 'Go on');
    this.end = el('button', {type: 'button', id: 'disconnect-robot', hidden: true, onclick: () => this.link.disconnect()}, 'Disconnect');
    this.state = el('h3', {role: 'status'});
    this.note = el('p', {class: 'hint robot-note'}, 'Loading …');
    this.lines = el('pre', {class: 'robot-lines'});
    this.rows = el('tbody');
    this.twin = el('table', {class: 'robot-twin', hidden: true},
      el('thead', {}, el('tr', {}, ...['Sensor', 'Robot', 'Simulation', 'Difference'].map((text) => el('th', {}, text)))), this.rows);
    this.form = el('div', {class: 'tools-row'}, this.robots, this.protocols, el('label', {}, 'Speed ', this.speed), this.connect);
    this.root = el('div', {class: 'robot-panel'}, this.state, this.note, this.form, el('div', {class: 'tools-row'}, this.stop, this.resume, this.end), this.twin, this.lines);
    this.open();
  }

  async open() {
    try {
      this.link = await this.inside.robotLink(() => this.refresh());
      const {robots, protocols} = JSON.parse(await this.inside.ask('robots'));
      this.robots.replaceChildren(...robots.map(({number, name}) => el('option', {value: number}, name)));
      this.robots.hidden = robots.length < 2;
      this.protocols.replaceChildren(...protocols.map(({name, title}) => el('option', {value: name}, title)));
      const named = robots.find(({plugin}) => protocols.some(({name}) => name === plugin));
      if (named) this.protocols.value = named.plugin;
      if (!robots.length) this.link.note = 'No robot of this world has a controller in Python.';
      this.isPossible = this.link.isPossible && robots.length > 0;
      this.refresh();
    } catch (problem) {
      setText(this.note, `A robot cannot be connected: ${problem.message ?? problem}`);
    }
  }

  wants() {
    return {robots: this.source.robots.map(({number}) => number)};
  }

  begin() {
    this.lines.textContent = '';
    this.link.connect(Number(this.robots.value), this.protocols.value, Number(this.speed.value));
  }

  refresh() {
    const {state, note} = this.link;
    if (state === 'driving') this.inside.mark('driven');
    this.root.dataset.state = state;
    setText(this.state, TITLES[state]);
    setText(this.note, note);
    this.form.hidden = state !== 'none';
    this.connect.disabled = !this.isPossible;
    this.stop.hidden = state !== 'driving';
    this.resume.hidden = state !== 'stopped';
    this.end.hidden = state === 'none';
  }

  // The sensors of the robot beside those of its simulated twin, which gets the same commands.
  draw() {
    const compared = this.source.robots.map((robot) => robot.state?.twin).find(Boolean) ?? [];
    this.twin.hidden = !compared.length;
    while (this.rows.rows.length < compared.length) this.rows.append(el('tr', {}, el('th'), el('td'), el('td'), el('td')));
    while (this.rows.rows.length > compared.length) this.rows.lastChild.remove();
    compared.forEach(([name, real, simulated], row) => {
      const cells = this.rows.rows[row].cells;
      [name, short(real), short(simulated), short(real - simulated)].forEach((text, cell) => setText(cells[cell], text));
    });
  }

  // What the plugin says in the console.
  hear(lines) {
    for (const {text} of lines) if (OF_PLUGINS.test(text)) this.lines.append(`${text}\n`);
  }
}

export const panels = [{
  kind: 'robot', title: 'Robot', rank: 5, place: ['left', null, 0.35], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: ({source}) => new RobotPanel(globalThis.runInside, source),
}];
