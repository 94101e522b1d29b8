// A run inside of this page: its worker, and what the workbench has of it in place of a WebSocket.
import {startWorker} from './workers.js';

const PING_MS = 1000;
const STUCK_MS = 6000; // without an answer; slow machines take long for a step
const ENDED = 1001; // close code: the run has ended
const KEPT = 'wbridge-live-code:'; // start of the keys under which code is kept
const DONE = 'wbridge-live-done:'; // the same, of what a person has done
const WIRED = 'wbridge-live-wiring:'; // the same, of hardware maps
const OPEN = 1;
const CLOSED = 3;

class WorkerSocket {
  constructor(run) {
    this.run = run;
    this.readyState = 0;
  }

  // A worker that does not answer takes no messages: a reset ends it.
  send(text) {
    if (this.run.isStuck && JSON.parse(text).do === 'reset') this.run.restart();
    else this.run.worker?.postMessage({kind: 'text', data: text});
  }

  // Messages that came while the workbench was being loaded follow at once.
  open() {
    this.readyState = OPEN;
    this.onopen?.();
    for (const data of this.run.early.splice(0)) this.onmessage?.({data});
  }

  close(code = 1006, reason = '') {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.onclose?.({code, reason});
  }
}

export class Run {
  // wanted: what the worker is to start: {project: a zip archive} or {files: [name, bytes] pairs} or neither, {world}, and {key}, which names the project; on: {progress, failed, stuck, ended}.
  constructor(wanted, on) {
    this.wanted = wanted;
    this.on = on;
    this.watchers = new Set(); // what shows the connection to a real robot
    this.waiting = new Map(); // number of a question -> who waits for the answer
    this.begin();
  }

  begin() {
    this.isOver = false;
    this.isOpen = false;
    this.isStuck = false;
    this.early = []; // messages for a workbench that is not connected yet
    this.answered = performance.now();
    this.worker = startWorker('./worker.js');
    this.worker.onmessage = ({data}) => this.take(data);
    this.worker.onerror = (event) => this.fail(event.message || 'the worker could not be started');
    this.worker.postMessage({kind: 'start', ...this.wanted, changes: Object.entries(this.changes)}); // a copy: it may have to start again
    this.timer = setInterval(() => this.look(), PING_MS);
  }

  // Ends the worker at once, also in an endless loop.
  end() {
    clearInterval(this.timer);
    this.robot?.lose('The run has ended, so the robot has stopped.');
    this.worker?.terminate();
    this.worker = null;
    for (const {reject} of this.waiting.values()) reject(new Error('the run has ended'));
    this.waiting.clear();
  }

  restart(changes = {}) {
    this.end();
    Object.assign(this.wanted, changes);
    this.begin();
    this.socket?.close();
  }

  // The workbench connects; again after a restart.
  connect() {
    this.socket = new WorkerSocket(this);
    if (this.isOpen) queueMicrotask(() => this.socket.open());
    return this.socket;
  }

  // Asks the worker; see ANSWERS in worker.js.
  ask(what, ...values) {
    return new Promise((resolve, reject) => {
      if (!this.worker) {
        reject(new Error('the run has ended'));
        return;
      }
      const id = (this.asked = (this.asked ?? 0) + 1);
      this.waiting.set(id, {resolve, reject});
      this.worker.postMessage({kind: 'ask', id, what, values});
    });
  }

  async file(name) {
    try {
      return (await this.ask('scene', name)).buffer;
    } catch {
      throw new Error('a part of the scene is missing; reload this page');
    }
  }

  // The editor of the code panel; large, so that it is loaded when it is needed.
  editor() {
    return import('./editor.js');
  }

  // The connection to a real robot; changed: called when there is something new to show.
  async robotLink(changed) {
    const {RobotLink} = await import('./robot_link.js');
    this.robot ??= new RobotLink(this, () => this.watchers.forEach((one) => one()));
    this.watchers.add(changed);
    return this.robot;
  }

  // Compiles a project for a board; tell: takes what happens. See builder.js.
  async compiled(project, tell) {
    const {Builder} = await import('./builder.js');
    this.builder ??= new Builder();
    return this.builder.build(project, tell);
  }

  // Runs the controllers as they are now by the rubric of an exercise, in a worker of their own; resolves to its points.
  check() {
    return this.aside({check: true});
  }

