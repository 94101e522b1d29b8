// What to do about controllers that have failed: their last lines, and buttons to start them again.
import {el, named} from '../js/dom.js';
import {live} from '../js/live.js';

const REWIND_S = 2;
const MOST_LINES = 6;

export class Failures {
  // source: a LiveSource.
  constructor(source) {
    this.source = source;
    this.root = el('div', {class: 'failures', role: 'alert'});
  }

  // failures: see RunState in robot_windows/messages.py.
  show(failures) {
    const key = JSON.stringify(failures);
    if (key === this.key) return;
    this.key = key;
    this.root.replaceChildren(...failures.map((one) => this.banner(one)));
  }

  banner({robot: number, controller, text, time}) {
    const robot = this.source.robots.find((one) => one.number === number);
    const name = robot?.name ?? '';
    const lines = this.source.early.filter((one) => one.robot === name && one.kind === 'stderr').slice(-MOST_LINES);
    const made = el('div', {class: 'failure'},
      el('p', {}, el('b', {}, named(name)), `: its controller “${controller}” ${text}.`),
      lines.length ? el('pre', {tabindex: '0', 'aria-label': 'Its last lines'}, lines.map((one) => one.text).join('\n')) : null,
      el('div', {class: 'failure-tools'},
        el('button', {type: 'button', class: 'main', onclick: () => live.ask('restart', {robot: number})}, 'Restart the controller'),
        this.source.hello.hasScene ? el('button', {type: 'button', title: 'Begin the run again, and pause 2 s before the failure', onclick: () => this.rewind(time)}, `Rewind ${REWIND_S} s`) : null,
        el('button', {type: 'button', class: 'quiet', onclick: () => made.remove()}, 'Dismiss')));
    return made;
  }

  async rewind(time) {
    const view = await this.source.loadView();
    view.request('branch', {moment: Math.max(0, time - REWIND_S)}, (problem) => view.building.say(problem));
  }
}
