// The 3D view of a running simulation with its tools, for any page: it takes what the server sends, and draws when told.
import {el, named} from '../js/dom.js';
import {Between} from './between.js';
import {createView} from './view.js';

export class LiveView {
  // hello: the introduction of the server. The element `root` needs a place in the page.
  constructor(hello) {
    this.between = new Between();
    this.messages = new Map(); // the newest message of each key
    this.files = new Map(); // name -> content, now or later
    this.stage = el('div', {class: 'stage'});
    this.tools = el('div', {class: 'view-tools', role: 'toolbar', 'aria-label': 'View', 'data-local': true}, ...this.makeTools(hello.robots));
    this.root = el('div', {class: 'live-view'}, this.stage, this.tools);
  }

  makeTools(robots) {
    this.follow = el('select', {id: 'follow', 'aria-label': 'Follow a robot'}, el('option', {value: ''}, 'Follow as the world says'),
      ...robots.map((one) => el('option', {value: one.name}, `Follow ${named(one.name)}`)));
    this.follow.onchange = () => this.followRobot();
    const reset = el('button', {type: 'button', id: 'viewpoint', onclick: () => this.view?.resetViewpoint()}, 'Viewpoint');
    return [robots.length ? this.follow : null, reset].filter(Boolean);
  }

  // The part `scene` of what the server sends.
  take(scene) {
    if (scene.number !== this.scene?.number) {
      this.messages = new Map();
      this.isNew = true;
    }
    for (const [key, message] of Object.entries(scene.messages)) this.messages.set(key, message);
    this.isNew ||= Object.keys(scene.messages).length > 0;
    this.scene = scene;
  }

  // Poses, as the server sends them.
  takePoses(data) {
    this.between.take(data);
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

  // Draws what is new; call it once per refresh of the screen. now: time of the refresh (ms).
  draw(now) {
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