  // Compares a program with the controllers as they are now: {map, program, steps}; resolves to JSON, see wbridge/live/verification.py.
  verify(wanted) {
    return this.aside({verify: wanted});
  }

  // Lets a worker of its own do something with the project.
  aside(options) {
    return new Promise((resolve, reject) => {
      const worker = startWorker('./worker.js');
      const end = (finish, value) => {
        worker.terminate();
        this.endCheck = null;
        finish(value);
      };
      this.endCheck = () => end(reject, new Error('The check was ended.'));
      worker.onmessage = ({data: {kind, text}}) => {
        if (kind === 'ended') end(resolve, text);
        else if (kind === 'failed') end(reject, new Error(text));
      };
      worker.onerror = (event) => end(reject, new Error(event.message || 'the worker could not be started'));
      worker.postMessage({kind: 'start', ...this.wanted, options, changes: Object.entries(this.changes)});
    });
  }

  // What a person has done of the guided way (workbench/guide_panel.js) stays in this browser, by project.
  get marks() {
    return this.known ??= JSON.parse(localStorage.getItem(`${DONE}${this.wanted.key}`) ?? '[]'); // boards report each line
  }

  mark(name) {
    if (!this.marks.includes(name)) this.remember([...this.marks, name]);
  }

  unmark() {
    this.remember([]);
  }

  remember(marks) {
    this.known = marks;
    localStorage.setItem(`${DONE}${this.wanted.key}`, JSON.stringify(marks));
    this.marked?.();
  }

  // The workbench is there: it shows what the address asks for, and the text of an exercise.
  async opened(bench, panels) {
    const panel = new URLSearchParams(location.search).get('panel');
    if (panels.some((one) => one.kind === panel)) bench.open(panel);
    const text = await this.ask('exercise').catch(() => true); // then the panel says what is wrong
    if (text) bench.open('exercise');
  }

  // Code that a person changed stays in this browser, by project.
  get changes() {
    return JSON.parse(localStorage.getItem(`${KEPT}${this.wanted.key}`) ?? '{}');
  }

  keep(name, text) {
    localStorage.setItem(`${KEPT}${this.wanted.key}`, JSON.stringify({...this.changes, [name]: text}));
    this.mark('changed');
  }

  // The hardware map of the form for wiring stays, too: {robot, board, text}.
  get keptMap() {
    return JSON.parse(localStorage.getItem(`${WIRED}${this.wanted.key}`));
  }

  keepMap(map) {
    localStorage.setItem(`${WIRED}${this.wanted.key}`, JSON.stringify(map));
  }

  keepNothing() {
    localStorage.removeItem(`${KEPT}${this.wanted.key}`);
  }

  take(message) {
    const {kind, text, data, id, trace, problem} = message;
    this.answered = performance.now();
    if (kind === 'open') {
      this.isOpen = true;
      this.on.open?.();
      this.socket?.open();
    } else if (kind === 'text' || kind === 'bytes') this.deliver(data);
    else if (kind === 'answer') {
      const {resolve, reject} = this.waiting.get(id);
      this.waiting.delete(id);
      if (problem === undefined) resolve(data);
      else reject(new Error(problem));
    } else if (kind === 'progress') this.on.progress?.(text);
    else if (kind === 'port') this.robot?.take(message);
    else if (kind === 'board') this.robot?.heard(JSON.parse(text));
    else if (kind === 'printed') console.info(text);
    else if (kind === 'failed') {
      console.error(trace);
      this.fail(text);
    }
    if (kind === 'ended') this.finish(text);
  }

  deliver(data) {
    if (this.socket?.readyState === OPEN) this.socket.onmessage?.({data});
    else this.early.push(data);
  }

  look() {
    this.worker?.postMessage({kind: 'ping'});
    const isStuck = this.isOpen && !this.isOver && performance.now() - this.answered > STUCK_MS && !document.hidden;
    if (isStuck !== this.isStuck) this.on.stuck?.((this.isStuck = isStuck));
  }

  fail(text) {
    this.isOver = true;
    this.robot?.lose('The run has failed, so the robot has stopped.');
    this.on.failed?.(text);
    this.socket?.close(ENDED, text);
  }

  finish(result) {
    this.isOver = true;
    this.result = result;
    this.on.ended?.(result);
  }
}
