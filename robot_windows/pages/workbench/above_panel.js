// The world from above, with the labels of supervisors.
import {el, named} from '../js/dom.js';
import {TopView} from '../js/topview.js';

export class AbovePanel {
  // hello: what the server says of the world.
  constructor(hello) {
    this.title = 'From above';
    const help = 'The world from above: drag to move, wheel or + and − to zoom, 0 for all';
    this.canvas = el('canvas', {class: 'top-view', tabindex: '0', role: 'img', 'aria-label': help, title: help});
    this.view = new TopView(this.canvas, hello.shape, hello.robots);
    this.labels = el('div', {class: 'labels-above'});
    this.root = el('div', {class: 'above-panel'}, this.canvas, this.labels);
    this.tools = el('div', {class: 'tools-row'});
    if (!hello.robots.length) return;
    const follow = el('select', {class: 'small', 'aria-label': 'Follow a robot from above'}, el('option', {value: -1}, 'Follow no robot'),
      ...hello.robots.map((one, i) => el('option', {value: i}, `Follow ${named(one.name)}`)));
    follow.onchange = () => this.view.follow(Number(follow.value));
    this.view.onFollow = (i) => (follow.value = i);
    this.tools.append(follow);
  }

  wants() {
    return {places: true};
  }

  take(news, wasReset) {
    if (wasReset) this.view.forget();
    if (news.places) this.view.show(news.places);
    if (news.run) this.run = news.run;
  }

  restyle() {
    this.view.isDirty = true;
  }

  draw() {
    this.view.draw();
    if (this.run) this.showLabels(this.run.labels);
  }

  showLabels(labels) {
    const text = JSON.stringify(labels);
    if (text === this.shown) return;
    this.shown = text;
    const height = this.canvas.clientHeight;
    this.labels.replaceChildren(...labels.map(([words, x, y, size, color]) => {
      const hex = (color & 0xffffff).toString(16).padStart(6, '0');
      const light = 0.3 * ((color >> 16) & 255) + 0.59 * ((color >> 8) & 255) + 0.11 * (color & 255);
      const style = `left: ${x * 100}%; top: ${y * 100}%; font-size: ${Math.max(10, size * height * 0.8)}px; color: #${hex}; opacity: ${1 - ((color >>> 24) & 255) / 255}; --halo: ${light < 110 ? '#fff' : '#000'}`;
      return el('span', {class: 'label', style}, words);
    }));
  }
}

export const panels = [{
  kind: 'above', title: 'From above', rank: 4, place: ['center', 'view'],
  isPossible: ({hello}) => !hello.isReal,
  make: ({source}) => new AbovePanel(source.hello),
}];
