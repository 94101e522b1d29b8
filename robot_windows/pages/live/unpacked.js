// Files of the site that are compressed as a whole.

const GZIP = 0x1f8b; // how they begin

// The bytes of such a file, unpacked; some servers let browsers do that.
export async function unpacked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} could not be loaded (${answer.status})`);
  const data = await answer.arrayBuffer();
  if (new DataView(data).getUint16(0) !== GZIP) return data;
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
