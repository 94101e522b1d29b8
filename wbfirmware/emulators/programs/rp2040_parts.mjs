// Load cells, line sensors, stepper motors and drivers, H bridges, and chains of LEDs at pins of a chip under rp2040js.
const HX711 = /^HX711:GP(\d+):GP(\d+)$/;
const RC = /^RC:GP(\d+)$/;
const COILS = /^COILS:GP(\d+):GP(\d+):GP(\d+):GP(\d+)$/;
const FIELDS = [1, 3, 2, 6, 4, 12, 8, 9]; // of the coils that hold a rotor at its 8 half steps; bit 0 is the first one
const STEPPER = /^STEPPER:GP(\d+):GP(\d+)$/;
const BRIDGE = /^BRIDGE:GP(\d+):GP(\d+)$/;
const LONGEST_GAP_US = 1e6;
const HIGH = 1; // GPIOPinState.High
const INPUT = 2; // GPIOPinState.Input; the following ones are inputs with resistors
const WS2812 = /^WS2812:GP(\d+):(\d+)$/;
const BITS = 24;
const CONVERSION_NS = 12.5e6; // of an HX711 at 80 measurements a second
const OFF_NS = 60e3;
const ZERO_NS = 400; // of a WS2812
const ONE_NS = 800;
const PERIOD_NS = 1250;
const LONGEST_PAUSE_NS = 50e3;
const SHOWING_NS = 280e3;
const GAINS = { 25: 128, 26: 32, 27: 64 }; // by the clock pulses of a reading

const isNear = (ns, wanted) => Math.abs(ns - wanted) <= 150;

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

/** A chain of WS2812 LEDs (data sheet of the WS2812B): a bit is a pulse of 0.4 us (0) or 0.8 us (1); it ends 1.25 us
 * after it has begun; each may differ by 0.15 us. A pause of 280 us shows the colors; within a color, or for more
 * than 50 us, a pause is an error for one kind of part or another. */
class Chain {
  constructor(clock) {
    Object.assign(this, { clock, high: false, width: 0, rose: 0, fell: 0, bits: 0, faults: 0, colors: [] });
  }

  changed(state) {
    const high = state === HIGH;
    if (high === this.high) return;
    this.high = high;
    const now = this.clock.nanos;
    if (high) {
      this.endPause(now - this.fell);
      this.rose = now;
    } else {
      this.endBit(now - this.rose);
      this.fell = now;
    }
  }

  endPause(pause) {
    if (pause >= SHOWING_NS) this.bits = 0;
    else if (this.bits % BITS !== 0 ? !isNear(pause, PERIOD_NS - this.width) : pause > LONGEST_PAUSE_NS)
      this.faults += 1;
  }

  endBit(width) {
    this.width = width > (ZERO_NS + ONE_NS) / 2 ? ONE_NS : ZERO_NS;
    if (!isNear(width, this.width)) this.faults += 1;
    const place = Math.trunc(this.bits++ / BITS);
    this.colors[place] = (((this.colors[place] ?? 0) << 1) | Number(this.width === ONE_NS)) & 0xffffff;
  }

  show(place) {
    const color = this.colors[place] ?? 0; // green, red, blue
    if (this.faults > 0) return `faults ${this.faults}`;
    return `color ${(color & 0xff) | (((color >> 8) & 0xff) << 16) | (((color >> 16) & 0xff) << 8)}`;
  }
}

/** A stepper driver (data sheet of the A4988): a step for each rising edge of the step input; the level of the
 * direction input gives its sign. */
class Stepper {
  constructor(forward) {
    Object.assign(this, { forward, steps: 0 });
  }

  changed(state, before) {
    if (state === HIGH && before !== HIGH) this.steps += this.forward() ? 1 : -1;
  }
}

/** A stepper motor with four coils: its rotor moves if its new place is beside it. */
class Rotor {
  /** @param on the coils that are on at first; bit 0 is the first one. */
  constructor(on) {
    Object.assign(this, { on, at: Math.max(FIELDS.indexOf(on), 0), steps: 0 });
  }

