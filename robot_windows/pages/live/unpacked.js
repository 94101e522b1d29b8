// Files of the site: loaded whole, once more if the network loses them on their way, and unpacked.

const GZIP = 0x1f8b; // how compressed files begin
const TRIES = 2;
export const PACKED = '.gz';
const STREAMED = '.wasm'; // browsers compile these while they come

// What a person is told of a file that did not come.
export function notLoaded(address, status) {
  const name = new URL(address, import.meta.url).pathname.split('/').at(-1);
  return new Error(`${name} could not be loaded${status ? ` (${status})` : ''}; look at the network connection.`);
}

// The answer of `load` (as `fetch`), with all of its bytes; browsers only say that something failed, and not where.
export async function whole(load, request, ...more) {
  const address = request.url ?? request;
  for (let left = TRIES; left; left -= 1) {
    const answer = await load(request, ...more).catch(() => null);
    if (answer && !answer.ok) throw notLoaded(address, answer.status);
    if (answer && String(address).endsWith(STREAMED)) return answer;
    const data = await answer?.arrayBuffer().catch(() => null);
    if (data) return new Response(data, answer);
  }
  throw notLoaded(address);
}

// The bytes of a file that is compressed as a whole, unpacked; some servers let browsers do that.
export async function unpacked(address, load = fetch) {
  const data = await (await whole(load, address)).arrayBuffer();
  if (new DataView(data).getUint16(0) !== GZIP) return data;
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
