// A board with an RP2040 under rp2040js: runs a firmware and serves its wire and its pins. The wire is the USB port if
// the firmware connects it, else the serial port.
//
// usage: node rp2040_board.mjs MODULE FIRMWARE.elf SUPPLY [--terminal FD NAME] [--begin ADDRESS]... [--trace FILE]
// The protocol is that of wbridge.wbfirmware.bench. Without --terminal, time passes only in `run`; otherwise it is real
// time, and the wire is the terminal with this file descriptor. With --begin, time starts when the program first
// reaches one of these addresses. --trace appends the addresses of executed instructions to a file. `load` returns
// what the processor did since the last call (Board.load). `control SETUP DATA`, in hexadecimal, lets the computer at
// the USB port make a control transfer while time passes: `control ack DATA`, or stall, nak, timeout, babble or error;
// `abandon SETUP PACKETS` begins one and gives it up after some packets to the computer.
// `drive USB:NAME VALUE` changes what this computer does (UsbHost.wanted), `show USB:PORT` tells whether it knows the
// port and `show USB:LATE` how many packets were late in a frame (UsbHost.show), `show USB:DRIVE` whether the board is in its boot loader.
// `boot MICROSECONDS` lets some of the time before --begin pass and returns `booting` or `begun`, `jump ADDRESS`
// continues at a function that does not return, `hang` lets the processor do nothing more, `drive I2C:HELD 1` lets a device hold the bus's clock line low.
// `halt MICROSECONDS` lets time pass in which the processor does nothing. `untrace` ends the trace.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Bus } from './rp2040_bus.mjs';
import { keepRegisters } from './rp2040_kept.mjs';
import { Program } from './rp2040_program.mjs';
import { Pins } from './rp2040_pins.mjs';
import { install } from './rp2040_rom.mjs';
import { UsbHost } from './rp2040_usb_host.mjs';

const NS_PER_CYCLE = 8; // 125 MHz
const NS_PER_US = 1000;
const NS_PER_MS = 1e6;
const LONGEST_START_NS = 10e9; // until the program reaches --begin
const SLICE_NS = 2e6; // of real time
const BY_WATCHDOG = 1; // its timer, as the register REASON tells
const BY_PROGRAM = 2; // that has triggered the watchdog
const TO_BOOT_LOADER = 4;
const ALL_BUT_OSCILLATORS = 0x1fffc; // what the watchdog is to reset
const USB = /^USB:(\w+)$/;
const FLASH = 0x10000000;
const RAM = 0x20000000;
const MARKED_BYTES = 1 << 21; // of each, from its first byte on
const CONTROL_NS = 2e9; // until a control transfer counts as never ending

const [modulePath, programPath, supply, ...options] = process.argv.slice(2);
const { RP2040 } = await import(pathToFileURL(modulePath));

let said = ''; // lines that were not written yet

const say = (line) => {
  said += `${line}\n`;
};

/** Writes the lines; all replies at once, because each time another process wakes up takes longer than most lines. */
function write() {
  if (said !== '') fs.writeSync(1, said);
  said = '';
}

/** Ends the emulator; the last line gives the reason. */
function fail(why) {
  say(`ended ${why}`);
  write();
  process.exit(2);
}

/** The chip with its program; a watchdog reset makes a new one, whose clock goes on. */
class Board {
  constructor(program, volts) {
    this.program = program;
    this.clock = new RP2040().clock; // the module does not export the class of its clock
    this.bus = new Bus(this.clock);
    this.pins = new Pins(this.clock, volts);
    const refuse = (why) => fail(`the computer refuses the USB device: ${why}`);
    this.usb = new UsbHost(this.clock, (bytes) => this.sent.push(...bytes), refuse);
    this.sent = [];
    this.given = [];
    this.executed = null; // places of instructions, see Places
    this.load = { awake: 0, longest: 0, inService: 0, interrupts: 0, locked: 0 }; // ns since the last call of load
    this.stretch = 0; // ns since the last sleep
    this.level = 0; // number of the exception after the last instruction; 0: none
    this.off = 0; // ns since interrupts were enabled
    this.restart(0);
  }

