/* MicroPython's REPL at standard input and output: a board without its pins. Argument: micropython.mjs.
 * Code with flow control is declined, as MicroPython's manual says: the virtual machine cannot wait for input. */
import fs from 'node:fs';

const {loadMicroPython} = await import(process.argv[2]);
const vm = await loadMicroPython({
  linebuffer: false, stdout: (data) => fs.writeSync(1, Buffer.from(data)),
});
const PASTE = Buffer.from('\x05A\x01');
let begun = 0;
vm.replInit();
process.stdin.on('data', (data) => {
  for (const byte of data) {
    if (byte === PASTE[begun]) {
      begun++;
      if (begun === PASTE.length) {
        begun = 0;
        fs.writeSync(1, 'R\x00');
      }
    } else {
      for (const one of PASTE.subarray(0, begun)) vm.replProcessChar(one);
      begun = 0;
      vm.replProcessChar(byte);
    }
  }
});
