// The controls of the run, the state of the connection, and the log, shared by all pages.
import {el, setText} from './dom.js';

const SPEEDS = [[0.1, '0.1×'], [0.25, '0.25×'], [0.5, '0.5×'], [1, '1×'], [2, '2×'], [5, '5×'], [null, 'fastest']];
const WORDS = {connecting: 'connecting …', connected: 'live', lost: 'connection lost, reconnecting …', ended: 'run ended'};

export class RunBar {
  constructor(live, isReal = false) {
    this.isReal = isReal;
    this.status = el('span', {class: 'status', role: 'status', 'data-state': 'connecting'}, WORDS.connecting);
    this.time = el('output', {class: 'time'}, '–');
    this.factor = el('output', {class: 'dim', title: 'Simulated seconds per real second'});
    this.play = el('button', {type: 'button', class: 'main', id: 'play'}, 'Pause');
    this.step = el('button', {type: 'button', id: 'step'}, 'Step');
    this.reset = el('button', {type: 'button', id: 'reset'}, 'Reset');
    this.speed = el('select', {id: 'speed', 'aria-label': 'Speed'},
      ...SPEEDS.map(([value, text]) => el('option', {value: String(value)}, text)));
    this.speed.value = '1';
    const chosen = () => (this.speed.value === 'null' ? null : Number(this.speed.value));
    this.play.onclick = () => (this.mode === 0 ? live.ask('play', {speed: chosen()}) : live.ask('pause'));
    this.step.onclick = () => live.ask('step');
    this.reset.onclick = () => live.ask('reset');
    this.speed.onchange = () => live.ask('play', {speed: chosen()});
    // A real robot cannot be paused.
    this.time.title = isReal ? 'Time since the start' : 'Simulated time';
    const controls = isReal ? [] : [this.play, this.step, this.reset, this.speed];
    this.element = el('div', {class: 'run'}, ...controls, this.time, isReal ? null : this.factor, this.status);
  }

  // `reason`: why the run has ended.
  setStatus(state, reason = '') {
    this.state = state;
    this.reason = reason;
    this.showStatus();
  }

  showStatus() {
    const isSilent = this.isSilent && this.state === 'connected';
    const state = isSilent ? 'lost' : this.state;
    if (this.status.dataset.state !== state) this.status.dataset.state = state;
    document.body.classList.toggle('stale', state === 'lost');
    setText(this.status, isSilent ? 'the robot does not answer' : this.words());
  }

  // Also accepts a speed that is not in the list.
  setSpeed(speed) {
    const value = String(speed);
    if (![...this.speed.options].some((one) => one.value === value)) this.speed.append(el('option', {value}, `${speed}×`));
    this.speed.value = value;
  }

  words() {
    if (this.state === 'connected' && this.isReal) return 'real robot, live';
    if (this.state === 'ended' && this.reason) return `run ended: ${this.reason}`;
    return WORDS[this.state];
  }

  show(run) {
    setText(this.time, `${run.time.toFixed(2)} s`);
    this.isSilent = run.silent;
    this.showStatus();
    setText(this.factor, run.mode === 0 ? 'paused' : `${run.factor.toFixed(2)}×`);
    setText(this.play, run.mode === 0 ? 'Play' : 'Pause');
    if (this.mode !== run.mode || this.shown !== run.speed) {
      if (document.activeElement !== this.speed && run.mode !== 0) this.setSpeed(run.speed);
      this.mode = run.mode;
      this.shown = run.speed;
    }
  }
}

const MOST = 500;

export class Log {
  // Lines of several robots are shown with the robot's name; packets of emitters and receivers on request.
  constructor(title, wanted = () => true, isOfAll = true, hasPackets = false) {
    this.wanted = (line) => wanted(line) && this.takesPacket(line);
    this.packets = 0;
    this.packetBox = hasPackets ? el('input', {type: 'checkbox', id: 'packets'}) : null;
    this.packetText = el('span', {}, 'Packets');
    const packets = hasPackets ? el('label', {class: 'switch dim', 'data-local': true, title: 'Show packets of emitters and receivers'}, this.packetBox, this.packetText) : null;
    this.isOfAll = isOfAll;
    this.lines = el('ol', {class: 'log', tabindex: '0', 'aria-label': title});
    this.waiting = [];
    const clear = el('button', {type: 'button', class: 'quiet', 'data-local': true, onclick: () => this.lines.replaceChildren()}, 'Clear');
    this.element = el('section', {class: isOfAll ? 'card wide' : 'card beside'}, el('header', {}, el('h2', {}, title), packets, clear), this.lines);
  }

  // There can be hundreds of packets: they must not crowd out the output of controllers.
  takesPacket({kind}) {
    if (kind !== 'packet') return true;
    this.packets += 1;
    return Boolean(this.packetBox?.checked);
  }

  // `lost`: lines dropped since the last ones, because the page was too slow.
  add(lines, lost = 0) {
    if (lost) this.waiting.push({text: `${lost} lines dropped: the page could not keep up`, kind: 'warning'});
    this.waiting.push(...lines.filter(this.wanted));
    if (this.waiting.length > MOST) this.waiting.splice(0, this.waiting.length - MOST);
  }

  draw() {
    if (this.packets) setText(this.packetText, `Packets (${this.packets})`);
    if (!this.waiting.length) return;
    const list = this.lines;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
    for (const {text, kind, robot} of this.waiting.splice(0)) {
      const who = robot && this.isOfAll ? el('span', {class: 'dim'}, `${robot}  `) : null;
      list.append(el('li', {class: kind}, who, text));
    }
    while (list.childElementCount > MOST) list.firstChild.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  }
}