  restart(reason) {
    this.clock.nextAlarm = null; // alarms of the chip before the reset
    const chip = new RP2040(this.clock);
    const silent = () => {};
    chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
    if (reason) chip.sram.set(this.chip.sram); // a reset keeps the memory
    this.program.load(chip);
    chip.core.PC = this.program.begin;
    const watchdog = chip.peripherals[0x40058];
    watchdog.reason = reason & (BY_WATCHDOG | BY_PROGRAM);
    if (watchdog.reason) watchdog.scratchData.set(this.chip.peripherals[0x40058].scratchData);
    watchdog.onWatchdogTrigger = () => {
      watchdog.alarm.enable = false; // else rp2040js repeats it at the same time forever
      if (chip.peripherals[0x40010].wdsel !== ALL_BUT_OSCILLATORS) fail('the watchdog resets only a part of the chip');
      this.resetBy = watchdog.reason;
    };
    keepRegisters(chip);
    install(chip, () => {
      this.resetBy = TO_BOOT_LOADER;
    });
    this.usb.attach(chip);
    chip.uart[0].onByte = (byte) => this.sent.push(byte);
    this.bus.attach(chip.i2c[0]);
    this.pins.attach(chip);
    this.chip = chip;
    this.resetBy = 0;
    this.hangs = false;
    this.inBootLoader = reason === TO_BOOT_LOADER;
    chip.core.waiting = this.inBootLoader; // this program is not run
  }

  /** Leaves the boot loader as after a new program was copied to its drive: by the watchdog, without its mark. */
  leaveBootLoader() {
    if (!this.inBootLoader) return false;
    this.chip.peripherals[0x40058].scratchData.fill(0);
    this.restart(BY_WATCHDOG);
    return true;
  }

  /** Passes bytes to the USB port, or to the serial port as many as it accepts. */
  feed() {
    if (this.usb.isUsed) this.usb.give(this.given.splice(0));
    const uart = this.chip.uart[0];
    while (this.given.length > 0 && uart.enabled && !uart.rxFIFO.full) uart.feedByte(this.given.shift());
  }

  /** Runs until a time, or until the program reaches one of the addresses. */
  runUntil(nanos, begins = null) {
    const { clock } = this;
    while (clock.nanosCounter < nanos) {
      const { core } = this.chip;
      if (begins !== null && begins.has(core.PC)) return;
      if (this.given.length > 0) this.feed();
      if (core.waiting && core.pendingInterrupts & core.enabledInterrupts)
        core.waiting = false; // was pending before the processor slept, which rp2040js overlooks
      if (core.waiting || this.hangs) {
        const next = clock.nextAlarm === null ? Infinity : clock.nanosToNextAlarm;
        clock.tick(Math.min(next, nanos - clock.nanosCounter));
      } else {
        this.execute(core, nanos, begins);
      }
      if (this.resetBy) this.restart(this.resetBy);
    }
  }

  /** Executes instructions of an awake processor until a time, at least one, and at most until something happens. */
  execute(core, nanos, begins) {
    const { clock, executed } = this;
    for (;;) {
      if (executed !== null) {
        if (core.interruptsUpdated) core.checkForInterrupts(); // the next instruction is then an interrupt's first
        executed.add(core.PC & ~1); // odd after calls by registers
      }
      const spent = core.executeInstruction() * NS_PER_CYCLE;
      this.count(core, spent);
      const now = clock.nanosCounter + spent;
      const alarm = clock.nextAlarm;
      if (alarm !== null && alarm.nanos <= now) return clock.tick(spent);
      clock.nanosCounter = now;
      if (now >= nanos || core.waiting || this.resetBy || begins !== null || this.given.length > 0) return undefined;
    }
  }

  /** Counts an instruction that has been executed. */
  count(core, nanos) {
    const { load } = this;
    const level = core.IPSR;
    load.awake += nanos;
    this.stretch += nanos;
    if (core.waiting) {
      if (this.stretch > load.longest) load.longest = this.stretch;
      this.stretch = 0;
    }
    if (level > 0 || this.level > 0) load.inService += nanos;
    if (level > 0 && level !== this.level) load.interrupts += 1;
    this.level = level;
    this.off = level > 0 || core.PM ? this.off + nanos : 0;
    if (this.off > load.locked) load.locked = this.off;
  }

