// Changes of the world by hand: what the shelf offers, or models of this computer, are dropped into the view; copy,
// delete, group, undo and redo by buttons, keys and the menu.
import {Vector3} from '../vendor/three.js';
import {el} from '../js/dom.js';
import {SHELF} from '../js/dragged.js';
import {filesOf} from '../js/dropped_files.js';
import {popMenu} from '../workbench/menu.js';
import {Plane} from './plane.js';
import {sendFiles} from './sending.js';

const SAID_MS = 3000;

// Keys with Ctrl (or Command) as in most programs.
const KEYS = {z: 'undo', y: 'redo', c: 'remember', v: 'paste', d: 'copy', g: 'group'};
const WITH_SHIFT = {undo: 'redo', group: 'ungroup'};

export class Building {
  // view: a LiveView.
  constructor(view) {
    this.view = view;
    const button = (name, text, title, act) => el('button', {type: 'button', 'data-building': name, title, disabled: true, onclick: act}, text);
    this.buttons = {
      undo: button('undo', '↶', 'Undo', () => this.undo()),
      redo: button('redo', '↷', 'Redo', () => this.redo()),
      copy: button('copy', 'Copy', 'Copy what is selected (Ctrl+D)', () => this.copy()),
      remove: button('remove', 'Delete', 'Delete what is selected (Delete)', () => this.remove()),
    };
    for (const name of ['undo', 'redo']) this.buttons[name].setAttribute('aria-label', name === 'undo' ? 'Undo' : 'Redo');
    this.root = el('div', {class: 'segments building', role: 'group', 'aria-label': 'Change the world'}, ...Object.values(this.buttons));
    view.listen('history', (history) => this.show(history));
    view.listen('selected', (one) => this.select(one));
    view.stage.addEventListener('dragover', (event) => this.over(event));
    view.stage.addEventListener('drop', (event) => this.drop(event));
    addEventListener('keydown', (event) => this.key(event));
  }

  show({undo, redo}) {
    for (const [name, title, keys] of [['undo', undo, 'Ctrl+Z'], ['redo', redo, 'Ctrl+Shift+Z']]) {
      const button = this.buttons[name];
      button.disabled = !title;
      button.title = title ? `${button.getAttribute('aria-label')}: ${title} (${keys})` : `Nothing to ${name}`;
    }
  }

  select(one) {
    this.selected = one;
    this.node = one?.node ?? null;
    this.buttons.copy.disabled = this.buttons.remove.disabled = this.node == null;
  }

  undo() {
    this.ask('undo');
  }

  redo() {
    this.ask('redo');
  }

  copy() {
    if (this.node != null) this.ask('copy', {node: this.node});
  }

  remember() {
    this.remembered = this.node ?? this.remembered;
  }

  paste() {
    if (this.remembered != null) this.ask('copy', {node: this.remembered});
  }

  // A menu for what is at the pointer; without an event for what is selected.
  menu(event) {
    const {view} = this.view;
    const hit = event && view.pick(...view.orbit.pointOf(event));
    const isSelected = !event || view.allSelected().some((one) => view.isInside(hit?.node, one));
    if (hit && !isSelected) this.view.pick(event);
    const {left, top} = view.canvas.getBoundingClientRect();
    const {clientX: x = left + 20, clientY: y = top + 60} = event ?? {};
    popMenu(view.canvas, hit || (!event && this.node != null) ? this.entriesOfNode() : this.entriesOfWorld(), {left: x, right: x, bottom: y});
  }

  entriesOfNode() {
    const {view, dragging} = this.view;
    const {handles} = dragging;
    return [
      ['Copy beside it', () => this.copy()], ['Remember', () => this.remember()], ...this.pasteEntries(), ['Delete', () => this.remove()], ...this.groupEntries(), ...this.lockEntries(), null,
      ['Hide', () => this.hide()], ...this.hiddenEntries(), ['Come to it', () => view.approach()], ['Follow it', () => view.follow(this.selected?.carrier ?? null)], null,
      ['Move by handles', () => this.view.choose('move')],
      [handles.isLocal ? 'Axes of the world' : 'Its own axes', () => handles.turnAxes()],
    ];
  }

