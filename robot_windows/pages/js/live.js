// The connection to the simulation: connects when this file is loaded, reconnects, and restores
// subscriptions.
import {Driving} from './driving.js';
import {openSocket} from './socket.js';

const ENDED = 1001; // close code: the server has ended
const SEEN_AT_ONCE = 6; // updates per acknowledgment; each message costs time of the simulation

class Live {
  constructor() {
    this.on = {status: () => {}};
    const {scene} = document.documentElement.dataset; // of pages that begin with the 3D view
    this.watched = {do: 'watch', robots: [], places: false, scene: scene !== undefined};
    this.pause = 300;
    this.driving = new Driving(this);
    // The server sends the robot of this page first.
    const asked = new URLSearchParams(location.search);
    this.name = asked.get('name');
    this.number = asked.get('number'); // if several robots have this name
    const query = new URLSearchParams({...(this.name && {robot: this.name, number: this.number ?? ''}), ...(this.watched.scene && {scene: '1'})});
    this.address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live?${query}`;
    this.connect();
  }

  // Sets the listeners, in the task that loads this file: {hello, news, poses, status, changed}; without `changed`, a page loads again when its robots change.
  start(on) {
    this.on = on;
  }

  connect() {
    if (this.state !== 'ended') this.setStatus('connecting');
    const socket = openSocket(this.address);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.pause = 300;
      this.seen = 0;
      this.setStatus('connected');
    };
    socket.onmessage = ({data}) => (typeof data === 'string' ? this.take(JSON.parse(data)) : this.on.poses?.(data));
    socket.onclose = ({code, reason}) => {
      // A run that has ended may be started again: its page reconnects.
      if (code === ENDED) this.setStatus('ended', reason);
      else if (this.state !== 'ended') this.setStatus('lost');
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.5, 3000);
    };
  }

  // Without a connection, only functions of the page itself are available.
  setStatus(state, reason = '') {
    this.state = state;
    this.on.status(state, reason);
    if (state === 'connected') {
      for (const one of document.querySelectorAll('[data-off]')) {
        one.disabled = false;
        delete one.dataset.off;
      }
    } else if (state !== 'connecting') {
      for (const one of document.querySelectorAll('button:enabled, input:enabled, select:enabled')) {
        if (one.closest('[data-local]')) continue;
        one.disabled = true;
        one.dataset.off = '';
      }
    }
  }

  take(data) {
    if (data.hello) {
      this.page = data.hello.page;
      const fixed = JSON.stringify(this.about(data.hello));
      const isOther = this.fixed !== undefined && this.fixed !== fixed; // another world, or other robots
      if (isOther && !this.on.changed) {
        location.reload();
        return;
      }
      if (this.fixed === undefined) this.on.hello(data.hello);
      else if (isOther) this.on.changed(data.hello);
      this.send(this.watched);
      this.fixed = fixed;
    } else {
      this.see();
      this.noteOthers(data);
      this.on.news(data);
    }
  }

  // A robot that another page drives has the driver `other`.
  noteOthers({run, robots = {}}) {
    for (const [number, page] of Object.entries(run?.drivers ?? {})) if (page !== this.page && robots[number]) robots[number].driver = 'other';
  }

  // Acknowledges updates, so that the server limits those in transit and slow pages show no old state.
  see() {
    this.seen += 1;
    if (this.seen < SEEN_AT_ONCE) return;
    this.ask('seen', {news: this.seen});
    this.seen = 0;
  }

  // Returns the robot of the page, if it is among these.
  own(robots) {
    const same = robots.filter((one) => one.name === this.name);
    return same.find((one) => String(one.number) === this.number) ?? same[0];
  }

  // What a page is built from. The page of a robot keeps its recording when other robots are added or
  // removed.
  about({title, robots, shape}) {
    const own = this.own(robots);
    return own ? [title, own] : [title, robots, shape.standing];
  }

  // wished: what to change of the numbers of robots, `places` (of all objects), `scene`.
  watch(wished) {
    this.watched = {...this.watched, ...wished};
    this.send(this.watched);
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  ask(name, values = {}) {
    this.driving.note(name, values);
    this.send({do: name, ...values});
  }
}

export const live = new Live();
