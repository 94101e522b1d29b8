// The keyboard of the page as the robot's Keyboard device.
import {el} from './dom.js';

const NAMES = {
  ArrowLeft: 'LEFT', ArrowUp: 'UP', ArrowRight: 'RIGHT', ArrowDown: 'DOWN',
  Home: 'HOME', End: 'END', PageUp: 'PAGEUP', PageDown: 'PAGEDOWN',
  Enter: 'ENTER', Tab: 'TAB', Backspace: 'BACKSPACE', Escape: 'ESCAPE', Insert: 'INSERT', Delete: 'DELETE',
};
const ON_PAD = ['LEFT', 'UP', 'RIGHT', 'DOWN', 'HOME', 'END']; // the keys of the numeric pad without Num Lock have codes of their own
const ZOOM = '+-0='; // with Ctrl they stay with the browser

// The name of a key for the server; null: controllers get no such key.
function nameOf({key, code, shiftKey}) {
  if (code === 'NumpadEnter') return 'NUMPAD_ENTER';
  if (key === 'Tab' && shiftKey) return 'BACKTAB';
  if (/^F([1-9]|1[0-2])$/.test(key)) return key;
  if (code.startsWith('Numpad') && ON_PAD.includes(NAMES[key])) return `NUMPAD_${NAMES[key]}`;
  return NAMES[key] ?? ([...key].length === 1 ? key : null);
}

export class Keys {
  constructor(live, text = 'Keyboard to robot') {
    this.live = live;
    this.down = new Map();
    this.box = el('input', {type: 'checkbox', id: 'keys'});
    this.box.onchange = () => {
      this.release();
      this.box.blur();
    };
    this.element = el('label', {class: 'switch', title: 'Keys pressed in this page go to the Keyboard device; Shift+Escape ends this'}, this.box, text);
    addEventListener('keydown', (event) => this.press(event));
    addEventListener('keyup', (event) => this.lift(event));
    addEventListener('blur', () => this.release());
  }

  press(event) {
    const isWriting = event.target.matches?.('input:not([type="checkbox"]), select, textarea');
    if (!this.box.checked || isWriting || event.metaKey || (event.ctrlKey && ZOOM.includes(event.key))) return;
    const key = nameOf(event);
    if (key === null) return;
    event.preventDefault(); // also of repetitions, which would scroll or leave the page
    if (event.repeat) return;
    if (key === 'ESCAPE' && event.shiftKey) {
      this.box.checked = false; // the way out for those who use no mouse
      this.release();
      this.box.focus();
      return;
    }
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
