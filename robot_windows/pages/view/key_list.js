// What the mouse and the keys do in the view, as a dialog: the button “?”, or the key.
import {el} from '../js/dom.js';

const KEYS = [
  ['drag', 'turn the view; right button: move it'],
  ['wheel', 'come nearer'],
  ['click', 'select; again, or with Alt: a part'],
  ['Ctrl + click', 'select more or less'],
  ['Alt + drag', 'pull with a force; right button: a torque'],
  ['Shift + drag', 'move; right button: turn; wheel: lift'],
  ['Shift + Ctrl + drag', 'move in steps of 5 cm, turn in steps of 15 degrees'],
  ['X, Y, Z', 'with Move: along an axis; type m, Enter'],
  ['Shift + X, Y, Z', 'turn (degrees)'],
  ['S', 'scale by a factor'],
  ['L', 'axes of the object, or of the world'],
  ['Ctrl + Z', 'undo'],
  ['Ctrl + Shift + Z, Ctrl + Y', 'redo'],
  ['right click, Shift + F10', 'a menu'],
  ['Ctrl + D', 'copy what is selected'],
  ['Ctrl + C, Ctrl + V', 'paste a copy'],
  ['Ctrl + G, Ctrl + Shift + G', 'group what is selected, ungroup'],
  ['Delete', 'delete what is selected'],
  ['H, Shift + H', 'hide in this page, show again'],
  ['?', 'this list'],
];

export class KeyList {
  constructor() {
    const close = el('button', {type: 'button', class: 'main', onclick: () => this.dialog.close()}, 'Close');
    const rows = KEYS.map(([keys, text]) => el('tr', {}, el('th', {scope: 'row'}, keys), el('td', {}, text)));
    this.dialog = el('dialog', {class: 'key-list', 'aria-label': 'Mouse and keys'}, el('h2', {}, 'Mouse and keys'), el('table', {}, el('tbody', {}, ...rows)), close);
    this.button = el('button', {type: 'button', title: 'Mouse and keys (?)', 'aria-label': 'Mouse and keys', onclick: () => this.open()}, '?');
  }

  open() {
    if (!this.dialog.isConnected) document.body.append(this.dialog);
    this.dialog.showModal();
  }
}
