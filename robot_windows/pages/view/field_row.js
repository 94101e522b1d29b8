// One field of the selected node: its name, its value as text that can be changed, and why it was refused.
import {el, setText} from '../js/dom.js';

const WIDTHS = {Vec2f: 2, Vec3f: 3, Color: 3, Rotation: 4};

export class FieldRow {
  // edit(item, value, done(problem)); choose(node): selects a node in the field; tree: names nodes.
  constructor(field, edit, choose, tree) {
    Object.assign(this, {edit, choose, tree});
    this.kind = field.type.slice(2);
    this.isList = field.type.startsWith('MF');
    this.isLocked = Boolean(field.locked);
    this.name = field.name;
    this.body = el('div', {class: 'field-value'});
    this.problem = el('p', {class: 'field-problem', role: 'alert', hidden: true});
    this.root = el('div', {class: 'field', 'data-field': field.name}, el('span', {class: 'field-name', title: field.locked ? `${field.type}, ${field.locked}` : field.type}, field.name), this.body, this.problem);
    this.inputs = [];
  }

  show(field) {
    this.root.classList.toggle('is-default', Boolean(field.is_default));
    if (this.kind === 'Node') return this.showNodes(field.value);
    const values = this.isList ? field.value : [field.value];
    if (this.inputs.length !== values.length || !this.isBuilt) this.build(values, field);
    values.forEach((value, i) => this.put(this.inputs[i], value));
    return undefined;
  }

  showNodes(numbers) {
    const key = numbers.map((one) => this.tree.label(one)).join();
    if (key === this.nodeKey) return;
    this.nodeKey = key;
    this.body.replaceChildren(...(numbers.length ? numbers.map((one) => el('button', {type: 'button', class: 'quiet', onclick: () => this.choose(one)}, this.tree.label(one))) : [el('span', {class: 'dim'}, this.isList ? 'empty' : 'NULL')]));
  }

  build(values, field) {
    this.isBuilt = true;
    this.inputs = values.map((_, i) => this.input(i));
    const rest = this.isList && field.count > values.length ? [el('span', {class: 'dim'}, `and ${field.count - values.length} more`)] : [];
    this.body.replaceChildren(...(values.length ? this.inputs : [el('span', {class: 'dim'}, 'empty')]), ...rest);
  }

  input(i) {
    const item = this.isList ? i : -1;
    const label = this.isList ? `${this.name} ${i}` : this.name;
    if (this.kind === 'Bool') {
      const box = el('input', {type: 'checkbox', 'aria-label': label, disabled: this.isLocked});
      box.onchange = () => this.send(item, box.checked);
      return box;
    }
    const made = el('input', {type: 'text', 'aria-label': label, spellcheck: 'false', disabled: this.isLocked, maxlength: 400});
    made.onchange = () => this.take(item, made.value);
    made.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') made.blur();
      if (event.key === 'Escape') {
        made.value = made.dataset.shown;
        made.blur();
      }
    };
    return made;
  }

  put(input, value) {
    if (document.activeElement === input && input.type === 'text') return;
    if (input.type === 'checkbox') input.checked = value;
    else input.value = input.dataset.shown = Array.isArray(value) ? value.join(' ') : String(value);
  }

  take(item, text) {
    const parts = text.trim().split(/[\s,]+/);
    const numbers = parts.map(Number);
    if (this.kind === 'String') return this.send(item, text);
    if (!text.trim() || numbers.some((one) => !Number.isFinite(one))) return this.fail('expected numbers');
    const width = WIDTHS[this.kind];
    if (width && numbers.length !== width) return this.fail(`expected ${width} numbers`);
    if (!width && numbers.length !== 1) return this.fail('expected one number');
    return this.send(item, width ? numbers : numbers[0]);
  }

  send(item, value) {
    this.fail('');
    this.edit(item, value, (problem) => this.fail(problem));
  }

  fail(problem) {
    this.problem.hidden = !problem;
    setText(this.problem, problem);
  }
}
