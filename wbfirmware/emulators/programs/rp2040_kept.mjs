// Registers that rp2040js does not keep, so that they can be compared with the data sheet.
const WATCHDOG_TICK = 0x2c;
const TICK_CYCLES = 0x1ff;
const I2C_HOLD = 0x7c; // IC_SDA_HOLD
const TRANSMITTED = 0xffff;

/** Lets a register have the bits of a mask that were written last. */
function keep(peripheral, offset, mask) {
  const { readUint32, writeUint32 } = peripheral;
  let kept = 0;
  peripheral.writeUint32 = (place, value) => {
    if (place === offset) kept = value & mask;
    writeUint32.call(peripheral, place, value);
  };
  peripheral.readUint32 = (place) => {
    const value = readUint32.call(peripheral, place);
    return place === offset ? (value & ~mask) | kept : value;
  };
}

/** Lets a chip keep these registers. */
export function keepRegisters(chip) {
  keep(chip.peripherals[0x40058], WATCHDOG_TICK, TICK_CYCLES);
  keep(chip.i2c[0], I2C_HOLD, TRANSMITTED);
}
