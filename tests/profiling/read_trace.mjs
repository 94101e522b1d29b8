// Reads a trace with the engine of Chrome's Performance panel, and prints what it has understood: each thread with
// its process, its name, and its spans: name, begin and duration in microseconds, depth.
// Arguments: folder of the package @paulirish/trace_engine, file of the trace.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
globalThis.window ??= globalThis; // what the engine uses of a page
globalThis.DOMRect ??= class {};
const { Handlers, Processor } = await import(pathToFileURL(`${folder}/models/trace/trace.js`).href);

function spansBelow(nodes, depth) {
  return [...nodes].flatMap((node) => {
    const { name, ts, dur } = node.entry;
    return [{ name, ts, dur, depth }, ...spansBelow(node.children, depth + 1)];
  });
}

const processor = Processor.TraceProcessor.createWithAllHandlers();
await processor.parse(JSON.parse(readFileSync(file, "utf-8")).traceEvents, {});
const threads = Handlers.Threads.threadsInTrace(processor.data).map((thread) => ({
  process: thread.pid,
  name: thread.name,
  spans: spansBelow(thread.tree.roots, 0),
}));
console.log(JSON.stringify(threads));
