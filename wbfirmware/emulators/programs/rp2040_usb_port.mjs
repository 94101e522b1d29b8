// The USB controller of an RP2040 as a device, as the bus sees it: RP2040 data sheet, section 4.1. rp2040js has its
// registers, but it completes transfers before a host has asked for them, and knows neither data toggles nor STALL.
const MEMORY_WORDS = 64; // control registers of endpoints and buffers
const ENDPOINTS = 0x00;
const BUFFERS = 0x80;
const CONTROL_PLACE = 0x100;
const ENDPOINT_ON = 1 << 31;
const INTERRUPT_PER_BUFFER = 1 << 29;
const PLACE = 0xffc0;
const FULL = 1 << 15;
const DATA_1 = 1 << 13;
const STALL = 1 << 11;
const AVAILABLE = 1 << 10;
const LENGTH = 0x3ff;
const LOWER_HALF = 0xffff;

const MAIN_CONTROL = 0x40;
const FRAME = 0x48;
const SERIAL_ENGINE = 0x4c;
const STATUS = 0x50;
const ENABLED = 1;
const HOST = 2;
const PULL_UP = 1 << 16;
const CONTROL_INTERRUPT = 1 << 29;
const BUS_RESET = 1 << 19;
const SETUP_RECEIVED = 1 << 17;
const RESUMED = 1 << 11;
const SUSPENDED = 1 << 4;
const FRAME_BEGUN = 1 << 17; // in the register of interrupts

const CLOCK = 48e6;
const CLOCK_ON = 1 << 11;
const CLOCK_SOURCE = 7 << 5; // 0: the PLL for USB

export class UsbPort {
  #chip;
  #usb;
  #latched = new Uint32Array(MEMORY_WORDS); // of buffers, as the controller sees them

  /** @param changed is called when the program has connected the device, or handed over a buffer: its endpoint and
   * whether it is to the host. */
  constructor(chip, changed) {
    this.#chip = chip;
    this.#usb = chip.usbCtrl;
    const usb = this.#usb;
    const write = usb.writeUint32;
    usb.writeUint32 = (offset, value) => {
      write.call(usb, offset, value);
      if (offset === STATUS && usb.rawWriteValue & SUSPENDED) {
        usb.sieStatus &= ~SUSPENDED;
        usb.sieStatusUpdated();
      }
      if (offset === MAIN_CONTROL || offset === SERIAL_ENGINE) changed();
    };
    const read = usb.readUint32;
    usb.readUint32 = (offset) => {
      if (offset === FRAME) {
        usb.intRaw &= ~FRAME_BEGUN;
        usb.checkInterrupts();
      }
      return read.call(usb, offset);
    };
    usb.DPRAMUpdated = (offset, value) => {
      if (offset < BUFFERS || offset >= CONTROL_PLACE) return;
      this.#latch(offset >> 2, value & LOWER_HALF);
      if (value & (AVAILABLE | STALL)) changed((offset - BUFFERS) >> 3, !(offset & 4));
    };
  }

