/* Runs a board's Python in MicroPython's own virtual machine, compiled to WebAssembly.
 * Arguments: the module micropython.mjs of the package, and a JSON file with `files` (texts by path),
 * `config` (for the emulated board) and `start` (the file to run). */
import fs from 'node:fs';

const [, , library, bundle] = process.argv;
const {loadMicroPython} = await import(library);
const {files, config, start} = JSON.parse(fs.readFileSync(bundle, 'utf8'));
let waiting = Buffer.alloc(0);
const printed = [];

/* The next line of standard input without its end; ends the program when there is none. */
function readline() {
  const block = Buffer.alloc(65536);
  for (;;) {
    const end = waiting.indexOf(10);
    if (end >= 0) {
      const line = waiting.toString('utf8', 0, end);
      waiting = waiting.subarray(end + 1);
      return line;
    }
    let size = 0;
    try {
      size = fs.readSync(0, block);
    } catch (problem) {
      if (problem.code === 'EAGAIN') continue;
      if (problem.code !== 'EOF') throw problem;
    }
    if (size === 0) process.exit(0);
    waiting = Buffer.concat([waiting, block.subarray(0, size)]);
  }
}

function write(line) {
  fs.writeSync(1, line + '\n');
}

const vm = await loadMicroPython({
  heapsize: 4 * 1024 * 1024, linebuffer: false,
  stdout: (data) => printed.push(Buffer.from(data)),
});
vm.registerJsModule('host', {
  config: () => JSON.stringify(config), readline, write,
  printed: () => Buffer.concat(printed.splice(0)).toString('hex'),
});
for (const [path, text] of Object.entries(files)) {
  const folders = path.split('/').slice(0, -1);
  folders.forEach((_, depth) => {
    const folder = folders.slice(0, depth + 1).join('/');
    if (!vm.FS.analyzePath(folder).exists) vm.FS.mkdir(folder);
  });
  vm.FS.writeFile(path, text);
}
try {
  vm.runPython(files[start]);
} catch (problem) {
  write('ended ' + problem.message.trim().split('\n').pop());
}
process.exit(0);
