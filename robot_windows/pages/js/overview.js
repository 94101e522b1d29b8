// The overview: the run, its robots, the world from above, and the log.
import {counted, el, named, setText, themeButton, windowAddress} from './dom.js';
import {live} from './live.js';
import {Log, RunBar} from './run.js';
import {TopView} from './topview.js';

class Overview {
  constructor() {
    live.start({
      hello: (hello) => this.build(hello),
      news: (news) => this.take(news),
      status: (state, reason) => this.bar?.setStatus(state, reason),
    });
  }

  build(hello) {
    document.title = hello.title || 'Overview';
    live.watch({places: true});
    this.bar = new RunBar(live, hello.isReal);
    this.bar.setStatus('connected');
    this.log = new Log('Output');
    const canvas = el('canvas', {class: 'top-view', tabindex: '0', role: 'img', 'aria-label': 'The world from above'});
    this.view = new TopView(canvas, hello.shape, hello.robots);
    this.labels = el('div');
    this.follow = el('select', {id: 'follow', 'data-local': true, 'aria-label': 'Follow a robot'}, el('option', {value: -1}, 'Follow no robot'),
      ...hello.robots.map((one, i) => el('option', {value: i}, `Follow ${named(one.name)}`)));
    this.follow.onchange = () => this.view.follow(Number(this.follow.value));
    this.view.onFollow = (i) => (this.follow.value = i);
    this.drivers = new Map();
    document.body.replaceChildren(
      el('header', {class: 'top'}, el('div', {class: 'title'}, el('h1', {}, hello.title)), this.bar.element,
        el('div', {class: 'tools'}, hello.hasScene ? el('a', {class: 'button', href: '/pages/view.html'}, '3D view') : null, themeButton(() => (this.view.isDirty = true)))),
      el('main', {},
        el('section', {class: 'card wide'}, el('header', {}, el('h2', {}, 'Robots')),
          el('div', {class: 'robots'}, ...hello.robots.map((one) => this.robot(one, hello.robots)), hello.robots.length ? null : 'This world has no robot.')),
        hello.isReal ? null : el('section', {class: 'card wide'}, el('header', {}, el('h2', {}, 'From above'), el('span', {class: 'dim'}, matchMedia('(pointer: coarse)').matches ? 'two fingers zoom' : 'drag to move, wheel or + and − to zoom, 0 for all'), hello.robots.length ? this.follow : null),
          el('div', {class: 'view'}, canvas, this.labels)),
        this.log.element));
    requestAnimationFrame(() => this.draw());
  }

  robot(one, all) {
    const {number, name, type, window: own, table} = one;
    const driver = el('span', {class: 'dim'});
    this.drivers.set(String(number), driver);
    const of = {class: 'button', 'aria-label': `Devices of ${named(name)}`};
    const links = [el('a', {...of, href: windowAddress('generic', one, all)}, 'Devices')];
    if (own) links.push(el('a', {class: 'button', href: windowAddress(own, one, all), 'aria-label': `Window “${own}” of ${named(name)}`}, `Window “${own}”`));
    return el('div', {class: 'robot'}, el('span', {class: 'who'}, el('b', {}, named(name)), ' ', el('span', {class: 'dim'}, `${type}, ${counted(table.devices.length, 'device')}`)), driver, ...links);
  }

  take(news) {
    if (news.lines && this.log) this.log.add(news.lines, news.lost);
    if (news.run) {
      if (this.run && news.run.time < this.run.time) this.view?.forget();
      this.run = news.run;
    }
    if (news.places && this.view) this.view.show(news.places);
  }

  draw() {
    requestAnimationFrame(() => this.draw());
    this.log.draw();
    if (!this.run) return;
    this.bar.show(this.run);
    this.view.draw();
    for (const [number, element] of this.drivers) setText(element, this.run.drivers[number] ? 'under manual control' : '');
    this.showLabels(this.run.labels);
  }

  // Labels that supervisors show in the view.
  showLabels(labels) {
    const text = JSON.stringify(labels);
    if (text === this.shownLabels) return;
    this.shownLabels = text;
    const height = this.view.canvas.clientHeight;
    this.labels.replaceChildren(...labels.map(([words, x, y, size, color]) => {
      const hex = (color & 0xffffff).toString(16).padStart(6, '0');
      const light = 0.3 * ((color >> 16) & 255) + 0.59 * ((color >> 8) & 255) + 0.11 * (color & 255);
      const style = `left: ${x * 100}%; top: ${y * 100}%; font-size: ${Math.max(10, size * height * 0.8)}px; color: #${hex}; opacity: ${1 - ((color >>> 24) & 255) / 255}; --halo: ${light < 110 ? '#fff' : '#000'}`;
      return el('span', {class: 'label', style}, words);
    }));
  }
}

window.page = new Overview();
