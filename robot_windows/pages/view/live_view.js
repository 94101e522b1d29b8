// The 3D view of a running simulation with its tools, for any page: it takes what the server sends, and draws when told.
import {el, named, saveFile, setText} from '../js/dom.js';
import {Keys} from '../js/keys.js';
import {live} from '../js/live.js';
import {sceneFile} from '../js/socket.js';
import {Between} from './between.js';
import {Building} from './building.js';
import {Dragging} from './dragging.js';
import {KINDS as FOLLOW_KINDS} from './following.js';
import {KeyList} from './key_list.js';
import {choice, menu} from './menu.js';
import {ModelPictures} from './model_pictures.js';
import {VIEWS} from './standard_views.js';
import {TimeBar} from './time_bar.js';
import {emptyView} from './view.js';

// Optional drawings, as the run makes them, with their names in the menu.
const DRAWINGS = {
  bounds: 'Bounding objects', axes: 'Joint axes', contacts: 'Contact points', forces: 'Contact forces', masses: 'Centers of mass',
  inertia: 'Boxes of equal inertia', frames: 'Coordinate systems',
  rays: 'Sensor rays', lidar: 'Lidar points', cameras: 'Camera views', tracks: 'GPS tracks',
};
const OF_RUN = ['selected', 'fields', 'results', 'saves', 'tree', 'pulls', 'history', 'shelf', 'timeLine', 'code', 'debugger']; // messages that are not about the picture
const CLOSE = 1e-3; // m in front of a point
const RETRY_MS = 1000; // until a scene that could not be shown is tried again
const TOOLS = {look: ['Look', 'Drag to turn the view'], pull: ['Pull', 'Drag an object to pull it with a force (or hold Alt)'], move: ['Move', 'Drag an object or its handles to move it (or hold Shift)']};

export class LiveView {
  // hello: the introduction of the server. The element `root` needs a place in the page.
  constructor(hello) {
    this.title = hello.title;
    this.between = new Between();
    this.messages = new Map(); // the newest message of each key
    this.files = new Map(); // name -> content, now or later
    this.listeners = new Map(); // key -> called with messages that are not about the picture
    this.stage = el('div', {class: 'stage'});
    this.waiting = new Map(); // id of a request -> called with its problem
    this.lastId = Math.floor(Math.random() * 2 ** 30);
    this.hint = el('div', {class: 'view-hint', hidden: true, role: 'status'});
    this.modelPictures = new ModelPictures((name, values, done) => this.request(name, values, done));
    this.keyList = new KeyList();
    this.building = new Building(this);
    this.tools = el('div', {class: 'view-tools', role: 'toolbar', 'aria-label': 'View', 'data-local': true}, ...this.makeTools(hello.robots));
    this.root = el('div', {class: 'live-view'}, this.stage, this.hint, this.tools, new TimeBar(this).root);
    this.stage.addEventListener('pointermove', (event) => this.placeHint(event));
    this.listen('selected', (node) => this.showSelected(node));
    this.listen('pulls', (pulls) => this.showPull(pulls));
    this.listen('results', (results) => this.takeResults(results));
  }

  ask(name, values = {}) {
    live.ask(name, values);
  }

  // Asks for a change; done(problem) is called with the reason why it was not possible, or ''.
  request(name, values, done) {
    this.lastId += 1;
    this.waiting.set(this.lastId, done);
    live.ask(name, {...values, id: this.lastId});
  }

  takeResults(results) {
    for (const {id, problem} of results) {
      this.waiting.get(id)?.(problem);
      this.waiting.delete(id);
    }
  }

