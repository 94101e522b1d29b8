// The area with the panels: tabs, borders that can be moved, and panels that can be dragged elsewhere.
import {el} from '../js/dom.js';
import {icon} from './icons.js';
import {boxesOf, leafOf, leavesOf, moveBorder, panelsOf, withPanel, without} from './layout.js';
import {menuButton} from './menu.js';

const GAP = 6; // px between panels
const BAR = 32; // px
const NARROW = 640; // px; below, one panel is shown at a time
const DRAG = 6; // px after which a press on a tab moves the panel
const EDGE = 0.28; // share of a panel's size: a drop there is beside it
const KEY_STEP = 0.02; // share of the size for a press of an arrow key on a border
const SIDES = ['left', 'right', 'top', 'bottom'];

export class Dock {
  // make(id): a panel {title, root, tools, resize, close}; changed(): the layout is another one.
  constructor({make, changed}) {
    Object.assign(this, {make, changed});
    this.panels = new Map();
    this.bars = new Map(); // leaf -> its elements
    this.borders = [];
    this.element = el('div', {class: 'dock'});
    this.shadow = el('div', {class: 'drop', hidden: true});
    this.element.append(this.shadow);
    new ResizeObserver(() => this.refresh()).observe(this.element);
  }

  // Shows a tree of panels; see layout.js.
  open(tree) {
    this.tree = tree;
    this.refresh();
  }

  // Removes panels from the page; `open` makes those that are in its tree.
  clear(isOld = () => true) {
    for (const id of this.panels.keys()) if (isOld(id)) this.drop(id);
  }

  drop(id) {
    const {holder, panel} = this.panels.get(id);
    panel.close?.();
    holder.remove();
    this.panels.delete(id);
  }

  get isNarrow() {
    return this.element.clientWidth < NARROW;
  }

  has(id) {
    return panelsOf(this.tree).includes(id);
  }

  // Adds a panel, or brings it to the front. beside: another panel; side: `center` or a side of that panel.
  add(id, side = 'right', beside = null, share = undefined) {
    if (!this.has(id)) this.tree = withPanel(this.tree, id, beside ? leafOf(this.tree, beside) : null, side, share);
    this.activate(id);
  }

  remove(id) {
    const rest = without(this.tree, id);
    if (!rest) return;
    this.tree = rest;
    this.settle();
  }

  activate(id) {
    leafOf(this.tree, id).active = id;
    this.shown = id;
    if (id !== this.enlarged) this.enlarged = null;
    this.settle();
  }

  move(id, leaf, side) {
    if (this.enlarged || (leaf?.tabs.length === 1 && leaf.tabs[0] === id)) return;
    this.tree = withPanel(without(this.tree, id), id, leaf, side);
    this.shown = id;
    this.settle();
  }

  settle() {
    this.refresh();
    this.changed();
  }

  // True for panels that can be seen.
  isShown(id) {
    return this.panels.get(id)?.holder.hidden === false;
  }

  // Makes the elements agree with the tree.
  refresh() {
    if (!this.tree || !this.element.clientWidth) return;
    const wanted = panelsOf(this.tree);
    this.clear((id) => !wanted.includes(id));
    for (const id of wanted) if (!this.panels.has(id)) this.enter(id);
    const {clientWidth: width, clientHeight: height} = this.element;
    const isNarrow = this.isNarrow;
    this.element.classList.toggle('narrow', isNarrow);
    if (!wanted.includes(this.enlarged)) this.enlarged = null;
    const all = isNarrow ? this.single(wanted) : this.enlarged ? this.alone() : this.tree;
    const {leaves, borders} = boxesOf(all, {x: 0, y: 0, width, height}, GAP);
    this.showLeaves(leaves);
    this.showBorders(borders);
  }

  // All panels as tabs of one place.
  single(wanted) {
    if (!wanted.includes(this.shown)) this.shown = wanted.includes('view') ? 'view' : wanted[0];
    this.one ??= {};
    return Object.assign(this.one, {tabs: wanted, active: this.shown});
  }

