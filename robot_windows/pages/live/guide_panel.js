// The way from a world to a real robot without leaving the page: what comes next, and what is done.
import {el} from '../js/dom.js';

const SEEN_S = 2; // simulated time after which a person has seen the robot move

// mark: what a panel reports when it is done (see `mark` in live/run.js); panel: where it is done.
const STEPS = [
  {mark: 'seen', title: 'Run the world', text: 'Press Play, and watch what the robot does.'},
  {mark: 'changed', panel: 'code', title: 'Change its program', text: 'Make it faster, or let it turn the other way. “Save and restart” starts it again.'},
  {mark: 'wired', panel: 'wiring', title: 'Wire a board', text: 'Choose your board: drivers and pins are proposed, and the wiring is drawn. You need no parts yet.'},
  {mark: 'written', panel: 'wiring', title: 'Write the program to the board', text: 'A board with MicroPython gets the same program that you have changed. Connect it by its cable, and choose its port.'},
  {mark: 'heard', panel: 'board', title: 'Listen to the board', text: '“Monitor” shows what the board prints, and why it was reset.'},
  {mark: 'driven', panel: 'robot', title: 'Drive the robot from here', text: 'With firmware that speaks the robot link, the page shows each sensor of the robot beside that of the simulation. The robot stops when you leave the page.'},
];

export class GuidePanel {
  // inside: the run inside of this page; open(panel): opens another panel.
  constructor(inside, open) {
    this.title = 'Guide';
    this.inside = inside;
    this.open = open;
    this.list = el('ol', {class: 'guide-steps'});
    this.again = el('button', {type: 'button', onclick: () => inside.unmark()}, 'Begin again');
    this.root = el('div', {class: 'guide-panel'}, el('p', {class: 'hint'}, 'From this world to a robot on your desk. Ticks appear by themselves.'), this.list, this.again);
    inside.marked = () => this.refresh();
    this.refresh();
  }

  refresh() {
    const {marks} = this.inside;
    const next = STEPS.find((one) => !marks.includes(one.mark));
    this.list.replaceChildren(...STEPS.map((one) => this.step(one, marks.includes(one.mark), one === next)));
  }

  step({mark, panel, title, text}, isDone, isNext) {
    const button = panel && el('button', {type: 'button', onclick: () => this.open(panel)}, 'Show');
    return el('li', {'data-mark': mark, 'data-state': isDone ? 'done' : isNext ? 'next' : 'later', 'aria-current': isNext ? 'step' : null},
      el('b', {}, title), el('span', {class: 'tick', role: 'img', 'aria-label': isDone ? 'done' : 'not done'}, isDone ? ' ✓' : ''), el('p', {}, text), button);
  }

  take({run}) {
    if (run?.time > SEEN_S) this.inside.mark('seen');
  }
}

export const panels = [{
  kind: 'guide', title: 'Guide', rank: 3, place: ['left', null, 0.3], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: () => new GuidePanel(globalThis.runInside, (panel) => globalThis.page.bench.open(panel)),
}];
