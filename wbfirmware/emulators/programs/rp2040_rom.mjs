// The part of the RP2040's boot ROM that a program can call: data sheet, section 2.8.3. It has one function, which
// resets the chip into the boot loader.
const TABLE = 0x14; // the halfword that tells where the table of functions is
const LOOKUP = 0x40;
const RESET_TO_USB = 0x60;
const CODE = 0x4255; // UB

/** Thumb code: if (r1 == CODE) return RESET_TO_USB; else return 0. */
const LOOKUP_CODE = [0x4a03, 0x2000, 0x4291, 0xd100, 0x2061, 0x4770, 0x46c0, 0x46c0, CODE, 0];
const BREAKPOINT = 0xbe00;

/** Writes the ROM; `booted` is called when the program has entered the boot loader. */
export function install(chip, booted) {
  const rom = new DataView(chip.bootrom.buffer);
  const put = (place, halfwords) => halfwords.forEach((one, k) => rom.setUint16(place + 2 * k, one, true));
  put(TABLE, [LOOKUP, 0, LOOKUP + 1]); // of this ROM only the function reads the table
  put(LOOKUP, LOOKUP_CODE);
  put(RESET_TO_USB, [BREAKPOINT, 0xe7fe]);
  chip.onBreak = booted;
}
