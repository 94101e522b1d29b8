// Keeps the view fluent where drawing is slow: fewer pixels while things move, all of them when they stand still.
const SLOW_MS = 55; // between two drawings in a row
const FAST_MS = 20;
const STILL_MS = 350;
const FIRST = 0.5; // of the pixels along each side, where drawing is known to be slow
const LEAST = 0.25;
const FAST_IN_A_ROW = 30;
const ASIDE_MS = 500; // between two slow drawings while a real robot waits for this page's processor

export class Sharpness {
  // most: pixels for each CSS pixel along each side. isSlow: drawing is known to be slow.
  constructor(most, isSlow) {
    this.most = most;
    this.ratio = isSlow ? Math.max(LEAST, most * FIRST) : most; // while things move
    this.drawn = 0; // time of the last drawing (ms)
    this.fast = 0;
    this.isSharp = true; // the last drawing had all pixels
    this.isSlow = false;
    this.isKnownSlow = isSlow;
  }

  // Call before a drawing because of a change: the ratio to draw with, or 0 to leave time for others.
  begin(now) {
    const passed = now - this.drawn;
    if (this.isAside && passed < ASIDE_MS) return 0;
    if (this.isSlow && passed < this.cost) return 0;
    if (passed < STILL_MS * 4) this.measure(passed);
    this.drawn = now;
    this.isSharp = this.ratio === this.most;
    return this.ratio;
  }

  // True where drawing takes the time of a robot that the page drives.
  get isAside() {
    return document.documentElement.dataset.robot === 'driving' && (this.isKnownSlow || this.ratio < this.most);
  }

  measure(passed) {
    if (passed > SLOW_MS) {
      this.fast = 0;
      this.ratio = Math.max(LEAST, this.ratio * 0.75);
      this.isSlow = this.ratio === LEAST;
      this.cost = Math.min(passed / 2, 250);
    } else if (passed < FAST_MS && this.ratio < this.most) {
      this.fast += 1;
      if (this.fast < FAST_IN_A_ROW) return;
      this.fast = 0;
      this.isSlow = false;
      this.ratio = Math.min(this.most, this.ratio * 1.25);
    }
  }

  // True if nothing has changed for a while, but not all pixels are drawn.
  isDue(now) {
    return !this.isSharp && now - this.drawn > STILL_MS;
  }
}
