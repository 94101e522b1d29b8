// The worker in which a run lives: Python, the engine and the controllers. It answers messages while Python waits.
import {forgetMemory, hasMemory, keepArchive, keptArchive, keptMemory} from './kept.js';
import {startAgain, startNew, writeFiles} from './python_start.js';
import {notLoaded, PACKED, unpacked, whole} from './unpacked.js';
import {webGl} from './web_gl.js';
import {workerPort} from './worker_port.js';

const NEEDS = 'This browser cannot run worlds: it lacks JavaScript Promise Integration. Use a current Chromium, Chrome, Edge or Firefox.';
const PROJECT = '/project';
const FOR_VIEW = ['numpy', 'PIL'];
const FOR_MEMORY = [...FOR_VIEW, '_quickjs'];
const ARCHIVES = ['code', 'models'];
const FOLDER = '/wbridge'; // of what is in ARCHIVES
const PACKAGES = '/packages';
// Python's function that unpacks what is compressed as a whole; some servers let browsers do that.
const UNPACK = `
import lzma, sys
if '${FOLDER}' not in sys.path:
    sys.path.insert(0, '${FOLDER}')
def unpack(data):
    data = data.to_bytes()
    return lzma.decompress(data) if data[:5] == b'\\xfd7zXZ' else data
unpack`;

let python = null;
let take = null; // Python's function for messages of the page
let code = null; // Python's object for the code of the project
let robot = null; // Python's object for the real robot
let board = null; // Python's object for boards
let wasm = null; // the emulator of boards
let hardware = null; // Python's object for hardware maps
let unpack = null; // Python's function, see UNPACK
const shown = new Map(); // archives that were unpacked: name -> bytes
const loaded = new Set(); // archives that are loaded when they are needed
const early = new Map(); // those that were loaded before: name -> bytes

// What controllers must not reach: other servers, what this browser keeps for the site, and its other pages.
const FORBIDDEN = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'RTCPeerConnection', 'Worker', 'SharedWorker', 'BroadcastChannel', 'indexedDB', 'caches', 'cookieStore', 'navigator', 'importScripts'];
const Request = self.XMLHttpRequest;

function forbid() {
  for (const name of FORBIDDEN) {
    for (let owner = self; owner; owner = Object.getPrototypeOf(owner)) delete owner[name];
    Object.defineProperty(self, name, {value: undefined});
  }
}

const say = (kind, more = {}, moved = []) => self.postMessage({kind, ...more}, moved);

const load = self.fetch.bind(self);
let lose = null; // ends the wait for Python, which would never notice

async function fetchPart(...request) {
  try {
    if (String(request[0]).endsWith(PACKED)) return new Response(await unpacked(request[0], load));
    return await whole(load, ...request);
  } catch (problem) {
    lose?.(problem);
    throw problem;
  }
}

const lost = new Promise((_, reject) => (lose = reject));
lost.catch(() => {}); // also when nothing waits for it
self.fetch = fetchPart; // also for Pyodide's files

// What of an error a person can use: of Python's text, what follows the traceback, without Pyodide's advice.
function brief(error) {
  const lines = String(error?.message ?? error).trim().split('\n').map((line) => line.replace(/^\[[^\]]*\] /, '')); // the controller's name
  const last = lines.findLastIndex((line) => /^[\w.]+(Error|Exception|Exit)\b/.test(line));
  return lines.slice(Math.max(last, 0)).filter((line) => line && !/Pyodide|loadPackage|micropip|install it by/.test(line)).join('\n').replace(/^wbridge\.[\w.]+: /, '');
}

const addressOf = (name) => new URL(`./${name}.zip.xz`, import.meta.url);

// What the 3D view needs anyway is loaded beside the rest, not when Python waits for it.
async function loadEarly(name) {
  early.set(name, await (await whole(load, addressOf(name))).arrayBuffer());
}

