// A button with a menu below it: closes by Escape, or by a click elsewhere.
import {el} from '../js/dom.js';

export function menu(label, title, ...content) {
  const panel = el('div', {class: 'menu-panel', role: 'group', 'aria-label': title}, ...content);
  const made = el('details', {class: 'menu'}, el('summary', {class: 'button', title}, label), panel);
  addEventListener('pointerdown', (event) => {
    if (made.open && !made.contains(event.target)) made.open = false;
  }, true);
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !made.open) return;
    made.open = false;
    made.querySelector('summary').focus();
    event.stopPropagation();
  });
  return made;
}

// A row with a box to tick.
export function choice(text, changed, attributes = {}) {
  const box = el('input', {type: 'checkbox', ...attributes});
  box.onchange = () => changed(box.checked);
  return el('label', {class: 'switch'}, box, el('span', {}, text));
}
