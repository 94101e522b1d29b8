// The computer of rp2040js at the USB port of a board, with its own controller: prints what the serial port sends.
//
// usage: node usb_computer.mjs MODULE FIRMWARE.elf MILLISECONDS [HEX]; the bytes HEX are sent when the port is open.
import { pathToFileURL } from 'node:url';
import { Program } from '../../wbfirmware/emulators/programs/rp2040_program.mjs';

const NS_PER_CYCLE = 8;
const [modulePath, programPath, milliseconds, hex = ''] = process.argv.slice(2);
const { RP2040, USBCDC } = await import(pathToFileURL(modulePath));

/** It sends this request to the device; the class has it for an interface (CDC 1.2, 6.2). */
class Computer extends USBCDC {
  constructor(usb) {
    super(usb);
    const send = usb.sendSetupPacket.bind(usb);
    usb.sendSetupPacket = (packet) => send(packet[1] === 0x22 ? packet.with(0, 0x21) : packet);
  }
}

const chip = new RP2040();
const silent = () => {};
chip.logger = { debug: silent, info: silent, warn: silent, error: silent };
const program = new Program(programPath);
program.load(chip);
chip.core.PC = program.begin;
const computer = new Computer(chip.usbCtrl);
const received = [];
computer.onSerialData = (bytes) => received.push(...bytes);
computer.onDeviceConnected = () => Buffer.from(hex, 'hex').forEach((byte) => computer.sendSerialByte(byte));
const { clock, core } = chip;
while (clock.nanos < Number(milliseconds) * 1e6) {
  if (core.waiting && core.pendingInterrupts & core.enabledInterrupts) core.waiting = false;
  clock.tick(core.waiting ? Math.max(clock.nanosToNextAlarm, NS_PER_CYCLE) : core.executeInstruction() * NS_PER_CYCLE);
}
process.stdout.write(JSON.stringify({ received: Buffer.from(received).toString('hex'), endpoints: [computer.inEndpoint, computer.outEndpoint] }));
