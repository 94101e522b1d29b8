// What was recorded, by time. Parts are decoded when they are needed; some stay in memory.
import {bytesOf, describedOf, jsonOf, partsOf, unpack, unpackFloats} from './parts.js';

const KEPT = 12; // decoded parts
const WIDTH = 7; // numbers of a pose

export class Recording {
  // root: the document with the parts.
  static async open(root) {
    const [head] = partsOf(root, 'head');
    const [scene] = partsOf(root, 'scene');
    if (!head || !scene) throw new Error('This recording is empty: the run ended before it could be written.');
    const made = new Recording(root, await jsonOf(head));
    if (made.head.format !== 1) throw new Error(`This page shows recordings of format 1, not ${made.head.format}.`);
    made.scene = await jsonOf(scene);
    const added = partsOf(root, 'signals').at(-1); // all of them, also those of robots that were added later
    if (added) Object.assign(made.head, await jsonOf(added));
    const [end] = partsOf(root, 'end');
    made.end = end ? await jsonOf(end) : null;
    for (const element of partsOf(root, 'lines')) {
      for (const [time, kind, robot, text] of await jsonOf(element)) made.lines.push({time, kind, robot, text});
    }
    return made;
  }

  constructor(root, head) {
    this.head = head;
    this.lines = []; // of the console
    this.parts = partsOf(root, 'frames').map((element) => ({element, first: Number(element.dataset.first), frames: Number(element.dataset.frames)}));
    this.files = new Map(partsOf(root, 'file').map((element) => [element.dataset.name, element]));
    this.numbers = partsOf(root, 'values');
    const last = this.parts.at(-1);
    this.frames = last ? last.first + last.frames : 0;
    this.decoded = new Map(); // place -> part, or its promise; the last used is last
  }

  get duration() {
    return Math.max(0, this.frames - 1) * this.head.frame_s;
  }

  // A mesh or texture.
  async file(name) {
    const element = this.files.get(name);
    return element ? bytesOf(element) : null;
  }

  placeOf(frame) {
    let low = 0;
    let high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.parts[middle].first <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  async load(place) {
    const known = this.decoded.get(place);
    this.decoded.delete(place);
    const loading = known ?? this.decode(place);
    this.decoded.set(place, loading);
    while (this.decoded.size > KEPT) this.decoded.delete(this.decoded.keys().next().value);
    const part = await loading;
    if (this.decoded.has(place)) this.decoded.set(place, part);
    return part;
  }

  async decode(place) {
    const part = await describedOf(this.parts[place].element);
    part.values = unpack(part);
    part.bytes = null;
    linkPatches(part);
    return part;
  }

  // The state at a time (s): poses of the objects `moving` (x y z and a quaternion of the same order as recorded),
  // and the newest message about each other thing.
  async at(time) {
    if (!this.parts.length) return null;
    const place = this.placeOf(this.frameOf(time));
    const part = await this.load(place);
    if (place + 1 < this.parts.length) this.load(place + 1); // soon needed
    return this.stateOf(part, this.frameOf(time));
  }

  // As `at`, at once: null if the part is not in memory.
  now(time) {
    if (!this.parts.length) return null;
    const place = this.placeOf(this.frameOf(time));
    const part = this.decoded.get(place);
    if (!part || part instanceof Promise) return null;
    if (place + 1 < this.parts.length && !this.decoded.has(place + 1)) this.load(place + 1);
    return this.stateOf(part, this.frameOf(time));
  }

  frameOf(time) {
    return Math.max(0, Math.min(this.frames - 1, time / this.head.frame_s + 1e-6));
  }

  stateOf(part, frame) {
    const row = Math.min(Math.floor(frame - part.first), part.frames - 1);
    const share = row + 1 < part.frames ? frame - part.first - row : 0;
    return {moving: part.moving, poses: this.posesOf(part, row, share), messages: messagesOf(part, part.first + row)};
  }

  posesOf(part, row, share) {
    const {values, columns} = part;
    const poses = new Float32Array(columns);
    const {position_steps: position, orientation_steps: orientation} = this.head;
    const begin = row * columns;
    const next = share > 0 ? begin + columns : begin;
    for (let at = 0; at < columns; at += WIDTH) {
      for (let i = 0; i < WIDTH; i++) {
        const value = values[begin + at + i] * (1 - share) + values[next + at + i] * share;
        poses[at + i] = value / (i < 3 ? position : orientation);
      }
      const size = Math.hypot(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]) || 1;
      for (let i = 3; i < WIDTH; i++) poses[at + i] /= size;
    }
    return poses;
  }

  // The recorded numbers of all signals: times, and one array for each signal; signals never sent are null.
  async signals() {
    const names = this.head.signals;
    const times = new Float64Array(this.frames);
    for (let i = 0; i < this.frames; i++) times[i] = i * this.head.frame_s;
    const found = names.map(() => new Float32Array(this.frames).fill(NaN));
    for (const element of this.numbers) {
      const {bytes, body, first, frames, signals} = await describedOf(element);
      const values = unpackFloats(bytes, body, frames * signals);
      for (let i = 0; i < signals; i++) found[i].set(values.subarray(i * frames, (i + 1) * frames), first);
    }
    return {times, values: found.map((one) => (one.some((value) => !Number.isNaN(value)) ? one : null))};
  }
}

// Patches of a picture know the message before them.
function linkPatches({state, events}) {
  const last = new Map(Object.entries(state));
  for (const [, key, message] of events) {
    if (message?.patch) message.before = last.get(key) ?? null;
    last.set(key, message);
  }
}

function messagesOf(part, frame) {
  const found = new Map(Object.entries(part.state));
  for (const [when, key, message] of part.events) {
    if (when > frame) break;
    found.set(key, message);
  }
  return found;
}