  // One panel in the place of all.
  alone() {
    this.only ??= {};
    return Object.assign(this.only, {tabs: [this.enlarged], active: this.enlarged});
  }

  // Shows a panel in the place of all, or all again.
  enlarge(id) {
    this.enlarged = this.enlarged ? null : id;
    this.settle();
  }

  enter(id) {
    const panel = this.make(id);
    const holder = el('div', {class: 'panel', role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, hidden: true}, panel.root);
    this.panels.set(id, {panel, holder});
    this.element.append(holder);
  }

  showLeaves(leaves) {
    for (const [leaf, {bar}] of this.bars) if (!leaves.some((one) => one.leaf === leaf)) {
      bar.remove();
      this.bars.delete(leaf);
    }
    for (const {holder} of this.panels.values()) holder.hidden = true;
    for (const {leaf, x, y, width, height} of leaves) {
      if (!this.bars.has(leaf)) this.bars.set(leaf, this.makeBar(leaf));
      const parts = this.bars.get(leaf);
      const {holder, panel} = this.panels.get(leaf.active);
      const hadFocus = parts.tabs.contains(document.activeElement);
      this.fillBar(leaf, parts, panel);
      this.element.insertBefore(parts.bar, holder);
      if (hadFocus) parts.tabs.querySelector('[aria-selected="true"]').focus();
      Object.assign(parts, {box: {x, y, width, height}});
      put(parts.bar, x, y, width, BAR);
      put(holder, x, y + BAR, width, height - BAR);
      holder.hidden = false;
      panel.resize?.();
    }
  }

  makeBar(leaf) {
    const tabs = el('div', {class: 'tabs', role: 'tablist', 'aria-label': 'Panels'});
    const tools = el('div', {class: 'panel-tools'});
    const menu = menuButton('Panel', icon('more'), () => this.entries(leaf));
    return {bar: el('div', {class: 'bar', 'data-local': true}, tabs, tools, menu), tabs, tools};
  }

  fillBar(leaf, {bar, tabs, tools}, panel) {
    const text = JSON.stringify([leaf.tabs.map((id) => [id, this.panels.get(id).panel.title]), leaf.active]);
    if (bar.dataset.shown !== text) {
      bar.dataset.shown = text;
      tabs.replaceChildren(...leaf.tabs.map((id) => this.makeTab(leaf, id)));
    }
    if (panel.tools && tools.firstChild !== panel.tools) tools.replaceChildren(panel.tools);
    else if (!panel.tools) tools.replaceChildren();
  }

  makeTab(leaf, id) {
    const isActive = id === leaf.active;
    const tab = el('button', {type: 'button', role: 'tab', id: `tab-${id}`, class: 'tab', 'aria-selected': String(isActive), 'aria-controls': `panel-${id}`, tabindex: isActive ? 0 : -1},
      this.panels.get(id).panel.title);
    tab.onclick = () => this.activate(id);
    tab.ondblclick = () => !this.isNarrow && this.enlarge(id);
    tab.onkeydown = (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (step) this.activate(leaf.tabs.at((leaf.tabs.indexOf(id) + step) % leaf.tabs.length));
      else if (event.key === 'Delete') this.remove(id);
    };
    tab.onpointerdown = (event) => this.drag(event, tab, id);
    return tab;
  }

  entries(leaf) {
    const id = leaf.active;
    const others = leavesOf(this.tree).filter((one) => !one.tabs.includes(id));
    const moves = this.isNarrow ? [] : this.enlarged ? [['Show all panels', () => this.enlarge(id)], null] : [
      ['Enlarge', () => this.enlarge(id)], null, ...SIDES.map((side) => [`Move to the ${side}`, () => this.move(id, null, side)]), null,
      ...others.map((one) => [`Move to “${this.panels.get(one.active).panel.title}”`, () => this.move(id, one, 'center')]), others.length ? null : undefined,
    ].filter((one) => one !== undefined);
    return [...(this.panels.get(id).panel.entries?.() ?? []), ...moves, ['Close', () => this.remove(id)]];
  }

