// Named values that controllers print, one in a line: ">name:value", as in wbridge/telemetry.h.

const LINE = /^>([^:\r\n]{1,64}):(-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan))\r?$/i;
const MOST_NAMES = 200; // of a robot; further ones stay lines of the console

// Returns [name, value], value null if it is not finite; null for any other line.
export function readTelemetry(text) {
  const [, name, number] = LINE.exec(text) ?? [];
  if (name === undefined) return null;
  const value = Number(number);
  return [name, Number.isFinite(value) ? value : null];
}

// A named value as a device of a robot, which the device tree lists and plots show. latest: Map of names and values.
function deviceOf(robotKey, name, latest) {
  const key = `${robotKey}/telemetry ${name}`;
  return {key, name, kind: 'telemetry', type: 'telemetry', entry: {channels: []}, channels: [], signals: [{key, name: '', unit: '', read: () => latest.get(name) ?? null}]};
}

// The named values of one robot: takes lines, and adds to `devices` what is new.
export class Telemetry {
  constructor(robotKey, devices) {
    Object.assign(this, {robotKey, devices});
    this.latest = new Map();
  }

  // Takes a line of the console; true if it is a named value. Its kind becomes "telemetry".
  take(line) {
    const found = line.kind === 'stdout' ? readTelemetry(line.text) : null;
    if (!found || (!this.latest.has(found[0]) && this.latest.size >= MOST_NAMES)) return false;
    if (!this.latest.has(found[0])) this.devices.push(deviceOf(this.robotKey, found[0], this.latest));
    this.latest.set(...found);
    line.kind = 'telemetry';
    return true;
  }
}

// Columns of the named values in recorded lines, each value kept until the next one: Map of keys and numbers (NaN: none yet).
export function columnsOf(lines, times, telemetryOf) {
  const columns = new Map();
  let row = 0;
  const latest = new Map();
  const fill = (end) => {
    for (; row < end; row += 1) for (const [key, value] of latest) columns.get(key)[row] = value;
  };
  for (const line of lines) {
    const telemetry = telemetryOf(line);
    if (!telemetry?.take(line)) continue;
    const [name, value] = readTelemetry(line.text);
    const key = `${telemetry.robotKey}/telemetry ${name}`;
    let end = row;
    while (end < times.length && times[end] < line.time - 1e-9) end += 1;
    fill(end);
    if (!columns.has(key)) columns.set(key, new Float64Array(times.length).fill(NaN));
    latest.set(key, value ?? NaN);
  }
  fill(times.length);
  return columns;
}
