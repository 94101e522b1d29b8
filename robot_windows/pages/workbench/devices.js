// The devices of robots, and the numbers that each has: what the device tree lists and plots show.
import {angles} from '../js/instruments.js';
import {unitOf} from '../js/sensors.js';

const FEW = 4; // curves of a plot that nobody has chosen
const DEGREES = 180 / Math.PI;
const IMAGES = ['image', 'rangeImage'];
const DRAWN = ['Display', 'Radar']; // have a picture, but no image that is sensed
const PARTS = {
  vec3: {names: ['x', 'y', 'z'], parts: (value) => value},
  quaternion: {names: ['roll', 'pitch', 'yaw'], unit: '°', parts: (value, isYUp) => angles(value, isYUp).map((one) => one * DEGREES)},
  f64: {names: [''], parts: (value) => [value]},
  f32: {names: [''], parts: (value) => [value]},
  i32: {names: [''], parts: (value) => [value]},
  bool: {names: [''], parts: (value) => [Number(value)]},
};

export const GROUPS = [['motor', 'Motors'], ['sensor', 'Sensors'], ['picture', 'Pictures'], ['light', 'Lights'], ['switch', 'Switches'], ['telemetry', 'Telemetry'], ['other', 'Other devices']];

// Names of robots that differ, also where a world has the same name twice.
export function keyOf(robot, robots) {
  const isOnly = robots.filter((one) => one.name === robot.name).length === 1;
  return isOnly ? robot.name : `${robot.name}#${robot.number}`;
}

function kindOf(device, channels) {
  if (device.actuator) return device.actuator;
  if (DRAWN.includes(device.type) || channels.some((one) => IMAGES.includes(one.name))) return 'picture';
  return channels.some((one) => PARTS[one.type] && one.shape.length === 0) ? 'sensor' : 'other';
}

// One device: `signals` are {key, name, unit, read(state)}; state: what the server says of a robot.
function deviceOf(robotKey, name, device, isYUp) {
  const channels = device.channels.filter((one) => one.direction === 'sense' && one.period);
  const kind = kindOf(device, channels);
  const key = `${robotKey}/${name}`;
  const signals = kind === 'motor' ? motorSignals(key, device) : kind === 'light' || kind === 'switch'
    ? [{key: `${key}.value`, name: '', unit: '', read: ({acts}) => numberOf(acts[device.tag]?.value)}]
    : kind === 'sensor' ? sensorSignals(key, device, channels, isYUp) : [];
  return {key, name, kind, tag: device.tag, type: device.type, entry: device, channels, signals};
}

const SHOWN = 'shown:';

// The new pictures among the keys of a state: those that a controller shows in windows of its own.
export function shownDevices(robot, keys) {
  const known = new Set(robot.devices.map((one) => one.tag));
  return keys.filter((tag) => tag.startsWith(SHOWN) && !known.has(tag)).map((tag) => {
    const name = tag.slice(SHOWN.length);
    const entry = {tag, name, type: 'Display', constants: {}, channels: []};
    return {key: `${robot.key}/${tag}`, name, kind: 'picture', tag, type: 'Display', entry, channels: [], signals: []};
  });
}

// Columns and rows of a picture; "" if they are not known.
export function sizeOf({width, height, horizontalResolution, numberOfLayers}) {
  const columns = width ?? horizontalResolution;
  return columns === undefined ? '' : `${columns}×${height ?? numberOfLayers}`;
}

function numberOf(value) {
  return value == null ? null : Number(value);
}

function motorSignals(key, device) {
  const unit = (name) => unitOf(device, device.channels.find((one) => one.name === name));
  const read = (name) => ({acts}) => acts[device.tag]?.[name] ?? null;
  const isTurning = ({acts}) => acts[device.tag]?.position == null; // otherwise the velocity is only a limit
  return [
    {key: `${key}.velocity`, name: 'target velocity', unit: unit('velocity'), read: (state) => (isTurning(state) ? read('velocity')(state) : null)},
    {key: `${key}.position`, name: 'target position', unit: unit('position'), read: read('position')},
    {key: `${key}.at`, name: 'position', unit: unit('position'), read: read('at')},
  ];
}

function sensorSignals(key, device, channels, isYUp) {
  const channel = channels.find((one) => PARTS[one.type] && one.shape.length === 0);
  const {names, unit, parts} = PARTS[channel.type];
  let shown = null; // the parts of the value that was read last: all signals of a device read the same one
  let last;
  const partsOf = (value) => {
    if (value !== last) {
      last = value;
      shown = Array.isArray(value) && value.includes(null) ? names.map(() => null) : parts(value, isYUp);
    }
    return shown;
  };
  return names.map((name, i) => ({
    key: name ? `${key}.${name}` : `${key}.${channel.name}`,
    name,
    unit: unit ?? unitOf(device, channel),
    read: ({values, periods}) => {
      const value = periods[device.tag] === undefined ? undefined : values[device.tag]?.[channel.name];
      return value == null ? null : numberOf(partsOf(value)[i]);
    },
  }));
}

// All devices of a robot, in the order of its table.
export function devicesOf(robotKey, table, isYUp) {
  const names = table.devices.map((one) => one.name);
  return table.devices.map((one, i) => {
    const isOnly = names.indexOf(one.name) === names.lastIndexOf(one.name);
    return deviceOf(robotKey, isOnly ? one.name : `${one.name}#${i + 1}`, one, isYUp);
  });
}

// What the curve button of a device plots.
export function mainSignals({kind, entry, signals}) {
  if (kind !== 'motor') return signals;
  const isLimited = Boolean(entry.channels.find((one) => one.name === 'position').range);
  return [signals[isLimited ? 2 : 0]];
}

// What a plot shows at first: sensors that are in use, otherwise motors.
export function firstSignals(robots) {
  const used = robots.flatMap((one) => one.devices.filter(({kind, tag}) => kind === 'sensor' && one.state?.periods[tag] !== undefined));
  const [found] = [used, robots.flatMap((one) => one.devices.filter(({kind}) => kind === 'motor'))].filter((one) => one.length);
  return (found ?? []).flatMap(mainSignals).slice(0, FEW).map((one) => one.key);
}

// What a legend calls a signal: e-puck/ps0.value -> e-puck ps0, or ps0 if there is one robot only.
export function labelOf(key, isOnly) {
  const [robot, ...rest] = key.replace(/\.(value|values)$/, '').replace('/telemetry ', '/').split('/');
  return isOnly ? rest.join('/') : `${robot} ${rest.join('/')}`;
}
