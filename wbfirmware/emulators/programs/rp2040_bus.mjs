// Register tables that emulate devices on the I2C bus, as boards/shared/registers does in C.
import { Panel } from './rp2040_panel.mjs';

const NAME = /^I2C:(0x[0-9a-f]+|\d+)(?::(0x[0-9a-f]+|\d+)(?::([12]))?)?$/i;
const PANEL = /^SSD1306:(0x[0-9a-f]+|\d+):(32|64)$/i;
// Names of the bus itself, see simavr_i2c.h.
const HELD = 'I2C:HELD';
const REFUSES = 'I2C:REFUSES';
const OCCUPIED = 'I2C:OCCUPIED';
const FAULTS = 'I2C:FAULTS';
const OWN = [HELD, REFUSES, OCCUPIED, FAULTS];
const UNSELECTED = 1;
const UNFINISHED = 2;
const READ = 1; // mode of a connection
const ADDRESSES = 128;
const BYTE_BITS = 9; // with the acknowledgment
const NS_PER_CYCLE = 8; // of the chip's clock
const REGISTERS = 256;
const PAGE = 0xff; // the register of devices with pages that selects one
const PAGES = 8;

/** Returns the place of the next register, on the selected page. */
function advance(device) {
  const number = device.next++ % REGISTERS;
  return number === PAGE ? PAGE : (device.registers[PAGE] % PAGES) * REGISTERS + number;
}

export class Bus {
  #alarm; // the end of an operation
  #operation = null;
  #bit; // returns its time (ns)
  #devices = new Map();
  #panels = new Map(); // displays by address
  #held = false;
  #waiting = null; // the end of the operation that a device holds
  #refuses = false;
  #isOccupied = false;
  #faults = 0;

  /** Whether this is a device or a register that exists, or a display. */
  knows(name) {
    if (PANEL.test(name) || OWN.includes(name)) return true;
    const [, address, register = 0, bytes = 1] = NAME.exec(name) ?? [];
    return Number(address) < ADDRESSES && Number(register) + Number(bytes) <= PAGES * REGISTERS;
  }

  #find(name) {
    const [, address, register, bytes] = NAME.exec(name);
    const place = Number(address);
    if (!this.#devices.has(place))
      this.#devices.set(place, { connected: false, next: 0, registers: new Uint8Array(PAGES * REGISTERS) });
    const size = register === undefined ? 0 : Number(bytes ?? 1);
    return { device: this.#devices.get(place), first: Number(register ?? 0), size };
  }

  constructor(clock) {
    this.clock = clock;
  }

  /** Ends an operation of the bus after the time of some bits, unless a device holds it. */
  #end(bits, operation) {
    this.#operation = operation;
    this.#alarm.schedule(bits * this.#bit());
  }

  #ended() {
    const operation = this.#operation;
    this.#operation = null;
    if (this.#held) this.#waiting = operation;
    else operation();
  }

  #hold(isHeld) {
    this.#held = isHeld;
    const operation = isHeld ? null : this.#waiting;
    this.#waiting = null;
    if (operation !== null) operation();
    return true;
  }

  drive(name, value) {
    if (name === HELD) return this.#hold(value !== 0);
    if (name === REFUSES) {
      this.#refuses = value !== 0;
      return true;
    }
    if (PANEL.test(name)) {
      const [address, rows] = PANEL.exec(name).slice(1).map(Number);
      if (value !== 0) this.#panels.set(address, new Panel(rows));
      else this.#panels.delete(address);
      return true;
    }
    const { device, first, size } = this.#find(name);
    device.connected = size > 0 || value !== 0;
    for (let k = 0; k < size; k++) device.registers[first + k] = Math.trunc(value) >> (8 * (size - 1 - k));
    return true;
  }

  show(name) {
    if (name === HELD) return `device ${Number(this.#held)}`;
    if (name === REFUSES) return `bus ${Number(this.#refuses)}`;
    if (name === OCCUPIED) return `bus ${Number(this.#isOccupied)}`;
    if (name === FAULTS) return `bus ${this.#faults}`;
    if (PANEL.test(name)) {
      const [address, rows] = PANEL.exec(name).slice(1).map(Number);
      return (this.#panels.get(address) ?? new Panel(rows)).show();
    }
    const { device, first, size } = this.#find(name);
    if (size === 0) return `device ${Number(device.connected)}`;
    const high = device.registers[first];
    return `register ${size === 1 ? high : ((high << 24) >> 16) | device.registers[first + 1]}`;
  }

  /** Connects the devices to a controller of the chip. */
  attach(i2c) {
    let device;
    let isFirst = false;
    let isSelected = false;
    let wantsMore = false;
    this.#alarm = this.clock.createAlarm(() => this.#ended());
    this.#bit = () => (i2c.sclHighPeriod + i2c.sclLowPeriod) * NS_PER_CYCLE;
    this.#waiting = null; // of a chip before a reset
    i2c.onStart = () => {
      if (wantsMore) this.#faults |= UNFINISHED;
      this.#isOccupied = true;
      this.#end(1, () => i2c.completeStart());
    };
    i2c.onStop = () => {
      if (wantsMore) this.#faults |= UNFINISHED;
      this.#isOccupied = isSelected = wantsMore = false;
      this.#end(1, () => i2c.completeStop());
    };
    i2c.onConnect = (address, mode) => {
      device = this.#panels.get(address) ?? this.#devices.get(address);
      isFirst = true;
      wantsMore = false;
      const answers = device !== undefined && device.connected;
      if (answers && mode === READ && !isSelected) this.#faults |= UNSELECTED;
      this.#end(BYTE_BITS, () => i2c.completeConnect(answers));
    };
    i2c.onWriteByte = (byte) => {
      isSelected = true;
      if (!this.#refuses) {
        if (device instanceof Panel) device.write(isFirst, byte);
        else if (isFirst) device.next = byte;
        else device.registers[advance(device)] = byte;
      }
      isFirst = false;
      this.#end(BYTE_BITS, () => i2c.completeWrite(!this.#refuses));
    };
    i2c.onReadByte = (isAcknowledged) => {
      wantsMore = isAcknowledged;
      const byte = device instanceof Panel ? device.read() : device.registers[advance(device)];
      this.#end(BYTE_BITS, () => i2c.completeRead(byte));
    };
  }
}