  /** Returns the counts in us, and starts again. */
  takeLoad() {
    const { awake, longest, inService, interrupts, locked } = this.load;
    this.load = { awake: 0, longest: 0, inService: 0, interrupts: 0, locked: 0 };
    return [awake / 1000, longest / 1000, inService / 1000, interrupts, locked / 1000].join(' ');
  }

  take() {
    const hex = Buffer.from(this.sent).toString('hex');
    this.sent = [];
    return hex;
  }

  memory(place, size) {
    const bytes = [];
    for (let k = 0; k < size; k++) bytes.push(this.chip.readUint8(place + k));
    return Buffer.from(bytes).toString('hex');
  }
}

let terminal = null;
let trace = null;
const begins = new Set();
while (options.length > 0) {
  const option = options.shift();
  if (option === '--terminal') terminal = { fd: Number(options.shift()), name: options.shift() };
  else if (option === '--begin') begins.add(Number(options.shift()));
  else if (option === '--trace') trace = options.shift();
  else fail(`unknown option ${option}`);
}

/** Places of executed instructions: those in flash and RAM are marked, which is faster than a set. */
class Places {
  constructor() {
    this.flash = new Uint8Array(MARKED_BYTES / 2);
    this.ram = new Uint8Array(MARKED_BYTES / 2);
    this.others = new Set();
    this.added = []; // since the last call of take
  }

  add(place) {
    const marks = place < RAM ? this.flash : this.ram;
    const index = (place - (place < RAM ? FLASH : RAM)) >>> 1;
    if (index < marks.length ? marks[index] !== 0 : this.others.has(place)) return;
    if (index < marks.length) marks[index] = 1;
    else this.others.add(place);
    this.added.push(place);
  }

  /** Returns those executed for the first time since the last call. */
  take() {
    return this.added.splice(0);
  }
}

let board;
try {
  board = new Board(new Program(programPath), Number(supply));
} catch (problem) {
  fail(problem.message);
}
if (trace !== null) board.executed = new Places();

/** Appends the instructions that have run for the first time. */
function writeTrace() {
  const found = board.executed === null ? [] : board.executed.take();
  if (found.length === 0) return;
  fs.appendFileSync(trace, found.map((place) => `${place}\n`).join(''));
}

let scheduled = 0; // the last instruction of a run may exceed it; the next run is shorter
let started = begins.size === 0;

function pass(microseconds) {
  if (!started) {
    board.runUntil(LONGEST_START_NS, begins);
    scheduled = board.clock.nanos - (board.clock.nanos % NS_PER_MS); // a whole millisecond, as the program counts
    started = true;
  }
  scheduled += microseconds * NS_PER_US;
  board.runUntil(scheduled);
  writeTrace();
}

function run(microseconds) {
  pass(microseconds);
  return `ran ${board.take()}`;
}

/** Drives a pin, and lets time pass without a reply: an encoder makes thousands of edges. */
function edge(name, level, microseconds) {
  if (!board.pins.drive(name, level)) return `error edge ${name}`;
  pass(microseconds);
  return null;
}

/** Lets time pass without instructions, as while a debugger looks: all interrupts come late. */
function halt(microseconds) {
  board.hangs = true;
  pass(microseconds);
  board.hangs = false;
  return null;
}

/** Lets some of the set-up pass, which ends where the program is about to begin. */
function boot(microseconds) {
  if (!started) board.runUntil(board.clock.nanos + microseconds * NS_PER_US, begins);
  return started || begins.has(board.chip.core.PC) ? 'begun' : 'booting';
}

/** Continues at another function, which does not return: the rest of the program is abandoned. */
function jump(place) {
  const { core } = board.chip;
  while (core.IPSR > 0) board.runUntil(board.clock.nanos + NS_PER_CYCLE);
  core.PC = place & ~1;
  core.PM = 0;
  core.waiting = false;
  return 'jumped';
}

