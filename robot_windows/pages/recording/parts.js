// The parts of a recording: elements of the page with compressed bytes as base64 text.
// docs/recordings.md describes the format.

// A part that was being written when the run ended is shorter than it says.
function isWhole(element) {
  return element.textContent.length === Number(element.dataset.size);
}

// The whole parts of a kind, in the order in which they were written.
export function partsOf(root, kind) {
  return [...root.querySelectorAll(`script[data-part="${kind}"]`)].filter(isWhole);
}

export async function bytesOf(element) {
  const text = atob(element.textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function jsonOf(element) {
  return JSON.parse(new TextDecoder().decode(await bytesOf(element)));
}

// A part that begins with a description in JSON; `body` is where its numbers begin.
export async function describedOf(element) {
  const bytes = await bytesOf(element);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const described = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return {...described, bytes, body: 4 + length};
}

// Whole numbers, frame by frame: the first value of each column, and changes of changes, byte by byte.
export function unpack({frames, columns, varying, planes, bytes, body}) {
  const values = new Int32Array(frames * columns);
  const view = new DataView(bytes.buffer, body);
  for (let column = 0; column < columns; column++) values[column] = view.getInt32(4 * column, true);
  const mask = body + 4 * columns;
  const begin = mask + Math.ceil(columns / 8);
  const steps = frames - 1;
  let place = 0;
  for (let column = 0; column < columns; column++) {
    const first = values[column];
    if (!(bytes[mask + (column >> 3)] & (1 << (column & 7)))) {
      for (let frame = 1; frame < frames; frame++) values[frame * columns + column] = first;
      continue;
    }
    let value = first;
    let change = 0;
    for (let step = 0; step < steps; step++) {
      let folded = 0;
      for (let plane = 0; plane < planes; plane++) folded |= bytes[begin + plane * varying * steps + place * steps + step] << (8 * plane);
      change = (change + ((folded >>> 1) ^ -(folded & 1))) | 0;
      value = (value + change) | 0;
      values[(step + 1) * columns + column] = value;
    }
    place++;
  }
  return values;
}

// Numbers of signals, signal by signal: first all lowest bytes of the float32, and so on.
export function unpackFloats(bytes, begin, count) {
  const whole = new Uint8Array(4 * count);
  for (let plane = 0; plane < 4; plane++) for (let i = 0; i < count; i++) whole[4 * i + plane] = bytes[begin + plane * count + i];
  return new Float32Array(whole.buffer);
}