  switch(coil, level) {
    this.on = level ? this.on | (1 << coil) : this.on & ~(1 << coil);
    const place = FIELDS.indexOf(this.on);
    const turn = (place - this.at + FIELDS.length) % FIELDS.length;
    if (place < 0 || (turn !== 1 && turn !== FIELDS.length - 1)) return;
    this.steps += turn === 1 ? 1 : -1;
    this.at = place;
  }
}

/** The direction inputs of an H bridge: the shortest time for which both were low before one rose. */
class Bridge {
  /** @param levels of the inputs at first. */
  constructor(clock, levels) {
    Object.assign(this, { clock, levels, fell: [-Infinity, -Infinity] });
    this.gap = levels.every((level) => level) ? 0 : LONGEST_GAP_US;
  }

  switch(input, level) {
    if (level === this.levels[input]) return;
    this.levels[input] = level;
    const now = this.clock.nanos / 1000;
    if (!level) this.fell[input] = now;
    else this.gap = this.levels[1 - input] ? 0 : Math.min(this.gap, now - this.fell[1 - input]);
  }
}

export class Parts {
  #cells = new Map(); // by name
  #capacitors = new Map();
  #chains = new Map(); // by pin
  #steppers = new Map(); // by name
  #rotors = new Map(); // by name
  #bridges = new Map(); // by name
  #watching = new Map(); // by pin

  /**
   * @param clock the chip's clock.
   * @param set sets the level of a pin from outside.
   * @param isHigh returns true if the chip sets a pin high.
   */
  constructor(clock, set, isHigh) {
    Object.assign(this, { clock, set, isHigh });
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

  #stepper(name, step, direction) {
    const make = () => this.#watch(step, new Stepper(() => this.isHigh(direction)));
    if (!this.#steppers.has(name)) this.#steppers.set(name, make());
    return this.#steppers.get(name);
  }

  #rotor(name, pins) {
    if (!this.#rotors.has(name)) {
      const rotor = new Rotor(pins.reduce((on, pin, coil) => on | (Number(this.isHigh(pin)) << coil), 0));
      pins.forEach((pin, coil) => this.#watch(pin, { changed: (state) => rotor.switch(coil, state === HIGH) }));
      this.#rotors.set(name, rotor);
    }
    return this.#rotors.get(name);
  }

  #bridge(name, pins) {
    if (!this.#bridges.has(name)) {
      const bridge = new Bridge(this.clock, pins.map(this.isHigh));
      pins.forEach((pin, input) => this.#watch(pin, { changed: (state) => bridge.switch(input, state === HIGH) }));
      this.#bridges.set(name, bridge);
    }
    return this.#bridges.get(name);
  }

  /** Returns the clock pulses of the last reading of an HX711, the steps of a motor or driver, the shortest gap of a
   * bridge (us), or the color of an LED; undefined for other names. The first call for a motor, a driver, a bridge or
   * a chain begins to decode it. */
  show(name) {
    const light = WS2812.exec(name);
    if (light !== null) {
      const [pin, place] = light.slice(1).map(Number);
      if (!this.#chains.has(pin)) this.#chains.set(pin, this.#watch(pin, new Chain(this.clock)));
      return this.#chains.get(pin).show(place);
    }
    const stepper = STEPPER.exec(name);
    if (stepper !== null) return `steps ${this.#stepper(name, ...stepper.slice(1).map(Number)).steps}`;
    const coils = COILS.exec(name);
    if (coils !== null) return `steps ${this.#rotor(name, coils.slice(1).map(Number)).steps}`;
    const bridge = BRIDGE.exec(name);
    if (bridge !== null) return `gap ${this.#bridge(name, bridge.slice(1).map(Number)).gap}`;
    const cell = this.#cells.get(name);
    return cell === undefined ? undefined : `pulses ${cell.last}`;
  }
}
