// Builds programs of boards in a worker of their own.
import {startWorker} from './workers.js';

export class Builder {
  constructor() {
    this.waiting = new Map(); // number of a build -> who waits for it
    this.begun = 0;
  }

  // project: {files, commands, ram} (see avr_tools.js); tell(text): of its progress. Gives {elf, hex, said}.
  build(project, tell) {
    this.worker ??= this.start();
    tell('Loading the compiler …');
    const id = (this.begun += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject, tell});
      this.worker.postMessage({id, project});
    });
  }

  start() {
    const worker = startWorker('./build_worker.js');
    worker.onmessage = ({data}) => this.take(data);
    worker.onerror = (event) => this.lose(event.message || 'the compiler could not be started');
    return worker;
  }

  take({id, progress, built, problem}) {
    const {resolve, reject, tell} = this.waiting.get(id);
    if (progress) {
      tell(`Compiling: ${progress[0]} of ${progress[1]} steps`);
      return;
    }
    this.waiting.delete(id);
    if (built) resolve(built);
    else reject(new Error(problem));
  }

  // The worker has failed; the next build starts another one.
  lose(why) {
    this.worker.terminate();
    this.worker = null;
    for (const {reject} of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }
}
