// Times of values as they arrive: tells when some are missing between two.
const WEIGHT = 0.1; // of a new distance in the usual one
const MOST = 10; // times the usual distance
const LEAST_S = 0.25; // of a gap: a page that begins takes values unevenly

export class Spacing {
  constructor() {
    this.usual = null; // distance of two times (s)
    this.isBroken = false;
  }

  // Values are missing from the last time to the next one.
  interrupt() {
    this.isBroken = true;
  }

  // True if values are missing between two times that follow each other.
  isGap(before, time) {
    const distance = time - before;
    const isGap = this.isBroken || (this.usual !== null && distance > Math.max(LEAST_S, MOST * this.usual));
    this.usual = this.usual === null || isGap ? distance : this.usual + WEIGHT * (distance - this.usual);
    this.isBroken = false;
    return isGap;
  }
}
