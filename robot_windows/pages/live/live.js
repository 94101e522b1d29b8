// The first page of the static site: the sample worlds, a place to drop a project, and a run with its workbench.
import {chosen, dropped, MOST_BYTES, repositoryOf, repositoryProject} from './opening.js';
import {Run} from './run.js';
import {startWorker} from './workers.js';

const EXERCISES = 'exercises/'; // folder of those that come with the site
const GUIDED = 'four_wheel_robot'; // its program and its parts fit boards with MicroPython
const HERE = new URL('./', import.meta.url);

const element = (tag, text = '', attributes = {}) => {
  const made = Object.assign(document.createElement(tag), {textContent: text});
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const state = element('p', '', {class: 'live-state', role: 'status', hidden: ''});

function tell(text, action = null) {
  if (!state.isConnected) document.body.append(state); // the workbench has replaced what was there
  state.hidden = !text;
  state.replaceChildren(text);
  if (!action) return;
  const button = element('button', action.text, {type: 'button', 'data-local': ''});
  button.onclick = action.run;
  state.append(button);
}

// The workbench, with the panels that only runs inside of pages have.
async function openWorkbench() {
  globalThis.panelsInside = (await import('./panels_inside.js')).PANELS;
  return import('./workbench.js');
}

// Browsers keep in mind that a module failed, so that only a new page tries it again.
function notOpened(problem) {
  console.error(problem);
  tell('The workbench could not be loaded; look at the network connection.', {text: 'Load this page again', run: () => location.reload()});
}

// Python's memory for the next visit; the page tells programs that drive it what came of that. Without room for it, the next visit takes longer.
function keepMemory(wanted) {
  const worker = startWorker('./memory_worker.js');
  worker.onmessage = ({data}) => {
    document.documentElement.dataset.memory = data.problem ? 'not kept' : 'kept';
    if (data.problem) console.info(data.problem);
    worker.terminate();
  };
  worker.postMessage(wanted);
}

// After the first visit, the service worker keeps what it has loaded, and a worker what Python's memory is.
async function keep(run) {
  if (!navigator.serviceWorker) return;
  const ready = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    const here = [...performance.getEntriesByType('resource').map((one) => one.name), new URL('three.js', HERE).href]; // which may come later
    ready.active.postMessage([location.origin + location.pathname, new URL('worlds.json', location.href).href, ...here, ...(await run.ask('loaded'))]);
  }
  const wanted = await run.ask('keep');
  if (wanted) keepMemory(wanted);
  else document.documentElement.dataset.memory = 'kept';
}

// Opens a world in this page.
function open(wanted) {
  const again = {text: 'Start again', run: () => run.restart()};
  document.body.replaceChildren(state);
  const run = new Run({world: '', key: wanted.world ?? 'project.zip', ...wanted}, {
    progress: (text) => tell(text && `${text} …`),
    open: () => {
      tell('');
      globalThis.workbenchOfRun ??= openWorkbench().then(() => keep(run), notOpened);
    },
    failed: (text) => tell(text, again),
    stuck: (isStuck) => tell(isStuck ? 'The run does not answer: a controller may be in an endless loop without a step. Reset ends it.' : '', isStuck ? again : null),
    ended: (result) => {
      document.documentElement.dataset.result = result;
    },
  });
  globalThis.runInside = run;
}

// Opens what a promise gives, or says why it cannot be opened.
async function openWhat(promise) {
  try {
    open(await promise);
  } catch (problem) {
    tell(problem.message, document.querySelector('main') ? null : {text: 'Show the sample worlds', run: () => location.assign('./')});
  }
}

// more: {world} and {options}, as for a link.
function openProject(data, more = {}) {
  if (data.byteLength > MOST_BYTES) tell(`The project has ${data.byteLength >> 20} MiB; allowed: ${MOST_BYTES >> 20} MiB.`);
  else open({project: data, ...more});
}

function choice(text, attributes) {
  const input = element('input', '', {type: 'file', ...attributes});
  input.onchange = () => input.files.length && openWhat(chosen(input));
  const label = element('label', text);
  label.append(input);
  return label;
}

function dropping() {
  const zone = element('div', '', {class: 'live-drop'});
  zone.append(element('p', 'Open a project: drop its folder or a zip archive here, or choose it.'), choice('Archive ', {accept: '.zip', id: 'project'}), choice('Folder ', {webkitdirectory: '', id: 'folder'}));
  zone.ondragover = (event) => {
    event.preventDefault();
    zone.dataset.over = '';
  };
  zone.ondragleave = () => delete zone.dataset.over;
  zone.ondrop = (event) => {
    event.preventDefault();
    delete zone.dataset.over;
    openWhat(dropped(event.dataTransfer));
  };
  return zone;
}

function listed(names, folder = '') {
  const list = element('ul');
  for (const name of names) {
    const item = element('li');
    item.append(element('a', name.replaceAll('_', ' '), {href: `?world=${folder}${name}`}));
    list.append(item);
  }
  return list;
}

function guided() {
  const made = element('p', 'New here? ');
  made.append(element('a', 'From a world to a robot on your desk', {href: `?world=${GUIDED}&panel=guide`}), ', step by step.');
  return made;
}

async function showStart() {
  const {worlds, exercises} = await (await fetch('worlds.json')).json();
  const main = element('main', '', {class: 'live-start'});
  main.append(element('h1', 'wbridge Live'), element('p', 'Worlds run in this page, with their controllers in Python. Nothing is installed, and nothing leaves this computer.'), dropping(), guided(), element('h2', 'Exercises'), listed(exercises, EXERCISES), element('h2', 'Sample worlds'), listed(worlds));
  document.body.replaceChildren(main, state);
}

function openAsked(asked) {
  const name = asked.get('world');
  const repository = repositoryOf(name);
  const options = asked.has('steps') ? {steps: Number(asked.get('steps')), runs: Number(asked.get('runs') ?? 1)} : {};
  const exercise = name.startsWith(EXERCISES) ? name.slice(EXERCISES.length) : '';
  if (/^\w+$/.test(exercise)) open({world: `${EXERCISES}${exercise}/worlds/${exercise}.wbt`, options});
  else if (/^\w+$/.test(name)) open({world: `worlds/${name}.wbt`, options});
  else if (repository) openWhat(repositoryProject(repository, (text) => tell(`${text} …`)));
  else openWhat(Promise.reject(new Error(`There is no world ${name}; allowed: a sample world, exercises/NAME, or OWNER/NAME/worlds/WORLD.wbt of GitHub.`)));
}

document.querySelector('#loading').remove();
const asked = new URLSearchParams(location.search);
if (asked.get('world')) openAsked(asked);
else showStart().catch(() => tell('The list of worlds could not be loaded; look at the network connection.', {text: 'Load this page again', run: () => location.reload()}));
navigator.serviceWorker?.register('service.js').catch(() => {}); // without one, the page only needs a network
globalThis.live = {openProject}; // for programs that drive the page
