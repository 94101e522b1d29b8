// The open port of a real robot, and the rules that stop it. The page owns the port: it stops the robot when the worker makes no step
// in time, and for good (until a person lets it go on) when the page is hidden or closed, when the cable is pulled or another tab takes over.
import {whyNotOpen} from './serial_ports.js';

const HIDDEN = 'This page was hidden or closed, so the robot has stopped.';
const PULLED = 'The connection is gone: look at the cable and at the robot\'s switch.';
const STANDS = 'the robot stands still until a person lets it go on';
const TRIES = 10;
const AGAIN_MS = 200; // another tab needs some time to close the port

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class RobotPort {
  // port: of the browser; toWorker(what, more): tells the worker; changed: called when `stopped` has changed; isRobot: false for a board
  // that is flashed or listened to, which goes on when the page is hidden.
  constructor(port, {toWorker, changed, isRobot = true}) {
    this.port = port;
    this.toWorker = toWorker;
    this.changed = changed;
    this.isOpen = this.wasOpen = false;
    this.halting = new Uint8Array(); // the bytes that stop the robot
    this.stopped = ''; // why the robot stands still until a person lets it go on
    this.isExpired = false; // no step was made in time: what is sent before the next step is dropped
    this.hidden = () => document.hidden && this.halt(HIDDEN);
    this.left = () => this.halt(HIDDEN);
    if (!isRobot) return;
    document.addEventListener('visibilitychange', this.hidden);
    addEventListener('pagehide', this.left);
    document.addEventListener('freeze', this.left);
  }

  // Opens the port; "" or why that is impossible. A port that is open already has another speed.
  async open(baudRate) {
    if (this.stopped) return STANDS;
    await this.close();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.port.open({baudRate});
        break;
      } catch (problem) {
        if (attempt < TRIES && !this.wasOpen) {
          await pause(AGAIN_MS);
          continue;
        }
        if (this.wasOpen) this.halt(PULLED);
        return whyNotOpen(problem);
      }
    }
    this.wasOpen = true;
    this.isOpen = true;
    this.writer = this.port.writable.getWriter();
    this.reading = this.read();
    return '';
  }

  async read() {
    while (this.isOpen && this.port.readable) {
      this.reader = this.port.readable.getReader();
      try {
        for (let part = await this.reader.read(); !part.done; part = await this.reader.read()) this.toWorker('bytes', {data: part.value});
        if (this.isOpen) this.lose();
      } catch {
        // a damaged byte ends the stream, and the port has a new one; a port that is gone has none
      } finally {
        this.reader.releaseLock();
      }
    }
    if (this.isOpen) this.lose();
  }

  lose() {
    this.isOpen = false;
    this.watch(0);
    this.toWorker('lost', {text: 'the port of the page is gone'});
    this.halt(PULLED);
  }

  // Sends bytes of the worker, unless the robot has to stand still.
  write(data) {
    if (this.isOpen && !this.stopped && !this.isExpired) this.send(data);
  }

  send(data) {
    this.writer.write(data).catch(() => this.isOpen && this.lose());
  }

  // The lines DTR and RTS; they reset many boards.
  signals(isOn) {
    this.port.setSignals({dataTerminalReady: isOn, requestToSend: isOn}).catch(() => {}); // ports of Bluetooth have none
  }

  guard(halting) {
    this.halting = halting;
  }

  // Expects the next step within a time; 0: none is expected.
  feed(ms) {
    this.isExpired = false;
    this.watch(ms);
  }

  watch(ms) {
    clearTimeout(this.timer);
    // Messages of the worker that wait behind a busy page come before the second timer.
    if (ms > 0) this.timer = setTimeout(() => { this.timer = setTimeout(() => this.expire(), 0); }, ms);
  }

  expire() {
    if (!this.isOpen || this.stopped) return;
    this.isExpired = true;
    if (this.halting.length) this.send(this.halting);
    this.toWorker('expired');
  }

  // Stops the robot until `resume`.
  halt(why) {
    if (this.stopped) return;
    this.stopped = why;
    if (this.isOpen && this.halting.length) this.send(this.halting);
    this.toWorker('halted');
    this.changed();
  }

  // A person lets the robot go on.
  resume() {
    this.stopped = '';
    this.toWorker('resumed');
    this.changed();
  }

  // Resolves when the port is closed, also if that has begun before: a port that is being closed cannot be opened.
  async close() {
    if (this.isOpen) this.closing = this.shut();
    await this.closing;
  }

  async shut() {
    this.isOpen = false;
    this.watch(0);
    try {
      await this.writer.close(); // what was written is sent first
      await this.reader.cancel();
      await this.reading;
      await this.port.close();
    } catch {
      // it is gone
    }
  }

  // Stops the robot and forgets the port.
  async end(why) {
    this.halt(why);
    document.removeEventListener('visibilitychange', this.hidden);
    removeEventListener('pagehide', this.left);
    document.removeEventListener('freeze', this.left);
    await this.close();
  }
}
