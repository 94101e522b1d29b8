// The page of a recording: the view, the time line, and plots below it.
import {el, themeButton} from '../js/dom.js';
import {Charts} from './charts.js';
import {Player} from './player.js';
import {Recording} from './recording.js';
import {makeView} from './scene.js';
import {Timeline} from './timeline.js';

const INTERRUPTED = {reason: 'The recording ends here: the run was interrupted.', status: 1};

function badge(end) {
  const {reason, status} = end ?? INTERRUPTED;
  return el('span', {class: 'result', 'data-good': status === 0}, reason);
}

function header(recording, restyle) {
  const {title, world} = recording.head;
  return el('header', {class: 'top'},
    el('div', {class: 'title'}, el('h1', {}, title), el('span', {class: 'dim'}, world)),
    el('div', {class: 'run'}, badge(recording.end)),
    el('div', {class: 'tools'}, themeButton(restyle)));
}

// Shows the state at the player's time: at once if it is in memory, otherwise as soon as it is.
class Screen {
  constructor(recording, player, view) {
    Object.assign(this, {recording, player, view, shown: null});
  }

  draw() {
    const {time} = this.player;
    if (time === this.shown) return;
    const state = this.recording.now(time);
    if (state) {
      this.shown = time;
      this.view.show(state);
    } else if (!this.isLoading) {
      this.isLoading = true;
      this.recording.at(time).finally(() => {
        this.isLoading = false;
      });
    }
  }
}

async function start() {
  const recording = await Recording.open(document);
  const player = new Player(recording.duration, recording.head.frame_s);
  const timeline = new Timeline(player);
  const stage = el('div', {class: 'stage'});
  const restyled = [];
  document.body.replaceChildren(header(recording, () => restyled.forEach((one) => one())), stage, timeline.root);
  const view = await makeView(stage, recording);
  const screen = new Screen(recording, player, view);
  const state = await recording.at(0);
  if (state) await view.show(state);
  const turn = (now) => {
    player.tick(now);
    if (player.isPlaying) timeline.show();
    screen.draw();
    view.render();
    if (player.isPlaying) charts?.mark();
    requestAnimationFrame(turn);
  };
  let charts = null;
  requestAnimationFrame(turn);
  if (recording.head.signals.length) {
    charts = new Charts(player, recording.head.signals, await recording.signals(), recording.head.plots ?? []);
    timeline.root.after(charts.root);
    restyled.push(() => charts.restyle());
  }
  document.documentElement.dataset.ready = 'true';
  window.recording = {recording, player, view, charts}; // for programs that drive the page
}

try {
  await start();
} catch (problem) {
  document.body.replaceChildren(el('p', {class: 'problem', role: 'alert'}, String(problem.message ?? problem)));
  throw problem;
}
