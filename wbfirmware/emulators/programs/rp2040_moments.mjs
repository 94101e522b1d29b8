// What a chip under rp2040js does to its pins for a moment: see simavr_moments.h. Registers of pins can set and clear
// single bits, which nothing interrupts.
const MOMENT = /^MOMENT:GP(\d+)$/;
const STUCK = /^STUCK:GP(\d+):GP(\d+)$/;
const UNLOCKED = 'PINS:UNLOCKED';
const LOW = 0; // GPIOPinState.Low
const HIGH = 1; // GPIOPinState.High; the following ones are inputs
const MOMENT_NS = 4000;
const PULSES_APART_NS = 200e3;

const isOutput = (state) => state === LOW || state === HIGH;

export class Moments {
  #since = new Map(); // by pin: outputs
  #counts = new Map(); // by pin
  #stuck = { data: -1, clock: -1, needed: 0, row: 0, longest: 0, last: -Infinity };

  /** @param set sets the level of a pin from outside. */
  constructor(clock, set) {
    Object.assign(this, { clock, set });
  }

  changed(number, state, before) {
    const now = this.clock.nanos;
    if (isOutput(state) && !isOutput(before)) this.#since.set(number, now);
    if (isOutput(state) && isOutput(before) && state !== before && now - this.#since.get(number) < MOMENT_NS)
      this.#counts.set(number, (this.#counts.get(number) ?? 0) + 1);
    if (number === this.#stuck.clock && before === LOW && state !== LOW) this.#pulse(now);
  }

  #pulse(now) {
    const stuck = this.#stuck;
    stuck.row = now - stuck.last < PULSES_APART_NS ? stuck.row + 1 : 1;
    stuck.last = now;
    stuck.longest = Math.max(stuck.longest, stuck.row);
    if (stuck.row === stuck.needed) this.set(stuck.data, 1);
  }

  drive(name, value) {
    const lines = STUCK.exec(name);
    if (lines === null) return false;
    const [data, clock] = lines.slice(1).map(Number);
    this.#stuck = { data, clock, needed: value, row: 0, longest: 0, last: -Infinity };
    this.set(data, Number(value === 0));
    return true;
  }

  /** Returns undefined for other names. */
  show(name) {
    const pin = MOMENT.exec(name);
    if (pin !== null) return `moments ${this.#counts.get(Number(pin[1])) ?? 0}`;
    if (STUCK.test(name)) return `pulses ${this.#stuck.longest}`;
    return name === UNLOCKED ? 'changes 0' : undefined;
  }
}
