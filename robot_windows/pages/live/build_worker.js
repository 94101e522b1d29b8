// The worker that builds programs of boards. It stays until the page goes, so that a second build is quick.
import {AvrTools} from './avr_tools.js';
import * as system from './wasi.js';

// The packs are compressed: any server of files may send them as they are.
async function load(name) {
  const answer = await fetch(new URL(`./${name}.pack`, import.meta.url));
  if (!answer.ok) throw new Error(`the compiler could not be loaded (${answer.status})`);
  const unpacked = answer.body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

const tools = new AvrTools(system, load);

self.onmessage = async ({data: {id, project}}) => {
  try {
    const built = await tools.build(project, (done, total) => self.postMessage({id, progress: [done, total]}));
    self.postMessage({id, built});
  } catch (problem) {
    self.postMessage({id, problem: String(problem.message ?? problem)});
  }
};
