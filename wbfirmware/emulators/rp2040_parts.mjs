// Load cells and line sensors at pins of a chip under rp2040js.
const HX711 = /^HX711:GP(\d+):GP(\d+)$/;
const RC = /^RC:GP(\d+)$/;
const HIGH = 1; // GPIOPinState.High
const INPUT = 2; // GPIOPinState.Input; the following ones are inputs with resistors
const BITS = 24;
const CONVERSION_NS = 12.5e6; // of an HX711 at 80 measurements a second
const OFF_NS = 60e3;
const GAINS = { 25: 128, 26: 32, 27: 64 }; // by the clock pulses of a reading

/** An HX711 (data sheet): data is low while a value waits; 24 rising edges of the clock shift it out, the highest
 * bit first; one, two or three more select the next gain; a clock that is high for 60 us switches the chip off. */
class Cell {
  constructor(clock, data, set) {
    Object.assign(this, { clock, data, set, counts: 0, shifted: 0, pulses: 0, last: 0, gain: 128, rose: 0 });
    this.ended = clock.createAlarm(() => this.end());
    this.ended.schedule(CONVERSION_NS);
    set(data, 1);
  }

  end() {
    this.ended.schedule(CONVERSION_NS);
    if (this.pulses > 0 && this.pulses <= BITS) return; // it is being read
    if (this.pulses > BITS) {
      this.last = this.pulses;
      this.gain = GAINS[this.pulses] ?? 64;
    }
    this.pulses = 0;
    this.shifted = Math.trunc(this.counts / (128 / this.gain));
    this.set(this.data, 0);
  }

  changed(state, before) {
    if (state === HIGH && before !== HIGH) {
      this.rose = this.clock.nanos;
      this.pulses += 1;
      this.set(this.data, this.pulses > BITS ? 1 : (this.shifted >> (BITS - this.pulses)) & 1);
    } else if (before === HIGH && state !== HIGH && this.clock.nanos - this.rose > OFF_NS) {
      this.pulses = 0;
      this.gain = 128;
      this.set(this.data, 1);
    }
  }
}

/** A capacitor that a high output charges, and that discharges while the pin is an input. */
class Capacitor {
  constructor(clock, pin, set) {
    Object.assign(this, { pin, set, width: 0 });
    this.discharged = clock.createAlarm(() => this.set(pin, 0));
  }

  changed(state, before) {
    if (before !== HIGH || state < INPUT) return;
    this.set(this.pin, 1);
    this.discharged.schedule(this.width * 1000);
  }
}

export class Parts {
  #cells = new Map(); // by name
  #capacitors = new Map();
  #watching = new Map(); // by pin

  /**
   * @param clock the chip's clock.
   * @param set sets the level of a pin from outside.
   */
  constructor(clock, set) {
    this.clock = clock;
    this.set = set;
  }

  #watch(pin, part) {
    if (!this.#watching.has(pin)) this.#watching.set(pin, []);
    this.#watching.get(pin).push(part);
    return part;
  }

  changed(pin, state, before) {
    for (const part of this.#watching.get(pin) ?? []) part.changed(state, before);
  }

  /** Sets what a part measures; returns false for other names. */
  drive(name, value) {
    const cell = HX711.exec(name);
    const capacitor = RC.exec(name);
    if (cell !== null) {
      const [data, clock] = cell.slice(1).map(Number);
      if (!this.#cells.has(name)) this.#cells.set(name, this.#watch(clock, new Cell(this.clock, data, this.set)));
      this.#cells.get(name).counts = value;
    } else if (capacitor !== null) {
      const pin = Number(capacitor[1]);
      if (!this.#capacitors.has(name))
        this.#capacitors.set(name, this.#watch(pin, new Capacitor(this.clock, pin, this.set)));
      this.#capacitors.get(name).width = value;
    }
    return cell !== null || capacitor !== null;
  }

  /** Returns the clock pulses of the last reading of an HX711; undefined for other names. */
  show(name) {
    const cell = this.#cells.get(name);
    return cell === undefined ? undefined : `pulses ${cell.last}`;
  }
}
