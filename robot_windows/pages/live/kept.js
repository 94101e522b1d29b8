// What the service worker keeps of this version of the site, for workers that make it more useful: unpacked archives, and the memory of
// Python when it had imported what runs need. Browsers without such a store, or without room in it, do without.

const HERE = new URL('./', import.meta.url);
const VERSION = HERE.pathname.split('/').at(-2); // the store's name, see service.js
const MEMORY = new URL('memory', HERE).href;
const STATE = new URL('memory.json', HERE).href;

const unpackedAddress = (name) => new URL(`${name}.zip`, HERE).href;

const store = self.caches ? caches.open(VERSION).catch(() => null) : Promise.resolve(null);

const kept = async (address) => (await store)?.match(address).catch(() => undefined);

// The bytes of an archive as it was unpacked at an earlier visit; undefined: there was none.
export async function keptArchive(name) {
  const answer = await kept(unpackedAddress(name));
  return answer && new Uint8Array(await answer.arrayBuffer());
}

export async function keepArchive(name, bytes) {
  await (await store)?.put(unpackedAddress(name), new Response(bytes));
}

// {state, heap}: what keepMemory got; undefined: nothing.
export async function keptMemory() {
  const [state, heap] = await Promise.all([kept(STATE), kept(MEMORY)]);
  return state && heap && {state: await state.json(), heap: heap.arrayBuffer()};
}

// state: what of JavaScript belongs to the memory, as JSON. It comes last: with it, the memory is complete.
export async function keepMemory(state, heap) {
  const into = await store;
  await into?.put(MEMORY, new Response(heap));
  await into?.put(STATE, new Response(JSON.stringify(state)));
}

export const hasMemory = async () => Boolean(await kept(STATE));

export const forgetMemory = async () => (await store)?.delete(STATE);
