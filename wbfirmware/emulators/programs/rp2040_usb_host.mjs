// A computer at the USB port of an emulated board, in the board's time: it enumerates the device as operating systems
// do, opens its serial port, and passes bytes on. All answers of the device are checked against the USB 2.0
// specification; a device that a computer would refuse ends the emulation.
import { UsbPort } from './rp2040_usb_port.mjs';

const US = 1000; // ns
const MS = 1e6;
const DEBOUNCE_NS = 2 * MS; // at least 100 ms (7.1.7.3) of a real hub
const RESET_NS = 10 * MS;
const FRAME_NS = MS;
const LATE_NS = 800 * US; // in a frame
const RECOVERY_NS = 2 * MS; // after SET_ADDRESS (9.2.6.3)
const IDLE_NS = 3 * MS; // until a device suspends (7.1.7.6)
const NEXT_NS = 10 * US; // until the host polls again
const PATIENCE_NS = 100 * MS; // until it gives a transfer up
const BYTE_NS = 667; // at 12 Mbit/s
const OVERHEAD_BYTES = 13; // of a transaction (5.8.4)
const TRIES = 3;

const [DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT] = [1, 2, 3, 4, 5];
const [SET_ADDRESS, GET_DESCRIPTOR, SET_CONFIGURATION, CLEAR_FEATURE] = [5, 6, 9, 1];
const [SET_LINE_CODING, SET_LINE_STATE] = [0x20, 0x22];
const DATA_CLASS = 10;
const BULK = 2;
const FROM_DEVICE = 0x80;
const TO_ENDPOINT = 2;
const CLASS_TO_INTERFACE = 0x21;

class Refused extends Error {}

function setupPacket(kind, request, value, index, length) {
  return Uint8Array.of(kind, request, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8);
}

/** Returns the descriptors in the reply to a request for the configuration. */
function descriptors(bytes) {
  const found = [];
  for (let k = 0; k < bytes.length; k += bytes[k]) {
    if (bytes[k] < 2 || k + bytes[k] > bytes.length) throw new Refused('a descriptor of its configuration has a wrong size');
    found.push(bytes.subarray(k, k + bytes[k]));
  }
  return found;
}

/** Returns the bulk endpoints of the interface for data: {in, out}, each with number and size. */
function dataEndpoints(bytes) {
  const found = {};
  let isData = false;
  for (const one of descriptors(bytes)) {
    if (one[1] === INTERFACE) isData = one[5] === DATA_CLASS;
    if (one[1] === ENDPOINT && isData && (one[3] & 3) === BULK)
      found[one[2] & 0x80 ? 'in' : 'out'] = { number: one[2] & 15, size: one[4] | (one[5] << 8), toggle: 0 };
  }
  if (found.in === undefined || found.out === undefined) throw new Refused('it has no interface for data');
  if (![8, 16, 32, 64].includes(found.in.size) || ![8, 16, 32, 64].includes(found.out.size))
    throw new Refused('a bulk endpoint has a size that full speed does not have');
  return found;
}

export class UsbHost {
  port = null;
  wanted = { cable: 1, open: 1, reads: 1, baud: 115200, suspended: 0, resumes: 1, floods: 0 };
  #clock;
  #received;
  #refuse;
  #outgoing = [];
  #requests = []; // of `control`
  #work = null; // a generator of times to wait, while the device is connected
  #alarm;
  #asleep = false;
  #frames; // an alarm
  #frameBegun = 0;
  late = 0; // packets that the board handed over late in a frame (erratum RP2040-E15)

  /**
   * @param clock the clock of the emulated chip.
   * @param received is called with bytes from the device.
   * @param refuse is called with the reason if the host does not accept the device.
   */
  constructor(clock, received, refuse) {
    this.#clock = clock;
    this.#received = received;
    this.#refuse = refuse;
  }

