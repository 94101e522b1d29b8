// The output of controllers and the messages of the simulator, with a search.
import {el, named} from '../js/dom.js';

const MOST = 1000; // lines that are kept
const NEAR_END = 30; // px

export class ConsolePanel {
  // robots: their names can be chosen. saved: what `state` gave; changed: called when it is another one.
  constructor({robots, saved, changed}) {
    this.title = 'Console';
    this.lines = el('ol', {class: 'log', tabindex: '0', 'aria-label': 'Console'});
    this.waiting = [];
    this.find = el('input', {type: 'search', class: 'small', placeholder: 'Find', 'aria-label': 'Find in the console'});
    this.find.oninput = () => this.filter();
    this.robot = el('select', {class: 'small', 'aria-label': 'Lines of', hidden: robots.length < 2}, el('option', {value: ''}, 'all robots'),
      ...[...new Set(robots.map((one) => one.name))].map((one) => el('option', {value: one}, named(one))));
    this.robot.onchange = () => this.filter();
    this.isOfAll = robots.length > 1;
    this.hasPackets = saved?.packets === true;
    this.hasTelemetry = saved?.telemetry === true;
    this.changed = changed;
    this.tools = el('div', {class: 'tools-row'}, this.robot, this.find);
    this.root = el('div', {class: 'console-panel'}, this.lines);
  }

  get state() {
    return {packets: this.hasPackets, telemetry: this.hasTelemetry};
  }

  // Of the panel's menu.
  entries() {
    const turn = (name) => () => {
      this[name] = !this[name];
      this.filter();
      this.changed();
    };
    return [
      [this.hasPackets ? 'Hide packets' : 'Show packets of emitters and receivers', turn('hasPackets')],
      [this.hasTelemetry ? 'Hide telemetry' : 'Show telemetry as lines', turn('hasTelemetry')],
      ['Clear', () => this.clear()], null,
    ];
  }

  // lines: {text, kind, robot, time}; lost: lines that were dropped before them.
  add(lines, lost = 0) {
    if (lost) this.waiting.push({text: `${lost} lines dropped: the page could not keep up`, kind: 'warning'});
    this.waiting.push(...lines);
    if (this.waiting.length > MOST) this.waiting.splice(0, this.waiting.length - MOST);
  }

  clear() {
    this.lines.replaceChildren();
    this.waiting.length = 0;
  }

  isWanted(line) {
    const {kind, robot} = line.dataset;
    if ((kind === 'packet' && !this.hasPackets) || (kind === 'telemetry' && !this.hasTelemetry)) return false;
    if (this.robot.value && robot && robot !== this.robot.value) return false;
    return line.textContent.toLowerCase().includes(this.find.value.trim().toLowerCase());
  }

  filter() {
    for (const one of this.lines.children) one.hidden = !this.isWanted(one);
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  draw() {
    if (!this.waiting.length) return;
    const list = this.lines;
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    for (const {text, kind, robot = '', time} of this.waiting.splice(0)) {
      const when = time == null ? null : el('span', {class: 'when'}, time.toFixed(2));
      const who = robot && this.isOfAll ? el('span', {class: 'dim'}, `${robot}  `) : null;
      const line = el('li', {class: kind, 'data-kind': kind, 'data-robot': robot}, when, who, text);
      line.hidden = !this.isWanted(line);
      list.append(line);
    }
    while (list.childElementCount > MOST) list.firstChild.remove();
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  }
}

export const panels = [{
  kind: 'console', title: 'Console', rank: 3, place: ['bottom', 'view', 0.25], isLasting: true,
  isPossible: () => true,
  make: ({source, saved, changed}) => source.console(saved, changed),
}];
