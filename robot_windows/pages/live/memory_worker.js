// Keeps Python's memory for the next visit, which then need not start Python and import what runs need. Nothing of a world is run here.
import {keepMemory, keptArchive} from './kept.js';
import {memoryOf, startForKeeping, writeFiles} from './python_start.js';
import {PACKED, unpacked} from './unpacked.js';

// Archives that are not there cannot be loaded here; who needs one of them is left out.
const PREPARE = `
import sys
sys.path.insert(0, '/wbridge')
def prepare(packages, archives, modules):
    from wbridge.live import in_page, kept_memory
    in_page.allow_packages(packages)
    in_page.load_by(kept_memory.Present(archives))
    kept_memory.import_all(modules)
prepare`;

const load = self.fetch.bind(self);
self.fetch = async (...request) => (String(request[0]).endsWith(PACKED) ? new Response(await unpacked(request[0], load)) : load(...request));

async function makeMemory({archives, modules}) {
  const packages = await (await fetch(new URL('./packages.json', import.meta.url))).text();
  const parts = await Promise.all(archives.map(async ([folder, name]) => [folder, await keptArchive(name)]));
  const started = await startForKeeping(parts);
  for (const [folder, bytes] of parts) writeFiles(started.python, bytes, folder);
  const prepare = started.python.runPython(PREPARE);
  prepare(packages, JSON.stringify(archives.map(([, name]) => name)), modules);
  prepare.destroy();
  const {state, heap} = memoryOf(started, archives);
  await keepMemory(state, heap);
}

self.onmessage = ({data}) => makeMemory(data).then(() => self.postMessage({}), (problem) => self.postMessage({problem: String(problem?.stack ?? problem)}));