  /** Connects the cable to a chip, in place of the one before. */
  attach(chip) {
    this.#work = null;
    this.#alarm = this.#clock.createAlarm(() => this.#continue());
    this.#frames = this.#clock.createAlarm(() => this.#beginFrame());
    this.#state = 'absent';
    this.port = new UsbPort(chip, (...buffer) => this.#changed(...buffer));
  }

  #state = 'absent'; // or connected, configured, open

  /** Whether bytes for the board belong to this port. */
  get isUsed() {
    return this.port.isConnected;
  }

  /** Sends bytes, when the port is open. */
  give(bytes) {
    this.#outgoing.push(...bytes);
    this.#wake();
  }

  /** Changes what the computer wants; returns false for an unknown name. */
  drive(name, value) {
    if (!(name in this.wanted)) return false;
    const before = { ...this.wanted };
    this.wanted[name] = value;
    if (name === 'cable' || name === 'suspended') this.#changeBus(before);
    else this.#wake();
    return true;
  }

  show(name) {
    if (name === 'LATE') return `late ${this.late}`;
    return `port ${['absent', 'connected', 'configured', 'open'].indexOf(this.#state)}`;
  }

  /** Asks for a control transfer; `done` gets {status, bytes}. If `packets` is not null, it is given up after as many
   * packets of its data. */
  control(setup, data, packets, done) {
    this.#requests.push({ setup, data, packets, done });
    this.#wake();
  }

  #changeBus(before) {
    if (before.cable !== this.wanted.cable) {
      this.#work = null;
      this.#state = 'absent';
      this.#alarm.cancel();
      if (this.wanted.cable) this.#changed();
    }
    if (before.suspended && !this.wanted.suspended) {
      if (this.wanted.resumes) this.port.resume(); // else only frames
      this.#beginFrame();
      this.#wake();
    }
    const isIdle = () => !this.wanted.cable || this.wanted.suspended;
    if (!isIdle()) return;
    const { port } = this;
    const suspend = this.#clock.createAlarm(() => isIdle() && port === this.port && port.suspend());
    suspend.schedule(IDLE_NS);
  }

  #beginFrame() {
    if (!this.wanted.cable || this.wanted.suspended || this.#work === null) return;
    this.#frameBegun = this.#clock.nanos;
    this.port.frame();
    this.#frames.schedule(FRAME_NS);
  }