  makeTools(robots) {
    this.follow = el('select', {id: 'follow', 'aria-label': 'Follow a robot'}, el('option', {value: ''}, 'Follow as the world says'), el('option', {value: '-'}, 'Follow nothing'),
      ...robots.map((one) => el('option', {value: `+${one.name}`}, `Follow ${named(one.name)}`)));
    this.followKind = el('select', {id: 'follow-kind', 'aria-label': 'How to follow'}, ...FOLLOW_KINDS.map((one) => el('option', {value: one}, one)));
    this.follow.onchange = this.followKind.onchange = () => this.followRobot();
    const reset = el('button', {type: 'button', id: 'viewpoint', title: 'Back to the Viewpoint of the world', onclick: () => this.view?.resetViewpoint()}, 'Viewpoint');
    const views = VIEWS.map((one) => el('button', {type: 'button', 'data-view': one, onclick: () => this.view?.look(one)}, one[0].toUpperCase() + one.slice(1)));
    const nearer = el('button', {type: 'button', id: 'nearer', title: 'Come to what is selected, or show everything', onclick: () => this.view?.approach()}, 'Fit');
    const picture = el('button', {type: 'button', id: 'screenshot', title: 'Save a picture of the view', onclick: () => this.savePicture()}, 'Picture');
    const tools = Object.entries(TOOLS).map(([key, [text, title]]) => el('button', {type: 'button', class: 'tool', 'data-tool': key, title, 'aria-pressed': String(key === 'look'), onclick: () => this.choose(key)}, text));
    this.toolButtons = tools;
    return [
      this.building.root,
      el('div', {class: 'segments', role: 'group', 'aria-label': 'What a drag does'}, ...tools),
      menu('View', 'Where to look from', el('div', {class: 'grid'}, ...views), el('div', {class: 'grid two'}, reset, nearer), el('p', {class: 'menu-title'}, 'Follow'), this.follow, this.followKind),
      menu('Show', 'Optional drawings', ...Object.entries(DRAWINGS).map(([key, text]) => choice(text, (on) => this.draws(key, on), {'data-drawing': key}))),
      picture,
      new Keys(live, 'Keyboard').element,
      this.keyList.button,
    ];
  }

  // Calls f with each message about what is not in the picture: selected, fields, results, saves, tree.
  listen(key, f) {
    this.listeners.set(key, [...(this.listeners.get(key) ?? []), f]);
    if (this.messages.has(key)) f(this.messages.get(key));
  }

  choose(tool) {
    this.dragging?.choose(tool);
    for (const one of this.toolButtons) one.setAttribute('aria-pressed', String(one.dataset.tool === tool));
    this.root.dataset.tool = tool;
  }

  // The run makes a drawing only while a page shows it.
  draws(kind, on) {
    const wanted = new Set(live.watched.drawings ?? []);
    if (on) wanted.add(kind);
    else wanted.delete(kind);
    live.watched.drawings = [...wanted];
    live.send(live.watched);
    if (on) return;
    for (const key of [`draw ${kind}`, ...(kind === 'cameras' ? ['draw pictures'] : [])]) this.messages.delete(key);
    this.isNew = true;
  }

  // The part `scene` of what the server sends.
  take(scene) {
    if (scene.number !== this.scene?.number) {
      this.messages = new Map();
      this.isNew = true;
      this.file(scene.file).catch(() => {}); // on its way while other things are done; `update` says what is wrong
    }
    const wanted = live.watched.drawings ?? [];
    for (const [key, message] of Object.entries(scene.messages)) {
      const [what, kind] = key.split(' ');
      if (what === 'draw' && kind !== 'plugin' && !wanted.includes(kind === 'pictures' ? 'cameras' : kind)) continue;
      this.messages.set(key, message);
      if (OF_RUN.includes(key)) for (const f of this.listeners.get(key) ?? []) f(message);
      else this.isNew = true;
    }
    this.scene = scene;
  }

  // Poses, as the server sends them.
  takePoses(data) {
    this.between.take(data);
  }

  file(name) {
    if (!this.files.has(name)) {
      this.files.set(name, sceneFile(name));
      this.files.get(name).catch(() => this.files.delete(name)); // it is asked for again
    }
    return this.files.get(name);
  }

  // Takes over another scene or new messages; what comes meanwhile waits for the next call.
  async update() {
    if (this.isBusy || !this.isNew) return;
    this.isBusy = true;
    this.isNew = false;
    try {
      await this.takeOver();
      this.problem?.remove();
    } catch (problem) {
      this.fail(problem);
      setTimeout(() => { this.isNew = true; }, RETRY_MS);
    } finally {
      this.isBusy = false;
    }
  }

