// The connection of this page's run to a real robot: from a person's click to the controller that drives it.
import {RobotPort} from './robot_port.js';
import {choosePort, lacking} from './serial_ports.js';

const LOCK = 'wbridge-robot'; // of the tab that has a robot
const BUSY = 'wbridge-writing'; // of the tab that writes to a board
const TAKEN = 'Another tab of this browser has taken the robot or board.';
const WRITES = 'Another tab of this browser writes to a board. Wait until it has ended, then try again.';
const NOT_FOUND = 'The robot was not found; the lines below say why. Choose its port, and what it speaks; the panel Wiring writes a program for this world to a board.';

export class RobotLink {
  // run: the run inside of this page; changed: called when `state` or `note` has changed.
  constructor(run, changed) {
    this.run = run;
    this.changed = changed;
    this.state = 'none'; // none, connecting, driving, stopped, board
    this.heard = () => {}; // takes what the worker says about a board
    this.note = lacking();
    this.isPossible = !this.note;
    this.port = null;
    this.opens = 0; // how often the worker has asked for the port
  }

  tell(state, note = '') {
    this.state = state;
    this.note = note;
    document.documentElement.dataset.robot = state; // a view that is drawn slowly steps back while a robot is driven
    this.changed();
  }

  // Lets a person choose a port, which is then this tab's; false if none was chosen.
  async choose(isRobot) {
    // A tab that took the port while another one writes would leave half a program on the board.
    if ((await navigator.locks.query()).held.some(({name}) => name === BUSY)) throw new Error(WRITES);
    const chosen = await choosePort();
    if (!chosen) {
      this.tell('none', 'No port was chosen. Is the robot or board plugged in, or paired?');
      return false;
    }
    await this.port?.end('');
    await this.hold();
    this.port = new RobotPort(chosen, {
      toWorker: (what, more) => this.run.worker?.postMessage({kind: 'port', what, ...more}),
      changed: () => this.show(),
      isRobot,
    });
    return true;
  }

  // robot: its number; plugin: what it speaks; baud: speed of its line, 0: the usual one.
  async connect(robot, plugin, baud) {
    try {
      if (!await this.choose(true)) return;
      this.tell('connecting', 'Looking for the robot …');
      await this.run.ask('connect', robot, plugin, baud);
    } catch (problem) {
      this.tell('none', problem.message);
    }
  }

  // Lets the worker use a board: what it does (see ANSWERS in worker.js), and the values for that; gives whether it was done.
  async use(what, ...values) {
    let isDone = false;
    try {
      if (!await this.choose(false)) return false;
      this.tell('board', 'Looking for the board …');
      const work = () => this.run.ask(what, ...values);
      const said = await (what === 'monitor' ? work() : navigator.locks.request(BUSY, work));
      if (this.port) this.tell('none', said); // otherwise a person reads already who has taken it
      isDone = true;
    } catch (problem) {
      this.tell('none', problem.message);
    }
    const port = this.port;
    this.port = null;
    this.release?.();
    await port?.close();
    return isDone;
  }

  // This tab alone has a robot: a tab that had one before stops it, and closes its port.
  hold() {
    return new Promise((resolve) => {
      const held = () => new Promise((release) => {
        this.release = release;
        resolve();
      });
      navigator.locks.request(LOCK, {steal: true}, held).catch(() => this.lose(TAKEN));
    });
  }

  // Another tab has taken the robot, or the worker has ended.
  async lose(why) {
    if (!this.port) return;
    const port = this.port;
    this.port = null;
    port.toWorker('lost', {text: why});
    this.run.ask('leave').catch(() => {}); // who listens to a board does not wait for it; a run that has ended hears nothing
    await port.end(why);
    this.tell('none', why);
  }

  // Messages of the worker's end (worker_port.js).
  async take({what, baud, data, ms, isOn}) {
    if (!this.port) {
      if (what === 'open') this.run.worker?.postMessage({kind: 'port', what: 'opened', text: 'this page has no port any more; connect it again'});
      return;
    }
    if (what === 'open') {
      this.opens += 1;
      const {port} = this;
      const why = await port.open(baud);
      port.toWorker('opened', {text: why});
      if (why && this.state === 'connecting') this.tell('none', `It was not possible to connect: ${why}.`);
    } else if (what === 'write') this.port.write(data);
    else if (what === 'guard') this.port.guard(data);
    else if (what === 'feed') this.port.feed(ms);
    else if (what === 'signals') this.port.signals(isOn);
    else if (what === 'close') {
      const {opens} = this;
      await this.port.close();
      if (opens !== this.opens) return; // it asks again: the device table was read, and now the robot is driven
      if (this.state === 'connecting') this.tell('none', NOT_FOUND);
      else if (this.state === 'driving') this.tell('none', 'The robot was lost; the controller goes on in simulation.');
    } else if (what === 'driving') this.show(true);
  }

  show(isDriving = this.state !== 'connecting') {
    if (this.state === 'board') return;
    if (this.port?.stopped) this.tell('stopped', this.port.stopped);
    else if (isDriving && this.port) this.tell('driving', 'The controller drives the robot.');
  }

  stop() {
    this.port?.halt('You have stopped the robot.');
  }

  resume() {
    this.port?.resume();
  }

  async disconnect() {
    const port = this.port;
    this.port = null;
    this.release?.();
    this.tell('none');
    await port?.end('The robot was disconnected.');
    await this.run.ask('disconnect');
  }
}