  /** The controller may see AVAILABLE before other bits of the same write (4.1.2.5.1). */
  #latch(index, value) {
    const before = this.#latched[index];
    const isRace = value & AVAILABLE && !(before & AVAILABLE) && (before ^ value) & ~AVAILABLE;
    this.#latched[index] = isRace ? before | AVAILABLE : value;
  }

  /** Whether the device has a clock and has connected its pull-up. */
  get isConnected() {
    const { clocks, pllUsb } = this.#chip;
    const hasClock = clocks.usbCtrl & CLOCK_ON && !(clocks.usbCtrl & CLOCK_SOURCE) && pllUsb.frequency === CLOCK;
    const isDevice = (this.#usb.mainCtrl & (ENABLED | HOST)) === ENABLED;
    return Boolean(hasClock && isDevice && this.#usb.sieCtrl & PULL_UP);
  }

  #event(bit) {
    this.#usb.sieStatus |= bit;
    this.#usb.sieStatusUpdated();
  }

  reset() {
    this.#event(BUS_RESET);
  }

  /** A frame begins. */
  frame() {
    this.#usb.sofFrameNumber = (this.#usb.sofFrameNumber + 1) & 0x7ff;
    this.#usb.intRaw |= FRAME_BEGUN;
    this.#usb.checkInterrupts();
  }

  suspend() {
    this.#event(SUSPENDED);
  }

  resume() {
    this.#event(RESUMED);
  }

  #answers(address) {
    return this.isConnected && (this.#usb.addrEndp & 0x7f) === address;
  }

  #endpoint(number, isOut) {
    return number === 0
      ? ENDPOINT_ON | CONTROL_PLACE | (this.#usb.sieCtrl & CONTROL_INTERRUPT)
      : this.#chip.usbDPRAMView.getUint32(ENDPOINTS + 8 * number + (isOut ? 4 : 0), true);
  }

  #index(number, isOut) {
    return (BUFFERS + 8 * number + (isOut ? 4 : 0)) >> 2;
  }

  /** Whether an endpoint answers with something else than NAK. */
  isReady(number, isOut) {
    return this.isConnected && Boolean(this.#latched[this.#index(number, isOut)] & (AVAILABLE | STALL));
  }

  /** Returns what answers instead of a buffer: nothing, STALL or NAK; null for a buffer. */
  #refusal(address, number, isOut) {
    const buffer = this.#latched[this.#index(number, isOut)];
    if (!this.#answers(address) || !(this.#endpoint(number, isOut) & ENDPOINT_ON)) return 'timeout';
    if (buffer & STALL && (number > 0 || this.#usb.epStallArm & (isOut ? 2 : 1))) return 'stall';
    const isUsable = Boolean(buffer & FULL) !== isOut;
    return buffer & AVAILABLE && isUsable ? null : 'nak';
  }

  #giveBack(number, isOut, control) {
    const index = this.#index(number, isOut);
    this.#latched[index] = control;
    const word = this.#chip.usbDPRAMView.getUint32(4 * index, true);
    this.#chip.usbDPRAMView.setUint32(4 * index, ((word & ~LOWER_HALF) | control) >>> 0, true);
    if (this.#endpoint(number, isOut) & INTERRUPT_PER_BUFFER) this.#usb.indicateBufferReady(number, isOut);
  }

  /** Sends a setup packet; the answer is ack or timeout. */
  setup(address, bytes) {
    if (!this.#answers(address)) return 'timeout';
    this.#chip.usbDPRAM.set(bytes);
    this.#usb.epStallArm &= ~3;
    this.#event(SETUP_RECEIVED);
    return 'ack';
  }

  /** Asks for a packet; returns {toggle, bytes}, or nak, stall or timeout. */
  in(address, number) {
    const refusal = this.#refusal(address, number, false);
    if (refusal !== null) return refusal;
    const buffer = this.#latched[this.#index(number, false)];
    const place = this.#endpoint(number, false) & PLACE;
    const bytes = this.#chip.usbDPRAM.slice(place, place + (buffer & LENGTH));
    this.#giveBack(number, false, buffer & ~(AVAILABLE | FULL));
    return { toggle: buffer & DATA_1 ? 1 : 0, bytes };
  }

  /** Sends a packet; returns ack, nak, stall or timeout. One with the wrong toggle is acknowledged, but ignored as a
   * repetition (USB 2.0 specification, 8.6.4). */
  out(address, number, toggle, bytes) {
    const refusal = this.#refusal(address, number, true);
    if (refusal !== null) return refusal;
    const buffer = this.#latched[this.#index(number, true)];
    if (bytes.length > (buffer & LENGTH)) return 'timeout';
    if ((buffer & DATA_1 ? 1 : 0) !== toggle) return 'ack';
    this.#chip.usbDPRAM.set(bytes, this.#endpoint(number, true) & PLACE);
    this.#giveBack(number, true, (buffer & ~(AVAILABLE | LENGTH)) | FULL | bytes.length);
    return 'ack';
  }
}
