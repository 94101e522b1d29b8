// The page with the 3D view of a running simulation: controls of the run above, the world below, the scene tree beside it.
import {el, themeButton} from '../js/dom.js';
import {Keys} from '../js/keys.js';
import {live} from '../js/live.js';
import {RunBar} from '../js/run.js';
import {LiveView} from './live_view.js';

class Page {
  constructor() {
    live.start({
      hello: (hello) => this.build(hello),
      news: (news) => this.take(news),
      poses: (data) => this.world?.takePoses(data),
      status: (state, reason) => this.bar?.setStatus(state, reason),
    });
  }

  build(hello) {
    document.title = hello.title || '3D view';
    this.bar = new RunBar(live, hello.isReal);
    this.bar.setStatus('connected');
    this.world = hello.hasScene ? new LiveView(hello) : null;
    const content = this.world?.root ?? el('p', {class: 'problem', role: 'alert'}, 'There is no 3D view of a real robot.');
    this.panel = el('button', {type: 'button', id: 'panel', 'data-local': true, 'aria-expanded': 'false', onclick: () => this.showPanel(!this.inspector || this.inspector.root.hidden)}, 'Scene tree');
    this.main = el('div', {class: 'view-main', role: 'main'}, content);
    document.body.replaceChildren(
      el('header', {class: 'top'}, el('div', {class: 'title'}, el('h1', {}, hello.title)), this.bar.element,
        el('div', {class: 'tools'}, this.world ? new Keys(live).element : null, this.world ? this.panel : null, el('a', {class: 'button', href: '/'}, 'Devices'), themeButton())),
      this.main);
    if (!this.world) return;
    live.watch({scene: true});
    if (localStorage.getItem('tree') === 'shown' && innerWidth > 900) this.showPanel(true);
    requestAnimationFrame((now) => this.draw(now));
  }

  async showPanel(on) {
    if (on && !this.inspector) {
      const {Inspector} = await import('./inspector.js');
      this.inspector ??= new Inspector(this.world);
      this.main.append(this.inspector.root);
    }
    this.inspector.root.hidden = !on;
    this.panel.setAttribute('aria-expanded', String(on));
    localStorage.setItem('tree', on ? 'shown' : 'hidden');
  }

  take(news) {
    if (news.run) this.run = news.run;
    if (news.scene) this.world?.take(news.scene);
  }

  draw(now) {
    requestAnimationFrame((next) => this.draw(next));
    if (this.run) this.bar.show(this.run);
    this.world.draw(now);
  }
}

window.page = new Page();
