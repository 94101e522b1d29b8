// Where projects come from: a zip archive, a folder of this computer, a public repository.

import {UNUSED, filesOf} from '../js/dropped_files.js';

export const MOST_BYTES = 64 * 2 ** 20; // of a project
const MOST_FILES = 5000;
const AT_ONCE = 8; // downloads
const LISTS = 'https://api.github.com/repos';
const FILES = 'https://raw.githubusercontent.com';

const megabytes = (bytes) => `${Math.ceil(bytes / 2 ** 20)} MiB`;

// Throws an error that says what is allowed; sizes in bytes.
export function checkSizes(sizes) {
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  if (sizes.length > MOST_FILES) throw new Error(`The project has ${sizes.length} files; allowed: ${MOST_FILES}.`);
  if (bytes > MOST_BYTES) throw new Error(`The project has ${megabytes(bytes)}; allowed: ${megabytes(MOST_BYTES)}.`);
}

// Returns the project of files with names: {project} for one zip archive, {files} for others.
async function projectOf(named) {
  const wanted = named.filter(([name]) => !UNUSED.test(name));
  checkSizes(wanted.map(([, file]) => file.size));
  if (wanted.length === 1 && /\.zip$/i.test(wanted[0][0])) return {project: await wanted[0][1].arrayBuffer(), key: wanted[0][0]};
  const files = await Promise.all(wanted.map(async ([name, file]) => [name, new Uint8Array(await file.arrayBuffer())]));
  return {files, key: wanted[0]?.[0].split('/')[0]};
}

// A drop of an archive, of files or of folders.
export async function dropped(data) {
  return projectOf(await filesOf(data));
}

// What a person chose in an input for files or for a folder.
export function chosen(input) {
  return projectOf([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
}

async function answerOf(address, what) {
  let answer;
  try {
    answer = await fetch(address, {credentials: 'omit', referrerPolicy: 'no-referrer'});
  } catch {
    throw new Error(`${what} cannot be reached; look at the network connection.`);
  }
  if (answer.ok) return answer;
  const why = {403: 'it answers no more questions of this network for an hour', 404: 'it does not exist, or is not public', 429: 'it answers no more questions of this network for now'}[answer.status];
  throw new Error(`${what}: ${why ?? `error ${answer.status}`}.`);
}

// Returns the parts of OWNER/NAME[@VERSION]/PATH.wbt, or null.
export function repositoryOf(text) {
  const [, owner, name, version = 'HEAD', path] = /^([\w-]+)\/([\w.-]+)(?:@([\w./-]+?))?\/((?:[^/]+\/)*?[^/]+\.wbt)$/.exec(text) ?? [];
  return owner ? {owner, name, version, path} : null;
}

// The folder of a world's project: that around its folder `worlds`, else its own; with a slash at the end, or "".
function folderOf(path) {
  const parts = path.split('/').slice(0, -1);
  if (parts.at(-1) === 'worlds') parts.pop();
  return parts.map((one) => `${one}/`).join('');
}

// Loads the project around a world of a public repository; tell: shows how far it is.
export async function repositoryProject({owner, name, version, path}, tell) {
  const of = `github.com/${owner}/${name}`;
  tell(`Looking at ${of}`);
  const {tree, truncated} = await (await answerOf(`${LISTS}/${owner}/${name}/git/trees/${encodeURIComponent(version)}?recursive=1`, of)).json();
  const folder = folderOf(path);
  const wanted = tree.filter((one) => one.type === 'blob' && one.path.startsWith(folder) && !UNUSED.test(one.path));
  if (!wanted.some((one) => one.path === path)) throw new Error(truncated ? `${of} has too many files to list.` : `${of} has no world ${path}.`);
  checkSizes(wanted.map((one) => one.size));
  const files = [];
  const left = [...wanted];
  const load = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      const address = `${FILES}/${owner}/${name}/${version}/${one.path.split('/').map(encodeURIComponent).join('/')}`;
      files.push([one.path.slice(folder.length), new Uint8Array(await (await answerOf(address, `${of}: ${one.path}`)).arrayBuffer())]);
      tell(`Loading ${of}: ${files.length} of ${wanted.length} files`);
    }
  };
  await Promise.all(Array.from({length: AT_ONCE}, load));
  return {files, world: path.slice(folder.length), key: `${of}@${version}/${path}`};
}
