// The worker that builds programs of boards. It stays until the page goes, so that a second build is quick.
import {AvrTools} from './avr_tools.js';
import {unpacked} from './unpacked.js';
import * as system from './wasi.js';

const tools = new AvrTools(system, async (name) => new Uint8Array(await unpacked(new URL(`./${name}.pack`, import.meta.url))));

self.onmessage = async ({data: {id, project}}) => {
  try {
    const built = await tools.build(project, (done, total) => self.postMessage({id, progress: [done, total]}));
    self.postMessage({id, built});
  } catch (problem) {
    self.postMessage({id, problem: String(problem.message ?? problem)});
  }
};
