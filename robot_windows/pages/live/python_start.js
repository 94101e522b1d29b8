// Starts Python, from its library or from what its memory was at an earlier visit.
import {loadPyodide} from './pyodide.mjs';

const HERE = new URL('./', import.meta.url).href;
const LIBRARY = new URL('./python_stdlib.zip.gz', import.meta.url).href;
const ENTRY = 0x04034b50; // how a file in an archive begins
const HEAD = 30; // bytes before its name
const COMPILED = '.so';

// The files of an archive that is not compressed: [name, bytes] pairs.
export function* filesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  for (let at = 0; view.getUint32(at, true) === ENTRY; ) {
    const size = view.getUint32(at + 18, true);
    const nameEnd = at + HEAD + view.getUint16(at + 26, true);
    const begin = nameEnd + view.getUint16(at + 28, true);
    yield [text.decode(bytes.subarray(at + HEAD, nameEnd)), bytes.subarray(begin, begin + size)];
    at = begin + size;
  }
}

// Writes the files of an archive into a folder of Python, which shares their bytes.
export function writeFiles(python, bytes, folder) {
  const {FS} = python;
  let last = null;
  for (const [name, data] of filesOf(bytes)) {
    const slash = name.lastIndexOf('/');
    const parent = slash < 0 ? folder : `${folder}/${name.slice(0, slash)}`;
    if (parent !== last) FS.mkdirTree((last = parent));
    if (slash < name.length - 1) FS.writeFile(`${folder}/${name}`, data, {canOwn: true});
  }
}

// Compiled modules in archives, [folder, bytes] pairs: they have their place in the memory before anything else, so that it is the same at each start.
async function compiledIn(archives) {
  const files = archives.flatMap(([folder, bytes]) => [...filesOf(bytes)].map(([name, data]) => [`${folder}/${name}`, data]));
  return Promise.all(files.filter(([name]) => name.endsWith(COMPILED)).map(async ([name, data]) => [name, await WebAssembly.compile(data)]));
}

function place(module, compiled) {
  for (const [name, code] of compiled) module.preloadedWasm[name] = module.loadWebAssemblyModule(code, {global: false, nodelete: true}, name, {});
}

const options = (more) => ({indexURL: HERE, stdLibURL: LIBRARY, ...more});

export const startNew = (more) => loadPyodide(options(more));

// Starts a Python whose memory can be kept.
export async function startForKeeping(archives) {
  const compiled = await compiledIn(archives);
  let start = 0; // entries of the table of functions before Python starts
  const python = await loadPyodide(options({
    _makeSnapshot: true,
    async createPyodideModule(settings) {
      settings.preRun.push((module) => {
        place(module, compiled);
        start = module.wasmTable.length;
      });
      return (await import('./pyodide.asm.mjs')).default(settings);
    },
  }));
  return {python, start};
}

// The memory of a Python, and what of JavaScript belongs to it.
export function memoryOf({python, start}, archives) {
  const {HEAP8, LDSO, wasmTable} = python._module;
  const handles = Object.entries(LDSO.loadedLibsByHandle).map(([handle, {name}]) => [Number(handle), name]);
  for (let entry = start; entry < wasmTable.length; entry += 1) if (wasmTable.get(entry)) throw new Error('a function was added to the table');
  const heap = python.makeMemorySnapshot();
  return {state: {size: HEAP8.length, start, end: wasmTable.length, handles, archives}, heap};
}

// Starts Python with a memory that was kept; more: options of Pyodide.
export async function startAgain({state, heap}, archives, more) {
  const compiled = await compiledIn(archives);
  const python = await loadPyodide(options({
    ...more,
    _loadSnapshot: heap,
    async createPyodideModule(settings) {
      settings.preRun.push((module) => {
        place(module, compiled);
        module.growMemory(state.size);
        if (module.wasmTable.length !== state.start) throw new Error('another table of functions');
      });
      return (await import('./pyodide.asm.mjs')).default(settings);
    },
  }));
  const {freeTableIndexes, loadDynamicLibrary, wasmTable} = python._module;
  for (const [handle, name] of state.handles) if (name !== '__main__') loadDynamicLibrary(name, {global: false, nodelete: true}, {}, handle);
  while (wasmTable.length < state.end) freeTableIndexes.push(wasmTable.grow(1)); // entries that were used for a while
  if (wasmTable.length !== state.end) throw new Error('another table of functions');
  return python;
}
