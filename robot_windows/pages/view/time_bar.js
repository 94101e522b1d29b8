// The past of a run: look at earlier moments, return to the present, or go on from there.
import {el, setText} from '../js/dom.js';

const SHORTEST_S = 1; // of a run that has a past

export class TimeBar {
  // view: a LiveView.
  constructor(view) {
    this.view = view;
    this.slider = el('input', {type: 'range', min: '0', step: 'any', 'aria-label': 'Moment of the run'});
    this.text = el('output', {class: 'dim'});
    this.branch = el('button', {type: 'button', title: 'The world and its controllers go on from here', onclick: () => this.goOn()}, 'Branch from here');
    this.now = el('button', {type: 'button', onclick: () => this.look(null)}, 'Now');
    this.note = el('output', {class: 'dim', 'aria-label': 'Last branch'});
    this.root = el('div', {class: 'time-bar', role: 'group', 'aria-label': 'Time line'}, this.slider, this.text, this.now, this.branch, this.note);
    this.slider.oninput = () => this.look(Number(this.slider.value));
    view.listen('timeLine', (line) => this.show(line));
  }

  show(line) {
    const {first, last, looking, target, note} = this.line = line;
    const isPast = looking != null;
    this.root.classList.toggle('is-past', isPast);
    this.slider.min = String(first);
    this.slider.max = String(last);
    this.slider.disabled = target != null || last - first < SHORTEST_S;
    if (document.activeElement !== this.slider || !isPast) this.slider.value = String(looking ?? last);
    this.slider.setAttribute('aria-valuetext', `${(looking ?? last).toFixed(1)} s`);
    setText(this.note, isPast ? '' : note);
    this.now.hidden = this.branch.hidden = !isPast;
    setText(this.text, target != null ? `going to ${target.toFixed(1)} s …` : isPast ? `${looking.toFixed(1)} s of ${last.toFixed(1)} s` : `${last.toFixed(1)} s`);
  }

  // One request at a time: a drag of the slider asks for more moments than the run can show.
  look(moment) {
    this.wanted = moment;
    if (this.isAsking) return;
    this.isAsking = true;
    this.view.request('look', {moment}, (problem) => {
      this.isAsking = false;
      if (problem) this.view.building.say(problem);
      else if (this.wanted !== moment) this.look(this.wanted);
    });
  }

  goOn() {
    this.view.request('branch', {moment: this.line.looking}, (problem) => this.view.building.say(problem));
  }
}
