// The program of a board with an RP2040: an ELF file, and the check of its first 256 bytes by the boot ROM.
import fs from 'node:fs';

const FLASH = 0x10000000;
const BOOT_BYTES = 256;
const LOADED = 1; // PT_LOAD
const POLYNOMIAL = 0x04c11db7;

/** Returns the checksum of the second boot stage: RP2040 data sheet, section 2.8.1.3.1. */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let k = 0; k < 8; k++) sum = sum & 0x80000000 ? (sum << 1) ^ POLYNOMIAL : sum << 1;
  }
  return sum >>> 0;
}

/** What is in the flash. */
export class Program {
  begin = FLASH;
  image = Buffer.alloc(0);

  constructor(path) {
    const file = fs.readFileSync(path);
    const first = file.readUInt32LE(0x1c);
    const size = file.readUInt16LE(0x2a);
    const count = file.readUInt16LE(0x2c);
    for (let k = 0; k < count; k++) this.#add(file, first + k * size);
    const boot = this.image.subarray(0, BOOT_BYTES);
    const sum = checksum(boot.subarray(0, BOOT_BYTES - 4));
    if (boot.length < BOOT_BYTES || sum !== boot.readUInt32LE(BOOT_BYTES - 4))
      throw new Error(`the boot ROM refuses the firmware: the checksum of its first 256 bytes is 0x${sum.toString(16)}`);
  }

  #add(file, header) {
    if (file.readUInt32LE(header) !== LOADED) return;
    const offset = file.readUInt32LE(header + 4);
    const place = file.readUInt32LE(header + 12) - FLASH;
    const size = file.readUInt32LE(header + 16);
    if (size === 0) return;
    const whole = Buffer.alloc(Math.max(this.image.length, place + size), 0xff);
    this.image.copy(whole);
    file.copy(whole, place, offset, offset + size);
    this.image = whole;
  }

  load(chip) {
    chip.flash.set(this.image);
  }
}
