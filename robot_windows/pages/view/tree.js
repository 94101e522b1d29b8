// The scene tree: nodes with their children, folded, with a search. Only visible rows exist in the page.
import {el, setText} from '../js/dom.js';

const MOST_ROWS = 2000; // shown at once

export class Tree {
  // chosen(number, more): called when a node is clicked; more: the others stay selected.
  constructor(chosen) {
    this.chosen = chosen;
    this.nodes = new Map(); // number -> {number, parent, field, type, def, name, isUse, children}
    this.open = new Set();
    this.selected = null;
    this.others = []; // that are selected, too
    this.search = el('input', {type: 'search', placeholder: 'Search nodes', 'aria-label': 'Search nodes', 'data-local': true});
    this.search.oninput = () => this.draw();
    this.count = el('span', {class: 'dim'});
    this.list = el('ul', {class: 'tree', role: 'tree', 'aria-label': 'Nodes', 'aria-multiselectable': 'true'});
    this.root = el('section', {class: 'tree-panel'}, el('header', {}, this.search, this.count), this.list);
    this.list.addEventListener('keydown', (event) => this.key(event));
  }

  // rows: see tree_rows in wbcore/windows/tree_view.py.
  show(rows) {
    this.nodes = new Map(rows.map(([id, parent, field, type, def, name, isUse]) => [id, {number: id, parent, field, type, def, name, isUse, children: []}]));
    this.top = [];
    for (const one of this.nodes.values()) (this.nodes.get(one.parent)?.children ?? this.top).push(one);
    setText(this.count, `${rows.length} nodes`);
    this.reveal(this.selected);
    this.draw();
  }

  label(number) {
    const one = this.nodes.get(number);
    return one ? [one.def && `DEF ${one.def}`, one.type, one.name && `“${one.name}”`].filter(Boolean).join(' ') : `node ${number}`;
  }

  select(number, others = []) {
    if (number === this.selected && others.join() === this.others.join()) return;
    Object.assign(this, {selected: number, others});
    this.reveal(number);
    this.draw();
    this.list.querySelector('[aria-selected="true"]')?.scrollIntoView({block: 'nearest'});
  }

  reveal(number) {
    for (let one = this.nodes.get(number); one && this.nodes.has(one.parent); one = this.nodes.get(one.parent)) this.open.add(one.parent);
  }

  visible() {
    const wanted = this.search.value.trim().toLowerCase();
    const found = [];
    if (wanted) {
      for (const one of this.nodes.values()) {
        if (found.length >= MOST_ROWS) break;
        if (`${one.type} ${one.def} ${one.name}`.toLowerCase().includes(wanted)) found.push([one, 0]);
      }
      return found;
    }
    const stack = [...(this.top ?? [])].reverse().map((one) => [one, 0]);
    while (stack.length && found.length < MOST_ROWS) {
      const [one, depth] = stack.pop();
      found.push([one, depth]);
      if (this.open.has(one.number)) for (const child of [...one.children].reverse()) stack.push([child, depth + 1]);
    }
    return found;
  }

  draw() {
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...this.visible().map(([one, depth], i) => this.row(one, depth, i)));
    if (hadFocus) (this.list.querySelector('[aria-selected="true"]') ?? this.list.firstChild)?.focus();
  }

  row(one, depth, i) {
    const isOpen = this.open.has(one.number);
    const isSelected = one.number === this.selected || this.others.includes(one.number);
    const mark = el('span', {class: 'fold', 'aria-hidden': 'true', onclick: (event) => this.fold(event, one.number)}, one.children.length ? (isOpen ? '▾' : '▸') : '');
    const title = one.def ? el('b', {}, one.def) : one.name ? el('b', {}, one.name) : null;
    const made = el('li', {
      role: 'treeitem', tabindex: isSelected || (this.selected == null && i === 0) ? '0' : '-1', 'aria-level': depth + 1, 'aria-selected': String(isSelected),
      'data-node': one.number, style: `--depth: ${depth}`, onclick: (event) => this.chosen(one.number, event.ctrlKey || event.metaKey), ondblclick: (event) => this.fold(event, one.number),
    }, mark, title, title ? ' ' : null, el('span', {class: title ? 'dim' : ''}, one.isUse ? `USE ${one.type}` : one.type));
    if (one.children.length) made.setAttribute('aria-expanded', String(isOpen));
    return made;
  }

  fold(event, number) {
    event.stopPropagation();
    if (!this.open.delete(number)) this.open.add(number);
    this.draw();
  }

  key(event) {
    const row = event.target.closest('[data-node]');
    if (!row) return;
    const id = Number(row.dataset.node);
    const one = this.nodes.get(id);
    const go = (element) => element && (element.tabIndex = 0, element.focus());
    if (event.key === 'ArrowDown') go(row.nextElementSibling);
    else if (event.key === 'ArrowUp') go(row.previousElementSibling);
    else if (event.key === 'Enter' || event.key === ' ') this.chosen(id, event.ctrlKey || event.metaKey);
    else if (event.key === 'ArrowRight' && one.children.length && !this.open.has(id)) this.refocus(() => this.open.add(id), id);
    else if (event.key === 'ArrowLeft' && this.open.has(id)) this.refocus(() => this.open.delete(id), id);
    else if (event.key === 'ArrowLeft') go(this.list.querySelector(`[data-node="${one.parent}"]`));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  refocus(change, number) {
    change();
    this.draw();
    this.list.querySelector(`[data-node="${number}"]`)?.focus();
  }
}
