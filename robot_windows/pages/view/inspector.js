// The scene tree, and what is selected in it: names, motion, fields that can be changed while the world runs.
import {counted, el, named, number, setText} from '../js/dom.js';
import {live} from '../js/live.js';
import {sceneFile} from '../js/socket.js';
import {FieldRow} from './field_row.js';
import {Tree} from './tree.js';

const UNITS = {mass: 'kg', position: 'm', velocity: 'm/s', spin: 'rad/s'};

export class Inspector {
  // view: a LiveView. The element `root` needs a place in the page; it asks for the tree when it is first shown.
  constructor(view) {
    this.view = view;
    this.rows = new Map(); // name -> FieldRow
    this.tree = new Tree((node, more) => live.ask('select', {node, more}));
    this.title = el('h2', {}, 'Nothing selected');
    this.about = el('p', {class: 'dim'}, 'Click an object in the view, or a node of the tree.');
    this.facts = el('dl', {class: 'facts'});
    this.fields = el('div', {class: 'fields'});
    this.saving = this.makeSaving();
    this.root = el('aside', {class: 'inspector', 'aria-label': 'Scene tree'}, this.tree.root,
      el('section', {class: 'selection', tabindex: '0', 'aria-label': 'Selected node'}, el('header', {}, this.title), this.about, this.facts, this.fields), this.saving);
    view.listen('selected', (one) => this.showSelected(one));
    view.listen('fields', (fields) => this.showFields(fields));
    view.listen('saves', (on) => (this.saving.hidden = !on));
    view.listen('tree', ({file}) => this.loadTree(file));
    live.ask('tree');
  }

  async loadTree(file) {
    const bytes = await sceneFile(file).catch(() => null);
    if (bytes) this.tree.show(JSON.parse(new TextDecoder().decode(bytes))); // if not, a newer one is on its way
  }

  showSelected(one) {
    this.selected = one;
    this.tree.select(one?.node ?? null, one?.others);
    setText(this.title, one ? named(one.name || one.def_name || one.type) : 'Nothing selected');
    const more = one?.others.length ? `, and ${counted(one.others.length, 'other node')}` : '';
    setText(this.about, one ? one.path + more : 'Click an object in the view, or a node of the tree.');
    const facts = [];
    if (one) {
      facts.push(['type', one.type]);
      if (one.def_name) facts.push(['DEF', one.def_name]);
      if ('position' in one) {
        const whole = one.mass_below != null && Math.abs(one.mass_below - (one.mass ?? 0)) > 1e-9 ? ` (${number(one.mass_below)} kg with its parts)` : '';
        facts.push(['mass', one.mass == null ? `none: no Physics${whole}` : `${number(one.mass)} ${UNITS.mass}${whole}`]);
        for (const key of ['position', 'velocity', 'spin']) facts.push([key === 'spin' ? 'turning' : key, `${one[key].map(number).join('  ')} ${UNITS[key]}`]);
        if (one.asleep) facts.push(['state', 'at rest']);
      }
    }
    this.showFacts(facts);
  }

  // Keeps the elements, so that text can be selected while values change.
  showFacts(facts) {
    const names = facts.map(([name]) => name).join();
    if (names !== this.factNames) {
      this.factNames = names;
      this.facts.replaceChildren(...facts.flatMap(([name]) => [el('dt', {}, name), el('dd', {})]));
    }
    facts.forEach(([, text], i) => setText(this.facts.children[2 * i + 1], text));
  }

  showFields(fields) {
    const key = `${this.selected?.node} ${fields.map((one) => `${one.name}${one.count ?? ''}`).join()}`;
    if (key !== this.fieldKey) {
      this.fieldKey = key;
      const {node} = this.selected ?? {};
      this.rows = new Map(fields.map((one) => [one.name, new FieldRow(one, (item, value, done) => this.edit(node, one.name, item, value, done), (inner) => live.ask('select', {node: inner, more: false}), this.tree)]));
      this.fields.replaceChildren(...[...this.rows.values()].map((one) => one.root));
    }
    for (const one of fields) this.rows.get(one.name).show(one);
  }

  edit(node, field, item, value, done) {
    this.view.request('edit', {node, field, item, value}, done);
  }

  makeSaving() {
    const name = el('input', {type: 'text', 'aria-label': 'Name of the new world', placeholder: 'name.wbt', maxlength: 100});
    const replace = el('input', {type: 'checkbox'});
    const said = el('p', {class: 'dim', role: 'status'});
    const button = el('button', {type: 'submit'}, 'Save world');
    const form = el('form', {class: 'saving', hidden: true}, name, button, el('label', {class: 'switch dim'}, replace, 'replace an existing file'), said);
    form.onsubmit = (event) => {
      event.preventDefault();
      setText(said, '');
      this.view.request('save', {name: name.value.trim(), replace: replace.checked}, (problem) => setText(said, problem || `saved ${name.value.trim()}`));
    };
    return form;
  }
}
