// A menu below a button, for mouse and keyboard.
import {el} from '../js/dom.js';

let open = null;

function close() {
  open?.remove();
  if (open?.isOfButton) open.owner.setAttribute('aria-expanded', 'false');
  open = null;
}

addEventListener('pointerdown', (event) => {
  if (open && !open.contains(event.target) && !open.owner.contains(event.target)) close();
});
addEventListener('resize', close);
addEventListener('blur', close);

// Shows a menu that belongs to an element, below a box of the page (by default the element's). entries: a list of
// [text, action], or null for a line between groups. Only one menu is open at a time.
export function popMenu(owner, entries, box = owner.getBoundingClientRect()) {
  close();
  const items = entries.map((one) => one && el('button', {type: 'button', role: 'menuitem', onclick: () => {
    close();
    owner.focus();
    one[1]();
  }}, one[0]));
  open = el('div', {class: 'pop-menu', role: 'menu', 'aria-label': owner.getAttribute('aria-label') ?? owner.textContent, 'data-local': true},
    ...items.map((one) => one ?? el('div', {role: 'separator'})));
  Object.assign(open, {owner, isOfButton: owner.hasAttribute('aria-expanded')});
  if (open.isOfButton) owner.setAttribute('aria-expanded', 'true');
  document.querySelector('main').append(open);
  place(box);
  open.onkeydown = (event) => step(event, items.filter(Boolean));
  open.querySelector('button')?.focus();
}

function place({left, right, bottom}) {
  const {offsetWidth: width, offsetHeight: height} = open;
  const x = left + width > innerWidth - 8 ? Math.max(8, right - width) : left;
  const y = Math.max(8, Math.min(bottom + 4, innerHeight - height - 8));
  Object.assign(open.style, {left: `${x}px`, top: `${y}px`});
}

function step(event, items) {
  const at = items.indexOf(document.activeElement);
  const next = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1}[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') {
    const {owner} = open;
    close();
    owner.focus();
  } else if (next !== undefined) items.at(next % items.length).focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// A button that shows a menu. entries(): what it offers now.
export function menuButton(label, content, entries) {
  const button = el('button', {type: 'button', class: 'quiet small', 'aria-label': label, title: label, 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'data-local': true}, content);
  button.onclick = () => (open?.owner === button ? close() : popMenu(button, entries()));
  return button;
}
