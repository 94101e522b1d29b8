// The AVR toolchain inside of a page: a project's files are compiled in memory, by GCC as WebAssembly.
import {programsOf} from './compiler_words.js';

const NAME_END = 100; // of an entry of a tar archive
const SIZE = [124, 136];
const BLOCK = 512;

const decoder = new TextDecoder();
const textOf = (bytes) => decoder.decode(bytes).replace(/\0.*$/s, '');

// The files of an unpacked tar archive: [name, bytes] pairs.
export function* filesOf(archive) {
  for (let at = 0; at + BLOCK <= archive.length && archive[at];) {
    const size = parseInt(textOf(archive.subarray(at + SIZE[0], at + SIZE[1])), 8);
    yield [textOf(archive.subarray(at, at + NAME_END)), archive.subarray(at + BLOCK, at + BLOCK + size)];
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}

// What a program says, without what it says of its own place.
export class BuildError extends Error {}

export class AvrTools {
  // system: what bundles of WASI offer (wasi.js); load(name): gives the bytes of an unpacked pack.
  constructor(system, load) {
    this.system = system;
    this.load = load;
    this.sdk = this.folder(); // headers and libraries
    this.programs = new Map();
    this.packs = new Set();
    this.kept = new Map(); // what was compiled: words and text of a source -> bytes of its object
    this.headers = '';
  }

  folder(entries = []) {
    return new this.system.Directory(new Map(entries));
  }

  put(name, bytes, root) {
    const parts = name.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      if (!folder.contents.has(part)) folder.contents.set(part, this.folder());
      folder = folder.contents.get(part);
    }
    folder.contents.set(parts.at(-1), new this.system.File(bytes));
  }

  at(name) {
    return name.replace(/^\//, '').split('/').reduce((folder, part) => folder?.contents.get(part), this.root);
  }

  async need(pack) {
    if (this.packs.has(pack)) return;
    for (const [name, bytes] of filesOf(await this.load(pack))) {
      if (name.startsWith('bin/')) this.programs.set(name.slice('bin/'.length), await WebAssembly.compile(bytes));
      else if (name === 'processors.json') this.processors = JSON.parse(decoder.decode(bytes));
      else this.put(name, bytes, this.sdk);
    }
    this.packs.add(pack);
  }

  // Runs a program; gives what it says.
  async run(tool, args) {
    const {ConsoleStdout, File, OpenFile, PreopenDirectory, WASI} = this.system;
    let said = '';
    const out = () => new ConsoleStdout((bytes) => { said += decoder.decode(bytes, {stream: true}); });
    const files = new PreopenDirectory('/', this.root.contents); // paths begin there
    const wasi = new WASI([tool, ...args], [], [new OpenFile(new File([])), out(), out(), files], {debug: false});
    const program = await WebAssembly.instantiate(this.programs.get(tool), {wasi_snapshot_preview1: wasi.wasiImport});
    if (wasi.start(program)) throw new BuildError(said.trim() || `${tool} has failed`);
    return said;
  }

  // project: {files: {name: text}, commands: words of each, ram}; tell(done, total): of the commands.
  // Gives {elf, hex, said}. Throws BuildError with what the compiler says.
  async build({files, commands, ram}, tell) {
    await this.need('avr_c');
    if (commands.some(([command]) => command.endsWith('g++'))) await this.need('avr_cxx');
    this.begin(files);
    const said = [];
    let target = '';
    for (const [done, words] of commands.entries()) {
      tell(done, commands.length);
      for (const program of programsOf(words, this.processors, ram)) said.push(await this.make(program, files));
      target = words[words.indexOf('-o') + 1];
    }
    await this.run('avr-objcopy', ['-O', 'ihex', '-R', '.eeprom', target, 'firmware.hex']);
    return {elf: this.at(target).data, hex: decoder.decode(this.at('firmware.hex').data), said: said.join('')};
  }

  // A new project; what was compiled stays if all headers do.
  begin(files) {
    this.root = this.folder([['sdk', this.sdk], ['temporary', this.folder()]]);
    for (const [name, text] of Object.entries(files)) this.put(name, new TextEncoder().encode(text), this.root);
    const headers = JSON.stringify(Object.entries(files).filter(([name]) => !/\.(c|cpp|cc|cxx)$/.test(name)));
    if (headers !== this.headers) this.kept.clear();
    this.headers = headers;
  }

  async make({tool, args, made, source, moved}, files) {
    const key = source && `${args.join(' ')}\0${files[source]}`;
    if (key && this.kept.has(key)) {
      this.put(made.slice(1), this.kept.get(key), this.root);
      return '';
    }
    const said = await this.run(tool, args);
    if (moved) this.put(made, this.at(moved).data, this.root);
    if (key && !said) this.kept.set(key, this.at(made).data);
    return said;
  }
}
