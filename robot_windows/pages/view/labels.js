// Texts of supervisors over the view.
import {el} from '../js/dom.js';

export class Labels {
  constructor(element) {
    this.root = el('div', {class: 'labels'});
    element.append(this.root);
  }

  show(labels) {
    this.root.replaceChildren(...labels.map(({text, x, y, size, color}) => {
      const made = el('span', {}, text);
      Object.assign(made.style, {left: `${100 * x}%`, top: `${100 * y}%`, fontSize: `${100 * size}cqh`, color});
      return made;
    }));
  }
}