  // Dragging panels.

  drag(event, tab, id) {
    if (event.button !== 0 || this.isNarrow) return;
    const start = [event.clientX, event.clientY];
    let target = null;
    const move = (now) => {
      if (!target && Math.hypot(now.clientX - start[0], now.clientY - start[1]) < DRAG) return;
      if (!tab.hasPointerCapture(event.pointerId)) tab.setPointerCapture(event.pointerId);
      this.element.classList.add('moving');
      target = this.targetAt(now.clientX, now.clientY);
      this.shadow.hidden = false;
      put(this.shadow, target.x, target.y, target.width, target.height);
    };
    const end = (last) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      this.shadow.hidden = true;
      this.element.classList.remove('moving');
      if (target && last.type === 'pointerup') this.move(id, target.leaf, target.side);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  // Where a panel would go: leaf and side, and the rectangle that it would have.
  targetAt(clientX, clientY) {
    const {left, top, width, height} = this.element.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const rim = Math.min(x, y, width - x, height - y);
    if (rim < GAP * 2) return {leaf: null, ...half({x: 0, y: 0, width, height}, x, y, 0.25)};
    for (const [leaf, {box}] of this.bars) {
      if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) continue;
      const [u, v] = [(x - box.x) / box.width, (y - box.y) / box.height];
      const isInside = y < box.y + BAR || Math.min(u, v, 1 - u, 1 - v) > EDGE;
      return {leaf, ...(isInside ? {side: 'center', ...box} : half(box, x, y, 0.5))};
    }
    return {leaf: null, ...half({x: 0, y: 0, width, height}, x, y, 0.25)};
  }

  // Borders.

  showBorders(borders) {
    while (this.borders.length > borders.length) this.borders.pop().remove();
    borders.forEach((one, i) => {
      if (!this.borders[i]) {
        this.borders[i] = el('div', {class: 'border', role: 'separator', tabindex: 0, 'aria-label': 'Border between panels', 'data-local': true});
        this.element.append(this.borders[i]);
      }
      const border = this.borders[i];
      const isRow = one.split.axis === 'row';
      border.setAttribute('aria-orientation', isRow ? 'vertical' : 'horizontal');
      border.setAttribute('aria-valuenow', String(Math.round(100 * one.split.sizes[one.place])));
      put(border, one.x, one.y, one.width, one.height);
      border.onpointerdown = (event) => this.pull(event, border, one, isRow);
      border.onkeydown = (event) => {
        const step = (isRow ? {ArrowLeft: -1, ArrowRight: 1} : {ArrowUp: -1, ArrowDown: 1})[event.key];
        if (!step) return;
        event.preventDefault();
        moveBorder(one.split, one.place, step * KEY_STEP);
        this.settle();
      };
    });
  }

  pull(event, border, {split, place, whole}, isRow) {
    border.setPointerCapture(event.pointerId);
    let last = isRow ? event.clientX : event.clientY;
    border.onpointermove = (now) => {
      const next = isRow ? now.clientX : now.clientY;
      moveBorder(split, place, (next - last) / whole);
      last = next;
      this.refresh();
    };
    border.onpointerup = border.onpointercancel = () => {
      border.onpointermove = border.onpointerup = border.onpointercancel = null;
      this.changed();
    };
  }
}

function put(element, x, y, width, height) {
  Object.assign(element.style, {left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${Math.max(height, 0)}px`});
}

// The side of a box that a point is nearest to, and the share of the box at that side.
function half({x, y, width, height}, px, py, share) {
  const [u, v] = [(px - x) / width, (py - y) / height];
  const side = SIDES[[u, 1 - u, v, 1 - v].indexOf(Math.min(u, 1 - u, v, 1 - v))];
  const [w, h] = [width * share, height * share];
  return {side, ...{
    left: {x, y, width: w, height}, right: {x: x + width - w, y, width: w, height},
    top: {x, y, width, height: h}, bottom: {x, y: y + height - h, width, height: h},
  }[side]};
}