// Loads a file while Python waits: an import cannot give way to the page.
function loadNow(address) {
  const request = new Request();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  try {
    request.send();
  } catch {} // no answer
  if (request.status !== 200) throw notLoaded(address, request.status);
  return request.response;
}

// Unpacks an archive into a folder of Python.
function unpackInto(folder, name, data) {
  const proxy = unpack(new Uint8Array(data));
  const bytes = bytesOfPython(proxy);
  writeFiles(python, bytes, folder);
  shown.set(name, bytes);
}

// Brings one of the site's packages into a folder of Python; one that is lost or cut on its way is loaded once more.
function loadPackage(name, folder) {
  say('progress', {text: `Loading ${name}`});
  try {
    unpackInto(folder, name, early.get(name) ?? loadNow(addressOf(name)));
  } catch {
    unpackInto(folder, name, loadNow(addressOf(name)));
  } finally {
    early.delete(name);
    say('progress', {text: ''});
  }
  python.pyimport('importlib').invalidate_caches();
}

const output = {stdout: (text) => say('printed', {text}), stderr: (text) => say('printed', {text})};

// At a first visit, everything comes from the network, and Python starts from its library.
async function startFirst(hasView) {
  const loading = ARCHIVES.map((name) => whole(load, addressOf(name)).then((answer) => answer.arrayBuffer()));
  const forView = hasView ? FOR_VIEW.map(loadEarly) : [];
  const packages = fetch(new URL('./packages.json', import.meta.url));
  python = await Promise.race([lost, startNew(output)]);
  say('progress', {text: 'Loading the simulator'});
  unpack = python.runPython(UNPACK);
  for (const [i, name] of ARCHIVES.entries()) unpackInto(FOLDER, name, await loading[i]);
  python.pyimport('wbridge.live.in_page').allow_packages(await (await packages).text());
  await Promise.allSettled(forView); // what has failed is tried again when it is used
}

// Later, Python goes on with the memory that was kept, and with what was unpacked. Gives false if there is none.
async function startLater() {
  try {
    const memory = await keptMemory();
    if (!memory) return false;
    const archives = await Promise.all(memory.state.archives.map(async ([folder, name]) => [folder, await keptArchive(name)]));
    python = await Promise.race([lost, startAgain(memory, archives, output)]);
    for (const [folder, bytes] of archives) writeFiles(python, bytes, folder);
    python.pyimport('wbridge.live.kept_memory').fit_for_use();
    unpack = python.runPython(UNPACK);
    return true;
  } catch (problem) {
    console.warn(problem);
    await forgetMemory();
    return false;
  }
}

// project: the bytes of a person's zip; files: [name, bytes] pairs of a person's folder; changes: [name, text] pairs that were kept in the
// browser.
async function start({project, files, world, options, changes}) {
  if (!('Suspending' in WebAssembly)) throw new Error(NEEDS);
  say('progress', {text: 'Loading Python'});
  if (!(await startLater())) await startFirst(!options?.steps && !options?.check && !options?.verify);
  python.registerJsModule('page', {say: (kind, text) => say(kind, {text}), send: sendOn, port: port.forPython, emulator, pictures: webGl, listen: (...ofRun) => ([take, code, robot] = ofRun)});
  const page = python.pyimport('wbridge.live.in_page');
  python.pyimport('wbridge.live.switches').use_places();
  page.load_by((name) => loadPackage(name, PACKAGES));
  forbid();
  const where = files ? page.write(files, PROJECT) : project ? page.unpack(new Uint8Array(project), PROJECT) : FOLDER;
  for (const [name, text] of changes) page.change(where, name, text);
  if (options?.check) need('grading');
  if (options?.verify) for (const one of ['firmware', 'verification']) need(one);
  say('progress', {text: 'Opening the world'});
  const runs = options?.verify ? python.pyimport('wbridge.live.page_verification') : page;
  const result = await runs.run.callPromising(where, world, python.toPy(options ?? {}));
  say('ended', {text: result});
}

