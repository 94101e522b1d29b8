// The bar with which one moves through the time of a recording.
import {el, setText} from '../js/dom.js';
import {SPEEDS} from './player.js';

const STEPS = 10000; // of the slider

export function clock(seconds, digits = 2) {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = (seconds % 60).toFixed(digits).padStart(digits ? digits + 3 : 2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

function icon(path) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('aria-hidden', 'true');
  const drawn = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  drawn.setAttribute('d', path);
  made.append(drawn);
  return made;
}

const PLAY = 'M8 5.5v13l10.5-6.5z';
const PAUSE = 'M7 5.5h3.5v13H7zM13.5 5.5H17v13h-3.5z';

export class Timeline {
  constructor(player) {
    this.player = player;
    this.shape = icon(PLAY);
    this.button = el('button', {class: 'play', type: 'button', 'aria-label': 'Play', title: 'Play or pause (space)', onclick: () => player.toggle()}, this.shape);
    this.slider = el('input', {type: 'range', min: 0, max: STEPS, step: 1, value: 0, 'aria-label': 'Time'});
    this.slider.oninput = () => player.seek((this.slider.value / STEPS) * player.duration);
    this.slider.onkeydown = (event) => this.key(event);
    this.now = el('span', {class: 'now'});
    this.total = el('span', {class: 'dim'}, `/ ${clock(player.duration)}`);
    this.speed = el('select', {'aria-label': 'Speed', title: 'Speed', onchange: () => player.setSpeed(Number(this.speed.value))},
      ...SPEEDS.map((one) => el('option', {value: one, selected: one === 1}, `${one}×`)));
    this.root = el('div', {class: 'timeline', role: 'group', 'aria-label': 'Time line'}, this.button, el('span', {class: 'clock'}, this.now, this.total), this.slider, this.speed);
    player.addEventListener('change', () => this.show());
    document.addEventListener('keydown', (event) => {
      if (!event.target.closest('input, select, textarea, button')) this.key(event);
    });
    this.show();
  }

  key(event) {
    const second = 1 / this.player.frame;
    const actions = {
      ' ': () => this.player.toggle(),
      ArrowLeft: () => this.player.step(event.shiftKey ? -second : -1),
      ArrowRight: () => this.player.step(event.shiftKey ? second : 1),
      Home: () => this.player.seek(0),
      End: () => this.player.seek(this.player.duration),
    };
    if (!actions[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  show() {
    const {player} = this;
    const share = player.duration ? player.time / player.duration : 0;
    setText(this.now, clock(player.time));
    this.slider.value = Math.round(share * STEPS);
    this.slider.style.setProperty('--share', share);
    this.slider.setAttribute('aria-valuetext', `${clock(player.time)} of ${clock(player.duration)}`);
    if (this.wasPlaying !== player.isPlaying) {
      this.wasPlaying = player.isPlaying;
      this.shape.firstChild.setAttribute('d', player.isPlaying ? PAUSE : PLAY);
      this.button.setAttribute('aria-label', player.isPlaying ? 'Pause' : 'Play');
    }
    if (Number(this.speed.value) !== player.speed) this.speed.value = player.speed;
  }
}
