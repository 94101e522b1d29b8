// The page with the 3D view of a running simulation: controls of the run above, the world below.
import {el, named, themeButton} from '../js/dom.js';
import {live} from '../js/live.js';
import {RunBar} from '../js/run.js';
import {Between} from './between.js';
import {createView} from './view.js';

class Page {
  constructor() {
    this.between = new Between();
    this.messages = new Map(); // the newest message of each key
    this.files = new Map(); // name -> content, now or later
    live.start({
      hello: (hello) => this.build(hello),
      news: (news) => this.take(news),
      poses: (data) => this.between.take(data),
      status: (state, reason) => this.bar?.setStatus(state, reason),
    });
  }

  build(hello) {
    document.title = hello.title || '3D view';
    this.bar = new RunBar(live, hello.isReal);
    this.bar.setStatus('connected');
    this.stage = el('div', {class: 'stage'});
    this.follow = el('select', {id: 'follow', 'data-local': true, 'aria-label': 'Follow a robot'}, el('option', {value: ''}, 'Follow as the world says'),
      ...hello.robots.map((one) => el('option', {value: one.name}, `Follow ${named(one.name)}`)));
    this.follow.onchange = () => this.followRobot();
    const reset = el('button', {type: 'button', id: 'viewpoint', 'data-local': true, onclick: () => this.view?.resetViewpoint()}, 'Viewpoint');
    const content = hello.hasScene ? this.stage : el('p', {class: 'problem', role: 'alert'}, 'There is no 3D view of a real robot.');
    document.body.replaceChildren(
      el('header', {class: 'top'}, el('div', {class: 'title'}, el('h1', {}, hello.title)), this.bar.element,
        el('div', {class: 'tools'}, hello.robots.length ? this.follow : null, reset, el('a', {class: 'button', href: '/'}, 'Devices'), themeButton())),
      content);
    if (!hello.hasScene) return;
    live.watched.scene = true;
    live.watch(null, false);
    requestAnimationFrame((now) => this.draw(now));
  }

  take(news) {
    if (news.run) this.run = news.run;
    if (news.scene) this.scene = news.scene.number === this.scene?.number ? this.merged(news.scene) : this.begun(news.scene);
  }

  merged(scene) {
    for (const [key, message] of Object.entries(scene.messages)) this.messages.set(key, message);
    this.isNew ||= Object.keys(scene.messages).length > 0;
    return scene;
  }

  begun(scene) {
    this.messages = new Map();
    this.isNew = true;
    return this.merged(scene);
  }

  file(name) {
    if (!this.files.has(name)) {
      this.files.set(name, fetch(`/scene/${name}`).then((answer) => {
        if (!answer.ok) throw new Error(`a part of the scene is missing (${answer.status}); reload this page`);
        return answer.arrayBuffer();
      }));
    }
    return this.files.get(name);
  }

  // Takes over another scene or new messages; what comes meanwhile waits for the next call.
  async update() {
    if (this.isBusy || !this.isNew) return;
    this.isBusy = true;
    this.isNew = false;
    const {number, file} = this.scene;
    const messages = new Map(this.messages);
    if (number !== this.shown) {
      const description = JSON.parse(new TextDecoder().decode(await this.file(file)));
      if (this.view) await this.view.setScene(description, true);
      else this.view = await createView(this.stage, description, (name) => this.file(name));
      this.shown = number;
      this.moving = description.moving;
      this.files.clear(); // textures and meshes are in use now
    }
    await this.view.setMessages(messages);
    this.isBusy = false;
    document.documentElement.dataset.ready = 'true';
  }

  followRobot() {
    const robot = this.follow.value;
    this.view?.follow(robot ? this.bodyOf(robot) : null);
  }

  bodyOf(robot) {
    return this.view.world.description.robots?.[robot] ?? null;
  }

  draw(now) {
    requestAnimationFrame((next) => this.draw(next));
    if (this.run) this.bar.show(this.run);
    this.update().catch((problem) => this.fail(problem));
    if (!this.view) return;
    const poses = this.between.at(now, this.shown);
    if (poses) this.view.setPoses(this.moving, poses);
    this.view.render();
  }

  fail(problem) {
    this.stage.replaceChildren(el('p', {class: 'problem', role: 'alert'}, String(problem.message ?? problem)));
    throw problem;
  }
}

window.page = new Page();
