// Breakpoints in the code panel: lines at which a controller in Python pauses while the world waits, and what it knows there.
import {el, setText} from '../js/dom.js';

const COMMANDS = {continue: ['Continue', 'F8'], over: ['Over', 'F10'], into: ['Into', 'F11'], out: ['Out', 'Shift+F11']};

export class Debugging {
  // panel: the code panel; project: a RunProject.
  constructor(panel, project) {
    Object.assign(this, {panel, project, state: null});
    this.start = el('button', {type: 'button', id: 'debug', title: 'Start the controller again, and pause at lines that you mark by a click on their number', onclick: () => this.ask(this.robot === null ? 'start' : 'stop')}, 'Debug');
    this.pause = el('button', {type: 'button', hidden: true, onclick: () => this.ask('pause')}, 'Pause at next line');
    this.commands = el('span', {class: 'debug-commands', hidden: true}, ...Object.entries(COMMANDS).map(([command, [text, key]]) => el('button', {type: 'button', 'data-command': command, title: key, onclick: () => this.ask(command)}, text)));
    this.stack = el('p', {class: 'debug-stack'});
    this.values = el('dl', {class: 'debug-values', 'aria-label': 'Variables'});
    this.root = el('section', {class: 'debug', 'aria-label': 'Paused program', hidden: true}, this.stack, this.values);
    panel.root.addEventListener('keydown', (event) => this.press(event));
  }

  get buttons() {
    return [this.start, this.pause, this.commands];
  }

  // The number of the robot that is debugged among those of the file that is shown, or null.
  get robot() {
    const own = this.project.sources.get(this.panel.name)?.robots ?? [];
    return own.find((number) => number in (this.state?.robots ?? {})) ?? null;
  }

  ask(command) {
    const [first] = this.project.sources.get(this.panel.name)?.robots ?? [];
    const robot = this.robot ?? first;
    if (robot === undefined) this.panel.tell('No robot has this controller.');
    else this.project.request('debug', {robot, command}, (problem) => problem && this.panel.tell(problem));
  }

  press(event) {
    const key = `${event.shiftKey ? 'Shift+' : ''}${event.key}`;
    const command = Object.keys(COMMANDS).find((one) => COMMANDS[one][1] === key);
    if (!command || this.commands.hidden) return;
    event.preventDefault();
    this.ask(command);
  }

  // Sets or takes a breakpoint of the file that is shown.
  toggle(line) {
    const lines = new Set(this.state?.lines?.[this.panel.name] ?? []);
    if (!lines.delete(line)) lines.add(line);
    this.project.request('breakpoints', {name: this.panel.name, lines: [...lines]}, (problem) => problem && this.panel.tell(problem));
  }

  // state: see DebugHandler.shown in wbcore/windows/debug_handler.py.
  take(state) {
    const text = JSON.stringify(state);
    if (text === this.text) return;
    this.text = text;
    this.state = state;
    this.show();
  }

  // Shows the state of the file that is shown.
  async show() {
    const {robot, panel} = this;
    const place = robot === null ? null : this.state.robots[robot];
    setText(this.start, robot === null ? 'Debug' : 'End debugging');
    this.pause.hidden = robot === null || place !== null;
    this.commands.hidden = this.root.hidden = place === null;
    if (place && place.name && place.name !== panel.name) {
      await panel.edit(place.name); // which shows the state again
      return;
    }
    panel.editor.stops(this.state?.lines?.[panel.name] ?? []);
    panel.editor.at(place?.line ?? null);
    if (!place) return;
    setText(this.stack, place.stack.map(([name, file, line]) => `${name} (${file}:${line})`).join(' < '));
    this.values.replaceChildren(...place.variables.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
  }
}
