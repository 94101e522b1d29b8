// A board with an AVR inside of the worker of a page: simavr as WebAssembly, with the lines that it obeys everywhere (wbfirmware/bench.py).
import createSimavr from './simavr.mjs';

const PROGRAM = '/firmware.elf';

// wasm, program: bytes; words: of the command after the program. Gives {obey(lines): what it says, code(): undefined while it runs}.
export async function startBoard(wasm, program, words) {
  let said = '';
  let code; // Python's None while it runs
  const compiled = await WebAssembly.compile(wasm);
  const board = await createSimavr({
    instantiateWasm: (imports, done) => done(new WebAssembly.Instance(compiled, imports)),
    noInitialRun: true,
    print: (line) => { said += `${line}\n`; },
    printErr: (line) => console.warn(line),
    onExit: (status) => { code = status; },
  });
  board.FS.writeFile(PROGRAM, program);
  const taken = (act) => {
    try {
      act();
    } catch (end) {
      if (end.name !== 'ExitStatus') throw end;
      code = end.status;
    }
    const text = said;
    said = '';
    return text;
  };
  const begun = taken(() => board.callMain([PROGRAM, ...words]));
  return {begun, obey: (lines) => taken(() => board.ccall('obey_text', 'number', ['string'], [lines])), code: () => code};
}
