// The time that is shown: it runs while the recording plays.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export class Player extends EventTarget {
  constructor(duration, frame) {
    super();
    this.duration = duration;
    this.frame = frame; // time between two frames (s)
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
  }

  tell() {
    this.dispatchEvent(new Event('change'));
  }

  play() {
    if (this.time >= this.duration) this.time = 0;
    this.isPlaying = this.duration > 0;
    this.before = null;
    this.tell();
  }

  pause() {
    this.isPlaying = false;
    this.tell();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.duration, time));
    this.tell();
  }

  step(frames) {
    this.isPlaying = false;
    this.seek((Math.round(this.time / this.frame) + frames) * this.frame);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell();
  }

  // now: real time (ms). A page that was in the background goes on where it was.
  tick(now) {
    if (!this.isPlaying) return;
    const passed = this.before == null ? 0 : Math.min(now - this.before, 250) / 1000;
    this.before = now;
    this.time += passed * this.speed;
    if (this.time >= this.duration) {
      this.time = this.duration;
      this.pause();
    }
  }
}
