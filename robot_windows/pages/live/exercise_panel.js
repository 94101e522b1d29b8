// An exercise, for a run inside of this page: what to do, and points for what the controllers do. The file is the same as that of
// `wbridge grade`: rubric.toml in the project.
import {counted, el, setText, short} from '../js/dom.js';

export class ExercisePanel {
  // inside: the run inside of this page.
  constructor(inside) {
    this.title = 'Exercise';
    this.inside = inside;
    this.text = el('div', {class: 'exercise-text'});
    this.check = el('button', {type: 'button', class: 'main', id: 'check-exercise', onclick: () => this.begin()}, 'Check');
    this.end = el('button', {type: 'button', id: 'end-check', hidden: true, onclick: () => this.inside.endCheck?.()}, 'End the check');
    this.note = el('p', {class: 'hint', role: 'status'}, 'Loading …');
    this.results = new Map(); // name of a criterion -> its line
    this.root = el('div', {class: 'exercise-panel'}, this.text, el('div', {class: 'tools-row'}, this.check, this.end), this.note);
    this.open();
  }

  async open() {
    this.check.hidden = true;
    try {
      const answer = await this.inside.ask('exercise');
      if (answer) this.describe(JSON.parse(answer));
      else setText(this.note, 'This project is no exercise: it has no file rubric.toml.');
    } catch (problem) {
      setText(this.note, problem.message ?? String(problem));
    }
  }

  describe({text, steps, criteria, points}) {
    const parts = [...steps, {name: '', text: ''}].map((step) => [step, criteria.filter((one) => one.step === step.name)]).filter(([{name}, own]) => name || own.length);
    this.text.replaceChildren(el('p', {}, text), ...parts.map(([step, own]) => el('section', {}, step.name && el('h3', {}, step.name), step.text && el('p', {}, step.text), el('ul', {}, ...own.map((one) => this.criterion(one))))));
    this.check.hidden = false;
    setText(this.note, `${counted(points, 'point')} in all. Save your program in the panel Code, then check it.`);
  }

  criterion({name, text, points}) {
    const count = el('b', {class: 'points'}, `– of ${short(points)}`);
    const why = el('small', {class: 'why'});
    const line = el('li', {'data-criterion': name, 'data-state': 'open', title: text}, count, ` ${name}`, why);
    this.results.set(name, {line, count, why});
    return line;
  }

  async begin() {
    this.check.disabled = true;
    this.end.hidden = false;
    setText(this.note, 'The controllers run by the rubric …');
    try {
      this.showPoints(JSON.parse(await this.inside.check()));
    } catch (problem) {
      setText(this.note, problem.message ?? String(problem));
    }
    this.check.disabled = false;
    this.end.hidden = true;
  }

  showPoints({points, of, results}) {
    for (const one of results) {
      const {line, count, why} = this.results.get(one.name);
      line.dataset.state = one.points === one.of ? 'met' : one.points ? 'part' : 'missed';
      setText(count, `${short(one.points)} of ${short(one.of)}`);
      setText(why, one.notes.join('; '));
    }
    setText(this.note, points === of ? `All ${counted(of, 'point')}: done.` : `${short(points)} of ${counted(of, 'point')}.`);
  }
}

export const panels = [{
  kind: 'exercise', title: 'Exercise', rank: 4, place: ['left', null, 0.35], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: () => new ExercisePanel(globalThis.runInside),
}];