  async takeOver() {
    const {number, file} = this.scene;
    const messages = new Map([...this.messages].filter(([key]) => !OF_RUN.includes(key)));
    if (number !== this.shown) {
      const description = JSON.parse(new TextDecoder().decode(await this.file(file)));
      if (this.view) await this.view.setScene(description, true);
      else await this.begin(description);
      this.shown = number;
      this.moving = description.moving;
      this.files.clear(); // textures and meshes are in use now
    }
    await this.view.setMessages(messages);
  }

  async begin(description) {
    this.empty ??= emptyView(this.stage, (name) => this.file(name));
    await this.empty.setScene(description);
    this.view = this.empty;
    this.dragging = new Dragging(this.view, (name, values) => live.ask(name, values), (text) => this.say(text));
    this.view.onClick = (event) => this.pick(event);
    this.view.onAsk = (event) => this.building.menu(event);
    this.showSelected(this.messages.get('selected'));
  }

  // A click selects what the run finds on its ray: the topmost solid, then parts of it.
  pick(event) {
    const {view} = this;
    const place = view.orbit.pointOf(event);
    const {origin, toward} = view.rayAt(...place);
    if (view.hiding.nodes.size) { // the run does not know what is hidden: its ray begins behind that
      const hit = view.pick(...place);
      if (!hit) return live.ask('select', {node: 0, more: false});
      origin.copy(hit.point).addScaledVector(toward, -CLOSE);
    }
    live.ask('pick', {origin: origin.toArray(), toward: toward.toArray(), part: event.altKey, more: event.ctrlKey || event.metaKey});
  }

  followRobot() {
    const {value} = this.follow;
    this.view?.follow(value === '' ? undefined : value === '-' ? null : this.bodyOf(value.slice(1)), this.followKind.value);
  }

  bodyOf(robot) {
    return this.view.world.description.robots?.[robot] ?? null;
  }

  async savePicture() {
    const picture = await this.view?.picture();
    if (picture) saveFile(`${this.title || 'world'}.png`, [picture], 'image/png');
  }

  // A text beside the pointer; '': none.
  say(text) {
    this.hint.hidden = !text;
    setText(this.hint, text);
  }

  placeHint(event) {
    const box = this.root.getBoundingClientRect();
    this.hint.style.left = `${event.clientX - box.left + 16}px`;
    this.hint.style.top = `${event.clientY - box.top - 28}px`;
  }

  showSelected(selected) {
    this.view?.select(selected?.node ?? null, selected?.others);
    this.dragging?.handles.show(selected);
    const {current} = this.dragging ?? {};
    if (current?.point && selected?.node === current.node && !selected.is_dynamic) this.dragging.refuse();
  }

  showPull(pulls) {
    const {current} = this.dragging ?? {};
    const own = current?.point && pulls.find((one) => one.node === current.node);
    if (own) this.say(`${own.size.toPrecision(3)} ${own.kind === 'force' ? 'N' : 'N m'}`);
  }

  // Draws what is new; call it once per refresh of the screen. now: time of the refresh (ms).
  draw(now) {
    if (this.isImpossible) return;
    try {
      this.empty ??= emptyView(this.stage, (name) => this.file(name));
    } catch (problem) {
      this.isImpossible = true; // a browser without WebGL
      this.fail(problem);
      return;
    }
    this.update();
    if (!this.view) return;
    const poses = this.between.at(now, this.shown);
    if (poses) this.view.setPoses(this.moving, poses);
    this.dragging.draw();
    this.view.render();
    if (this.shown && this.view.isDrawn) document.documentElement.dataset.ready = 'true'; // for programs that drive the page
  }

  // The last picture stays under the text.
  fail(problem) {
    const text = String(problem.message ?? problem);
    if (this.problem?.isConnected && this.problem.textContent === text) return; // said once
    this.problem?.remove();
    this.problem = el('p', {class: 'problem', role: 'alert'}, text);
    this.stage.append(this.problem);
  }
}