function drive(name, value) {
  if (name === 'USB:DRIVE') return board.leaveBootLoader();
  const usb = USB.exec(name);
  if (usb !== null) return board.usb.drive(usb[1].toLowerCase(), value);
  return (board.bus.knows(name) ? board.bus : board.pins).drive(name, value);
}

function show(name) {
  if (name === 'USB:PORT' || name === 'USB:LATE') return board.usb.show(name.slice(4));
  if (name === 'USB:DRIVE') return `drive ${Number(board.inBootLoader)}`;
  return (board.bus.knows(name) ? board.bus : board.pins).show(name);
}

/** Makes a control transfer, for which time passes. */
function control(setup, data, packets = null) {
  let answer = null;
  board.usb.control(Buffer.from(setup, 'hex'), [...Buffer.from(data, 'hex')], packets, (result) => {
    answer = result;
  });
  const end = board.clock.nanos + CONTROL_NS;
  while (answer === null && board.clock.nanos < end) board.runUntil(board.clock.nanos + NS_PER_MS / 10);
  scheduled = Math.max(scheduled, board.clock.nanos);
  return answer === null ? 'control lost' : `control ${answer.status} ${Buffer.from(answer.bytes).toString('hex')}`;
}

const VERBS = {
  drive: (words) =>
    drive(words[0], Number(words[1])) ? null : `error drive ${words.join(' ')}: there is no such pin`,
  show: (words) => show(words[0]),
  control: (words) => control(words[0], words[1] ?? ''),
  abandon: (words) => control(words[0], '', Number(words[1])),
  memory: (words) => `memory ${board.memory(Number(words[0]), Number(words[1]))}`,
  send: (words) => {
    board.given.push(...Buffer.from(words[0] ?? '', 'hex'));
    return null;
  },
  load: () => `load ${board.takeLoad()}`,
  run: (words) => run(Number(words[0])),
  edge: (words) => edge(words[0], Number(words[1]), Number(words[2])),
  boot: (words) => boot(Number(words[0])),
  jump: (words) => jump(Number(words[0])),
  hang: () => {
    board.hangs = true;
    return null;
  },
  halt: (words) => halt(Number(words[0])),
  untrace: () => {
    board.executed = null;
    return null;
  },
};

function obey(line) {
  const [verb, ...words] = line.trim().split(/\s+/);
  const answer = VERBS[verb] === undefined ? `error ${line}` : VERBS[verb](words);
  if (answer !== null) say(answer);
}

/** Executes lines as they come; ends with the input. */
function runInLockstep() {
  say('wire lockstep');
  write();
  const chunk = Buffer.alloc(65536);
  let text = '';
  for (let size; (size = fs.readSync(0, chunk)) > 0; ) {
    const lines = (text + chunk.toString('latin1', 0, size)).split('\n');
    text = lines.pop();
    lines.forEach(obey);
    write();
  }
}

/** Returns what has arrived at the terminal. */
function readTerminal() {
  const chunk = Buffer.alloc(4096);
  try {
    return chunk.subarray(0, fs.readSync(terminal.fd, chunk));
  } catch (problem) {
    if (problem.code === 'EAGAIN' || problem.code === 'EIO') return chunk.subarray(0, 0);
    throw problem;
  }
}

function writeTerminal() {
  if (board.sent.length === 0) return;
  try {
    board.sent.splice(0, fs.writeSync(terminal.fd, Buffer.from(board.sent)));
  } catch (problem) {
    if (problem.code !== 'EAGAIN') throw problem;
  }
}

function runInRealTime() {
  say(`wire serial://${terminal.name}`);
  write();
  let text = '';
  process.stdin.on('data', (data) => {
    const lines = (text + data.toString('latin1')).split('\n');
    text = lines.pop();
    lines.forEach(obey);
    write();
  });
  process.stdin.on('end', () => process.exit(0));
  let last = process.hrtime.bigint();
  setInterval(() => {
    const now = process.hrtime.bigint();
    board.given.push(...readTerminal());
    board.runUntil(board.clock.nanos + Math.min(Number(now - last), 10 * SLICE_NS));
    last = now;
    writeTrace();
    writeTerminal();
  }, SLICE_NS / NS_PER_MS);
}

if (terminal === null) runInLockstep();
else runInRealTime();
