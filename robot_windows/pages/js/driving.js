// A page that drives robots says so several times per second; otherwise the run stops their motors.
const HOLD_MS = 100;
const KEYBOARD = -1; // in place of a robot: keys that are held down
export const IDLE = 'wbridge-idle'; // event of the window: the page no longer drives

// Whether this page cannot set actuators until it takes control, and who drives instead.
export const isTaken = ({driver}) => driver === 'controller' || driver === 'other';
export const whoDrives = ({driver}) => (driver === 'other' ? 'Another page' : 'The controller');

export class Driving {
  constructor(live) {
    this.live = live;
    this.robots = new Set();
    setInterval(() => this.hold(), HOLD_MS);
    addEventListener('blur', () => this.let());
    addEventListener('pagehide', () => this.let(true));
    document.addEventListener('visibilitychange', () => this.let());
  }

  // Notes a request that makes something move.
  note(name, {robot, down}) {
    if (name === 'set') this.robots.add(robot);
    else if (name === 'key' && down) this.robots.add(KEYBOARD);
    else if (name === 'release') this.robots.delete(KEYBOARD);
  }

  hold() {
    if (!this.robots.size) return;
    if (document.visibilityState !== 'visible' || !document.hasFocus()) this.let();
    for (const robot of this.robots) this.live.send({do: 'hold', robot});
  }

  // Stops what this page drives: nobody watches it, or commands it.
  let(isOver = false) {
    const isActive = document.visibilityState === 'visible' && document.hasFocus();
    if (!this.robots.size || (isActive && !isOver)) return;
    this.robots.clear();
    this.live.send({do: 'let'});
    dispatchEvent(new Event(IDLE));
  }
}
