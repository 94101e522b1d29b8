// Panels with one thing each: the 3D view, the scene tree, a picture of a camera, a window of a robot.
import {el, named, setText, windowAddress} from '../js/dom.js';
import {PolarRanges, PolarTargets} from '../js/polar.js';

// The 3D view of a run. world(): the view, when it has been loaded.
export class LiveViewPanel {
  constructor(world) {
    this.title = '3D view';
    this.root = el('div', {class: 'view-panel'}, el('p', {class: 'hint'}, 'Loading the 3D view …'));
    shown(this, world, (view) => view.root);
  }

  wants() {
    return {scene: true};
  }

  draw(now) {
    this.view?.draw(now);
  }
}

// The scene tree with the fields of what is selected.
export class SceneTreePanel {
  constructor(world) {
    this.title = 'Scene tree';
    this.root = el('div', {class: 'view-panel'}, el('p', {class: 'hint'}, 'Loading the scene tree …'));
    shown(this, world, async (view) => new (await import('../view/inspector.js')).Inspector(view).root);
  }

  wants() {
    return {scene: true};
  }
}

// Shows in a panel what is made of the 3D view.
async function shown(panel, world, make) {
  try {
    const view = await world();
    panel.root.replaceChildren(await make(view));
    panel.view = view;
  } catch (problem) {
    panel.root.replaceChildren(el('p', {class: 'hint', role: 'alert'}, `This cannot be shown: ${problem.message ?? problem}`));
  }
}

// What a camera, range finder, lidar, radar or display shows.
export class PicturePanel {
  constructor(robot, device) {
    Object.assign(this, {robot, device, isRadar: device.type === 'Radar'});
    this.title = `${named(robot.name)} ${device.name}`;
    this.picture = el('img', {alt: `picture of ${device.name}`, hidden: true});
    this.hint = el('p', {class: 'hint'}, 'no picture yet');
    this.root = el('div', {class: 'picture-panel'}, this.picture, this.hint);
    if (device.type === 'Lidar') this.addLidar();
    if (this.isRadar) this.addPolar(PolarTargets, 'targets');
  }

  addPolar(Kind, what) {
    const canvas = el('canvas', {role: 'img', 'aria-label': `${what} of ${this.device.name} from above`, hidden: true});
    this.polar = new Kind(canvas, this.device.entry);
    this.root.prepend(canvas);
  }

  // A lidar is shown from above, or as the picture of its ranges.
  addLidar() {
    this.addPolar(PolarRanges, 'ranges');
    this.kind = el('select', {class: 'small', 'aria-label': `View of ${this.device.name}`, 'data-local': true}, el('option', {value: 'polar'}, 'From above'), el('option', {value: 'picture'}, 'Picture'));
    this.tools = el('div', {class: 'tools-row'}, this.kind);
  }

  wants() {
    return {robots: [this.robot.number]};
  }

  show(state, number) {
    if (number !== this.robot.number) return;
    this.newest = this.isRadar ? state.values[this.device.tag]?.targets : state.pictures[this.device.tag];
    this.isOn = this.device.type === 'Display' || state.periods[this.device.tag] !== undefined;
  }

  draw() {
    setText(this.hint, this.isOn === false ? 'The device is off: check its box in the list of devices.' : 'no picture yet');
    const isShown = Boolean(this.newest && this.isOn);
    const isPolar = Boolean(isShown && this.polar && this.kind?.value !== 'picture');
    this.picture.hidden = !isShown || isPolar;
    this.hint.hidden = isShown;
    if (this.polar) this.polar.canvas.hidden = !isPolar;
    if (isPolar) this.polar.show(this.newest);
    else if (isShown && this.picture.src !== this.newest) this.picture.src = this.newest;
  }
}

// A robot's own window, or the one with all cards.
export class WindowPanel {
  constructor(window, robot, robots) {
    this.title = window === 'generic' ? `Cards of ${named(robot.name)}` : `${named(robot.name)}: ${window}`;
    this.root = el('iframe', {class: 'window-panel', title: this.title, src: windowAddress(window, robot, robots)});
  }
}

const hasScene = ({hello}) => hello.hasScene;

export const panels = [
  {
    kind: 'view', title: '3D view', rank: 1, place: ['center', 'above'], isLasting: true,
    isPossible: hasScene,
    make: ({source}) => new LiveViewPanel(() => source.loadView()),
  },
  {
    kind: 'tree', title: 'Scene tree', rank: 2, place: ['right', null, 0.25], isLasting: true,
    isPossible: hasScene,
    make: ({source}) => new SceneTreePanel(() => source.loadView()),
  },
  {
    kind: 'picture', rank: 6,
    isPossible: (source, key) => Boolean(source.picture(key)),
    make: ({source, key}) => new PicturePanel(...source.picture(key)),
  },
  {
    kind: 'window', rank: 7, place: ['right', 'view', 0.45],
    entry: (robot) => (robot.window ? `Window “${robot.window}”` : null),
    make: ({source, robot}) => new WindowPanel(robot.window, robot, source.hello.robots),
  },
  {
    kind: 'cards', rank: 8, place: ['right', 'view', 0.45],
    entry: () => 'All as cards',
    make: ({source, robot}) => new WindowPanel('generic', robot, source.hello.robots),
  },
];