// Starts an emulated board; see board_emulator.js.
async function emulator(program, words) {
  const {startBoard} = await import('./board_emulator.js');
  wasm ??= loadNow(new URL('./simavr.wasm', import.meta.url));
  return startBoard(wasm, program, words);
}

// Text, or bytes of Python.
function sendOn(data) {
  if (typeof data === 'string') {
    say('text', {data});
    return;
  }
  const {buffer} = bytesOfPython(data);
  say('bytes', {data: buffer}, [buffer]);
}

function bytesOfPython(data) {
  const copy = data.toJs().slice();
  data.destroy();
  return copy;
}

const port = workerPort(say, bytesOfPython);

function need(name) {
  if (!loaded.has(name)) loadPackage(name, FOLDER);
  loaded.add(name);
}

// The plugins of real robots are loaded with the first one.
function connect(...robotAtPort) {
  need('robots');
  robot.connect(...robotAtPort);
}

// Lets Python use a board; it waits for the board's answers while the run goes on.
function use(what, ...values) {
  need('firmware');
  board ??= python.pyimport('wbridge.live.page_board').PageBoard(robot, (text) => say('board', {text}));
  return board[what].callPromising(...values);
}

// The hardware map as a form: what PageHardware does, and the values for that.
function form(what, ...values) {
  need('firmware');
  hardware ??= python.pyimport('wbridge.live.page_hardware').PageHardware(robot.runner);
  return hardware[what](...values);
}

// The text of an exercise; '' if the project is none.
function exercise() {
  if (!code?.is_exercise) return '';
  need('grading');
  return python.pyimport('wbridge.live.exercise').described(code.folder);
}

// Keeps what was unpacked for the next visit; gives what memory_worker.js needs to keep a memory, and null if there is one.
async function keep() {
  if (await hasMemory()) return null;
  const parts = [...shown].filter(([name]) => ARCHIVES.includes(name) || FOR_MEMORY.includes(name));
  for (const part of parts) await keepArchive(...part);
  const archives = parts.map(([name]) => [ARCHIVES.includes(name) ? FOLDER : PACKAGES, name]);
  return {archives, modules: python.pyimport('wbridge.live.kept_memory').imported()};
}

// What the page asks for: memory, the addresses of what was loaded, a file of the 3D view, the project's code, and a real robot.
const ANSWERS = {
  keep,
  memory: () => python._module.HEAP8.length, // bytes; it only grows
  loaded: () => performance.getEntriesByType('resource').map((one) => one.name),
  scene: (name) => python.FS.readFile(`/scene/${name}`).slice(),
  files: () => code.files(),
  read: (name) => code.read(name),
  write: (name, text) => code.write(name, text),
  archive: () => bytesOfPython(code.archive()),
  robots: () => robot.robots(),
  connect,
  disconnect: () => robot.disconnect(),
  flash: (text) => use('flash', text),
  copy: (data) => use('copy', data),
  monitor: (baud) => use('monitor', baud),
  leave: () => board?.leave(),
  form,
  exercise,
  program: () => bytesOfPython(form('build')),
  project: () => form('project'),
  compiled: (data) => form('compiled', data),
};

async function answer({id, what, values}) {
  try {
    say('answer', {id, data: await ANSWERS[what](...values)});
  } catch (problem) {
    say('answer', {id, problem: brief(problem)});
  }
}

// A memory may be to blame unless Python says what is wrong.
function fail(error) {
  if (error?.name !== 'PythonError') forgetMemory();
  say('failed', {text: brief(error), trace: String(error?.stack ?? error)});
}

self.onmessage = ({data}) => {
  if (data.kind === 'start') start(data).catch(fail);
  else if (data.kind === 'ping') say('pong');
  else if (data.kind === 'ask') answer(data);
  else if (data.kind === 'port') port.hear(data);
  else take?.(data.data);
};
