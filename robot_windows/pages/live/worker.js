// The worker in which a run lives: Python, the engine and the controllers. It answers messages while Python waits.
import {loadPyodide} from './pyodide.mjs';
import {notLoaded, PACKED, unpacked, whole} from './unpacked.js';
import {webGl} from './web_gl.js';
import {workerPort} from './worker_port.js';

const NEEDS = 'This browser cannot run worlds: it lacks JavaScript Promise Integration. Use a current Chromium, Chrome, Edge or Firefox.';
const PROJECT = '/project';
const FOR_VIEW = ['numpy', 'PIL'];
const LIBRARY = new URL('./python_stdlib.zip.gz', import.meta.url).href;
// Python's function that unpacks the archives with which it starts.
const UNPACK = `
import io, lzma, sys, zipfile
sys.path.insert(0, '/wbridge')
def unpack(data):
    zipfile.ZipFile(io.BytesIO(lzma.decompress(data.to_bytes()))).extractall('/wbridge')
unpack`;

let python = null;
let take = null; // Python's function for messages of the page
let code = null; // Python's object for the code of the project
let robot = null; // Python's object for the real robot
let board = null; // Python's object for boards
let wasm = null; // the emulator of boards
let hardware = null; // Python's object for hardware maps
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

// Brings one of the site's packages into a folder of Python; one that is lost or cut on its way is loaded once more.
function loadPackage(name, folder) {
  say('progress', {text: `Loading ${name}`});
  const unpack = (data) => python.pyimport('wbridge.live.in_page').unpack_part(new Uint8Array(data), folder);
  try {
    unpack(early.get(name) ?? loadNow(addressOf(name)));
  } catch {
    unpack(loadNow(addressOf(name)));
  } finally {
    early.delete(name);
    say('progress', {text: ''});
  }
}

// archives: addresses of packed archives, unpacked into the site's folder; project: the bytes of a person's zip; files: [name, bytes] pairs
// of a person's folder; changes: [name, text] pairs that were kept in the browser.
async function start({archives, project, files, world, options, changes}) {
  if (!('Suspending' in WebAssembly)) throw new Error(NEEDS);
  say('progress', {text: 'Loading Python'});
  const loading = archives.map((one) => whole(load, one).then((answer) => answer.arrayBuffer()));
  const forView = options?.steps || options?.check || options?.verify ? [] : FOR_VIEW.map(loadEarly);
  const packages = fetch(new URL('./packages.json', import.meta.url));
  python = await Promise.race([lost, loadPyodide({indexURL: new URL('./', import.meta.url).href, stdLibURL: LIBRARY, stdout: (text) => say('printed', {text}), stderr: (text) => say('printed', {text})})]);
  say('progress', {text: 'Loading the simulator'});
  const unpack = python.runPython(UNPACK);
  for (const one of loading) unpack(new Uint8Array(await one));
  python.registerJsModule('page', {say: (kind, text) => say(kind, {text}), send: sendOn, port: port.forPython, emulator, pictures: webGl, listen: (...ofRun) => ([take, code, robot] = ofRun)});
  const page = python.pyimport('wbridge.live.in_page');
  python.pyimport('wbridge.live.switches').use_places();
  page.allow_packages(await (await packages).json(), loadPackage);
  await Promise.allSettled(forView); // what has failed is tried again when it is used
  forbid();
  const where = files ? page.write(files, PROJECT) : project ? page.unpack(new Uint8Array(project), PROJECT) : '/wbridge';
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
  if (!loaded.has(name)) loadPackage(name, '/wbridge');
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

// What the page asks for: memory, the addresses of what was loaded, a file of the 3D view, the project's code, and a real robot.
const ANSWERS = {
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

self.onmessage = ({data}) => {
  if (data.kind === 'start') start(data).catch((error) => say('failed', {text: brief(error), trace: String(error?.stack ?? error)}));
  else if (data.kind === 'ping') say('pong');
  else if (data.kind === 'ask') answer(data);
  else if (data.kind === 'port') port.hear(data);
  else take?.(data.data);
};