  // Nodes with the same parent become the children of one Group.
  groupEntries() {
    const group = this.selected?.group != null;
    const entries = [['Group (Ctrl+G)', () => this.group()]];
    return group ? [...entries, ['Ungroup (Ctrl+Shift+G)', () => this.ungroup()], ['Select its whole group', () => this.ask('members', {node: this.node})]] : entries;
  }

  group() {
    if (this.node != null) this.ask('group', {node: this.node});
  }

  ungroup() {
    if (this.node != null) this.ask('ungroup', {node: this.node});
  }

  // The field `locked`: the mouse moves it no more. Models may lack it.
  lockEntries() {
    const {node, is_locked: isLocked} = this.selected ?? {};
    if (isLocked == null) return [];
    return [[isLocked ? 'Unlock' : 'Lock', () => this.ask('edit', {node, field: 'locked', item: -1, value: !isLocked})]];
  }

  // Only in this page; what is hidden is not selected.
  hide() {
    const {view} = this.view;
    view.hiding.hide(view.allSelected());
    this.view.ask('select', {node: 0, more: false});
  }

  hiddenEntries() {
    const {hiding} = this.view.view;
    return hiding.nodes.size ? [['Show what is hidden', () => hiding.showAll()]] : [];
  }

  pasteEntries() {
    return this.remembered == null ? [] : [['Paste', () => this.paste()]];
  }

  entriesOfWorld() {
    const names = ['undo', 'redo'].filter((name) => !this.buttons[name].disabled);
    const entries = [...names.map((name) => [this.buttons[name].title, () => this[name]()]), ...this.pasteEntries(), ...this.hiddenEntries()];
    return [...entries, ...(entries.length ? [null] : []), ['Show everything', () => this.view.view.approach()]];
  }

  remove() {
    if (this.node != null) this.ask('remove', {node: this.node});
  }

  // Adds something of the shelf where a point of the page shows the world; without one, in the middle of the view.
  add(model, at) {
    const {point, node} = this.placeAt(at);
    if (point) this.ask('add', {model, point, node});
  }

  // The same with a model of this computer; files: pairs of a name and a File.
  async bring(files, at) {
    const {point} = this.placeAt(at);
    if (!point) return;
    this.view.say('The files are sent …');
    const problem = await sendFiles(files, (name, values) => new Promise((resolve) => this.view.request(name, values, resolve)));
    this.view.say('');
    if (problem) this.say(problem);
    else this.ask('put', {point});
  }

  placeAt(at) {
    const {view} = this.view;
    if (!view) return {};
    const [x, y] = at ?? [view.canvas.clientWidth / 2, view.canvas.clientHeight / 2];
    const hit = view.pick(x, y);
    const ground = new Plane(view.orbit.up.clone(), new Vector3());
    const point = hit?.point ?? ground.meets(view.rayAt(x, y));
    if (!point) this.say('drop it on the ground or on a body');
    return {point: point?.toArray(), node: hit?.node ?? 0};
  }

  ask(name, values = {}) {
    this.view.request(name, values, (problem) => this.say(problem));
  }

  say(text) {
    if (!text) return;
    this.view.say(text);
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.view.say(''), SAID_MS);
  }

  over(event) {
    if (!event.dataTransfer.types.some((one) => one === SHELF || one === 'Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  }

  async drop(event) {
    const model = event.dataTransfer.getData(SHELF);
    const hasFiles = event.dataTransfer.types.includes('Files');
    if (!model && !hasFiles) return;
    event.preventDefault();
    const at = this.view.view?.orbit.pointOf(event);
    if (model) this.add(model, at);
    else this.bring(await filesOf(event.dataTransfer), at);
  }

  key(event) {
    const isElsewhere = event.target.matches?.('input:not([type="checkbox"]), select, textarea') || !this.view.root.isConnected;
    if (isElsewhere || event.defaultPrevented || event.altKey) return;
    if (event.key === '?') {
      this.view.keyList.open();
      return;
    }
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      this.menu();
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key.toLowerCase() === 'h' && !isCommand && this.view.view) {
      if (event.shiftKey) this.view.view.hiding.showAll();
      else this.hide();
    }
    if (event.key === 'c' && String(getSelection())) return; // text of the page is copied
    const name = isCommand ? KEYS[event.key.toLowerCase()] : event.key === 'Delete' ? 'remove' : null;
    if (!name) return;
    event.preventDefault();
    this[(event.shiftKey && WITH_SHIFT[name]) || name]();
  }
}
