// An emulated display with an SSD1306 on the I2C bus, as boards/shared/registers/ssd1306_panel.c; see there.
const COLUMNS = 128;
const ROWS = 64;
const PAGES = ROWS / 8;
const [HORIZONTAL, VERTICAL, BY_PAGE] = [0, 1, 2];
const ARGUMENTS = new Map([
  ...[0x20, 0x81, 0x8d, 0xa8, 0xd3, 0xd5, 0xd9, 0xda, 0xdb].map((one) => [one, 1]),
  ...[0x21, 0x22, 0xa3].map((one) => [one, 2]),
  ...[0x29, 0x2a].map((one) => [one, 5]),
  ...[0x26, 0x27].map((one) => [one, 6]),
]);

/** Memory as after power-on. */
function randomMemory() {
  let random = 1;
  return Uint8Array.from({ length: PAGES * COLUMNS }, () => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return random >>> 24;
  });
}

export class Panel {
  connected = true;
  #memory = randomMemory(); // by the drivers of the columns, SEG0 to SEG127
  #place = { page: 0, column: 0 }; // of the next data
  #spans = { page: [0, PAGES - 1], column: [0, COLUMNS - 1] }; // of horizontal and vertical addressing
  #addressing = BY_PAGE;
  #multiplex = ROWS;
  #offset = 0;
  #startLine = 0;
  #rowPins = 0x12;
  #flags = { reversedColumns: false, reversedRows: false, allLit: false, inverted: false, on: false, pump: false };
  #isControl = true;
  #control = 0;
  #command = [];

  /** @param glassRows 32 or 64. */
  constructor(glassRows) {
    this.glassRows = glassRows;
  }

  /** Writes a byte; `isFirst`: the first one after a start condition. */
  write(isFirst, byte) {
    if (isFirst || this.#isControl) {
      this.#control = byte;
      this.#isControl = false;
      return;
    }
    if (this.#control & 0x40) this.#takeData(byte);
    else this.#takeCommand(byte);
    this.#isControl = (this.#control & 0x80) !== 0;
  }

  /** Returns its status: bit 6 is 1 while the display is off. */
  read() {
    return this.#flags.on ? 0 : 0x40;
  }

  #advance(name) {
    const [first, last] = this.#spans[name];
    const ends = this.#place[name] === last;
    this.#place[name] = ends ? first : this.#place[name] + 1;
    return ends;
  }

  #takeData(byte) {
    const { page, column } = this.#place;
    this.#memory[page * COLUMNS + (this.#flags.reversedColumns ? COLUMNS - 1 - column : column)] = byte;
    if (this.#addressing === BY_PAGE) this.#place.column = (column + 1) % COLUMNS;
    else if (this.#addressing === HORIZONTAL && this.#advance('column')) this.#advance('page');
    else if (this.#addressing === VERTICAL && this.#advance('page')) this.#advance('column');
  }

  #takeCommand(byte) {
    this.#command.push(byte);
    if (this.#command.length <= (ARGUMENTS.get(this.#command[0]) ?? 0)) return;
    this.#obey(...this.#command);
    this.#command = [];
  }

  #select(name, count, first, last) {
    this.#spans[name] = [first % count, last % count];
    this.#place[name] = first % count;
  }

  #obey(command, one, other) {
    const place = this.#place;
    const flags = this.#flags;
    if (command <= 0x0f) place.column = (place.column & 0x70) | command;
    else if (command <= 0x1f) place.column = (place.column & 0x0f) | ((command & 7) << 4);
    else if (command === 0x20) this.#addressing = Math.min(one % 4, BY_PAGE);
    else if (command === 0x21) this.#select('column', COLUMNS, one, other);
    else if (command === 0x22) this.#select('page', PAGES, one, other);
    else if (command >= 0x40 && command <= 0x7f) this.#startLine = command & 0x3f;
    else if (command === 0x8d) flags.pump = (one & 4) !== 0;
    else if (command === 0xa8 && one % 64 >= 15) this.#multiplex = (one % 64) + 1;
    else if (command >= 0xb0 && command <= 0xb7) place.page = command & 7;
    else if ((command & 0xf7) === 0xc0) flags.reversedRows = (command & 8) !== 0;
    else if (command === 0xd3) this.#offset = one % ROWS;
    else if (command === 0xda) this.#rowPins = one;
    else if (command === 0xa0 || command === 0xa1) flags.reversedColumns = command === 0xa1;
    else if (command === 0xa4 || command === 0xa5) flags.allLit = command === 0xa5;
    else if (command === 0xa6 || command === 0xa7) flags.inverted = command === 0xa7;
    else if (command === 0xae || command === 0xaf) flags.on = command === 0xaf;
  }

  /** Returns the row of memory that a row of the glass shows; -1: none. */
  #memoryRow(row) {
    const driver = this.glassRows - 1 - row; // COM
    const scanned = this.#flags.reversedRows ? this.#multiplex - 1 - driver : driver;
    const line = (scanned + ROWS + this.#offset) % ROWS;
    return line < this.#multiplex ? (this.#startLine + line) % ROWS : -1;
  }

  #isLit(x, y) {
    const { on, pump, allLit, inverted } = this.#flags;
    const fits = (this.#rowPins & 0x10) === (this.glassRows === ROWS ? 0x10 : 0);
    const row = this.#memoryRow(y);
    if (!on || !pump || !fits || row < 0) return false;
    const bit = (this.#memory[(row >> 3) * COLUMNS + COLUMNS - 1 - x] >> (row & 7)) & 1;
    return allLit || (bit === 1) !== inverted;
  }

  /** Returns the pixels of the glass in hexadecimal. */
  show() {
    const bytes = new Uint8Array((this.glassRows / 8) * COLUMNS);
    for (let y = 0; y < this.glassRows; y++)
      for (let x = 0; x < COLUMNS; x++) bytes[(y >> 3) * COLUMNS + x] |= Number(this.#isLit(x, y)) << (y & 7);
    return `picture ${Buffer.from(bytes).toString('hex')}`;
  }
}
