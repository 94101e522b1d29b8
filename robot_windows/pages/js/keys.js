// The keyboard of the page as the robot's Keyboard device.
import {el} from './dom.js';

const NAMES = {
  ArrowLeft: 'LEFT', ArrowUp: 'UP', ArrowRight: 'RIGHT', ArrowDown: 'DOWN',
  Home: 'HOME', End: 'END', PageUp: 'PAGEUP', PageDown: 'PAGEDOWN',
};

export class Keys {
  constructor(live, text = 'Keyboard to robot') {
    this.live = live;
    this.down = new Map();
    this.box = el('input', {type: 'checkbox', id: 'keys'});
    this.box.onchange = () => {
      this.release();
      this.box.blur();
    };
    this.element = el('label', {class: 'switch', title: 'Keys pressed in this page go to the Keyboard device'}, this.box, text);
    addEventListener('keydown', (event) => this.press(event));
    addEventListener('keyup', (event) => this.lift(event));
    addEventListener('blur', () => this.release());
  }

  press(event) {
    const key = NAMES[event.key] ?? event.key;
    const isWriting = event.target.matches('input:not([type="checkbox"]), select, textarea');
    if (!this.box.checked || isWriting || event.repeat || !(event.key in NAMES || key.length === 1)) return;
    if (event.metaKey || (event.ctrlKey && 'rtwlfc+-0'.includes(key.toLowerCase()))) return; // browser shortcuts
    event.preventDefault();
    this.down.set(event.code, key);
    this.tell(key, true, event);
  }

  lift(event) {
    const key = this.down.get(event.code);
    if (key === undefined) return;
    this.down.delete(event.code);
    this.tell(key, false, event);
  }

  release() {
    this.down.clear();
    this.live.ask('release');
  }

  tell(key, down, event) {
    this.live.ask('key', {key, down, shift: event.shiftKey, control: event.ctrlKey, alt: event.altKey});
  }
}