  #changed(endpoint, isIn) {
    const isLate = this.#clock.nanos - this.#frameBegun >= LATE_NS;
    if (isLate && isIn && endpoint > 0 && endpoint === this.data?.in.number) this.late += 1;
    if (this.#work === null && this.wanted.cable && this.port.isConnected) {
      this.#work = this.#serve();
      this.#alarm.schedule(DEBOUNCE_NS);
    } else if (this.#work !== null) {
      this.#wake();
    }
  }

  #wake() {
    if (!this.#asleep || this.#work === null) return;
    this.#asleep = false;
    this.#alarm.schedule(NEXT_NS);
  }

  #continue() {
    if (this.#work === null) return;
    try {
      const { value } = this.#work.next();
      if (value === Infinity) this.#asleep = true;
      else this.#alarm.schedule(value);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this.#work = null;
      this.#refuse(problem.message);
    }
  }

  /** Repeats a transaction until it is not answered by NAK. */
  *#transaction(bytes, make) {
    const end = this.#clock.nanos + PATIENCE_NS;
    for (;;) {
      yield (bytes + OVERHEAD_BYTES) * BYTE_NS;
      const answer = make();
      if (answer !== 'nak' || this.#clock.nanos > end) return answer;
      yield NEXT_NS;
    }
  }

  /** The data stage from the device: returns its bytes, or why there are none. */
  *#fetch(length) {
    const bytes = [];
    for (let toggle = 1; bytes.length < length; ) {
      const answer = yield* this.#transaction(this.controlSize, () => this.port.in(this.address, 0));
      if (typeof answer === 'string') return answer;
      if (answer.bytes.length > this.controlSize) return 'babble';
      if (answer.toggle !== toggle) continue; // a repetition
      toggle ^= 1;
      bytes.push(...answer.bytes);
      if (answer.bytes.length < this.controlSize) break;
    }
    return bytes.length > length ? 'babble' : bytes;
  }

  /** The data stage to the device. */
  *#supply(data) {
    let toggle = 1;
    for (let at = 0; at < data.length; at += this.controlSize) {
      const part = data.slice(at, at + this.controlSize);
      const answer = yield* this.#transaction(part.length, () => this.port.out(this.address, 0, toggle, part));
      if (answer !== 'ack') return answer;
      toggle ^= 1;
    }
    return 'ack';
  }

  /** The status stage, against the direction of the data. */
  *#finish(isIn) {
    if (isIn) return yield* this.#transaction(0, () => this.port.out(this.address, 0, 1, new Uint8Array(0)));
    const answer = yield* this.#transaction(0, () => this.port.in(this.address, 0));
    if (typeof answer === 'string') return answer;
    return answer.toggle === 1 && answer.bytes.length === 0 ? 'ack' : 'error';
  }

  /** A control transfer (8.5.3); returns {status, bytes}. */
  *#transfer(setup, data = []) {
    let answer = 'timeout';
    for (let k = 0; k < TRIES && answer !== 'ack'; k++)
      answer = yield* this.#transaction(8, () => this.port.setup(this.address, setup));
    const length = setup[6] | (setup[7] << 8);
    const isIn = Boolean(setup[0] & FROM_DEVICE) && length > 0;
    let bytes = [];
    if (answer === 'ack' && isIn) {
      const found = yield* this.#fetch(length);
      if (typeof found === 'string') answer = found;
      else bytes = found;
    } else if (answer === 'ack' && length > 0) {
      answer = yield* this.#supply(data);
    }
    if (answer === 'ack') answer = yield* this.#finish(isIn);
    if (answer === 'ack' && setup[0] === 0 && setup[1] === SET_ADDRESS) {
      this.address = setup[2];
      yield RECOVERY_NS;
    }
    return { status: answer, bytes };
  }

  /** The beginning of a control transfer, as of a program that ends. */
  *#giveUp(setup, packets) {
    yield* this.#transaction(8, () => this.port.setup(this.address, setup));
    for (let k = 0; k < packets; k++) yield* this.#transaction(this.controlSize, () => this.port.in(this.address, 0));
    return { status: 'ack', bytes: [] };
  }

  /** A control transfer that a device must accept. */
  *#request(what, setup, data) {
    const { status, bytes } = yield* this.#transfer(setup, data);
    if (status !== 'ack') throw new Refused(`${what}: ${status}`);
    return bytes;
  }

  *#descriptor(what, type, index, length) {
    const bytes = yield* this.#request(what, setupPacket(FROM_DEVICE, GET_DESCRIPTOR, (type << 8) | index, 0, length));
    if (bytes.length < 2 || bytes[1] !== type || (length >= bytes[0] && type !== CONFIGURATION && bytes.length !== bytes[0]))
      throw new Refused(`${what} is not valid`);
    return bytes;
  }

  *#resetBus() {
    this.port.reset();
    this.address = 0;
    yield RESET_NS;
    this.#beginFrame();
  }

  *#enumerate() {
    this.controlSize = 64;
    yield* this.#resetBus();
    const request = setupPacket(FROM_DEVICE, GET_DESCRIPTOR, DEVICE << 8, 0, 64); // for its first packet
    [, , , , , , , this.controlSize] = yield* this.#request('its device descriptor', request);
    if (![8, 16, 32, 64].includes(this.controlSize)) throw new Refused('endpoint 0 has a wrong size');
    yield* this.#request('SET_ADDRESS', setupPacket(0, SET_ADDRESS, 1, 0, 0));
    this.device = yield* this.#descriptor('its device descriptor', DEVICE, 0, 18);
    const head = yield* this.#descriptor('its configuration', CONFIGURATION, 0, 9);
    const size = head[2] | (head[3] << 8);
    this.configuration = yield* this.#descriptor('its configuration', CONFIGURATION, 0, size);
    if (this.configuration.length !== size) throw new Refused('its configuration has another size than it tells');
    for (const index of [0, ...this.device.slice(14, 17).filter((one) => one > 0)])
      yield* this.#descriptor(`its string ${index}`, STRING, index, 255);
    this.data = dataEndpoints(Uint8Array.from(this.configuration));
    yield* this.#request('SET_CONFIGURATION', setupPacket(0, SET_CONFIGURATION, head[5], 0, 0));
    this.#state = 'configured';
  }

  /** Sets the speed of the port, which every opening does, and the line DTR. */
  *#setLine() {
    const { baud, open } = this.wanted;
    if (this.baud !== baud) {
      const coding = [...[0, 8, 16, 24].map((bits) => (baud >> bits) & 255), 0, 0, 8];
      yield* this.#request('SET_LINE_CODING', setupPacket(CLASS_TO_INTERFACE, SET_LINE_CODING, 0, 0, 7), coding);
      this.baud = baud;
    }
    yield* this.#request('SET_CONTROL_LINE_STATE', setupPacket(CLASS_TO_INTERFACE, SET_LINE_STATE, open ? 3 : 0, 0, 0));
    this.#state = open ? 'open' : 'configured';
  }

  *#clearHalt(address, endpoint) {
    yield* this.#request('CLEAR_FEATURE', setupPacket(TO_ENDPOINT, CLEAR_FEATURE, 0, address, 0));
    endpoint.toggle = 0;
  }

  *#receive() {
    const endpoint = this.data.in;
    const answer = yield* this.#transaction(endpoint.size, () => this.port.in(this.address, endpoint.number));
    if (answer === 'stall') yield* this.#clearHalt(0x80 | endpoint.number, endpoint);
    if (typeof answer === 'string' || answer.toggle !== endpoint.toggle) return;
    if (answer.bytes.length > endpoint.size) throw new Refused('a packet is larger than its endpoint');
    endpoint.toggle ^= 1;
    this.#received(answer.bytes);
  }

  *#send() {
    const endpoint = this.data.out;
    const part = Uint8Array.from(this.#outgoing.slice(0, endpoint.size));
    const make = () => this.port.out(this.address, endpoint.number, endpoint.toggle, part);
    const answer = yield* this.#transaction(part.length, make);
    if (answer === 'stall') yield* this.#clearHalt(endpoint.number, endpoint);
    if (answer !== 'ack') return;
    endpoint.toggle ^= 1;
    this.#outgoing.splice(0, part.length);
  }

  /** Returns what the host does next, or null. */
  #next(isTurned) {
    if (this.#requests.length > 0) return this.#answer();
    if (this.wanted.suspended) return null;
    const { baud, open } = this.wanted;
    if (open !== Number(this.#state === 'open') || (open && baud !== this.baud)) return this.#setLine();
    if (!open) return null;
    if (this.wanted.floods && this.#outgoing.length === 0) this.#outgoing.push(...Buffer.from('x'.repeat(64)));
    const sends = this.#outgoing.length > 0 && this.port.isReady(this.data.out.number, true);
    const receives = this.wanted.reads && this.port.isReady(this.data.in.number, false);
    if (sends && (isTurned || !receives)) return this.#send();
    return receives ? this.#receive() : null;
  }

  *#answer() {
    const { setup, data, packets, done } = this.#requests.shift();
    if (packets === null) done(yield* this.#transfer(setup, data));
    else done(yield* this.#giveUp(setup, packets));
  }

  *#serve() {
    this.#state = 'connected';
    this.baud = 0;
    yield* this.#enumerate();
    for (let isTurned = false; ; isTurned = !isTurned) {
      const next = this.#next(isTurned);
      if (next === null) yield Infinity;
      else yield* next;
    }
  }
}
