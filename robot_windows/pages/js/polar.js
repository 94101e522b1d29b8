// What a lidar or a radar has met, from above: the sensor is in the middle and looks up, rings show the distance.
import {color, fit} from './dom.js';
import {lengthText, roundLength} from './painting.js';

const MARGIN = 12; // page units around the largest ring
const DOT = 1.6; // radius of a point of a lidar
const TARGET = 4; // radius of a target of a radar
const SLOWEST = 0.005; // m/s; a target with less is not labeled
const SCALE = 1.1; // free place beyond the farthest point

// Subclasses take what is newest, and set `points`: ahead and to the left (m), perhaps with a speed (m/s).
class Polar {
  // device: a lidar or a radar, with its constants.
  constructor(canvas, device) {
    const {fieldOfView, horizontalFieldOfView, maxRange = 1} = device.constants;
    Object.assign(this, {canvas, fieldOfView: fieldOfView ?? horizontalFieldOfView ?? 2 * Math.PI, maxRange, points: [], isDirty: true});
    new ResizeObserver(() => (this.isDirty = true)).observe(canvas);
  }

  // Draws what is newest, if it is new.
  show(newest) {
    if (newest !== this.newest) this.take(newest);
    this.newest = newest;
    this.draw();
  }

  draw() {
    if (!this.isDirty) return;
    this.isDirty = false;
    const {pen, width, height} = fit(this.canvas);
    const farthest = Math.min(this.maxRange, SCALE * Math.max(...this.points.map(([ahead, left]) => Math.hypot(ahead, left)), this.maxRange / 20));
    const meter = (Math.min(width, height) / 2 - MARGIN) / farthest;
    if (meter <= 0) return;
    const middle = [width / 2, height / 2];
    this.rings(pen, middle, farthest, meter);
    pen.fillStyle = color('--accent');
    for (const [ahead, left, speed] of this.points) {
      const [x, y] = [middle[0] - left * meter, middle[1] - ahead * meter];
      pen.beginPath();
      pen.arc(x, y, speed === undefined ? DOT : TARGET, 0, 2 * Math.PI);
      pen.fill();
      if (Math.abs(speed) > SLOWEST) pen.fillText(`${speed.toFixed(2)} m/s`, x + 2 * TARGET, y + TARGET);
    }
  }

  // Rings at round distances, the edges of the field of view, and the sensor.
  rings(pen, [x, y], farthest, meter) {
    pen.strokeStyle = color('--line');
    pen.fillStyle = color('--dim');
    pen.font = '11px sans-serif';
    const step = roundLength(farthest / 2);
    for (let range = step; range <= farthest * 1.0001; range += step) {
      pen.beginPath();
      pen.arc(x, y, range * meter, 0, 2 * Math.PI);
      pen.stroke();
      pen.fillText(lengthText(Number(range.toPrecision(3))), x + 3, y - range * meter + 11);
    }
    for (const side of this.fieldOfView < 6.28 ? [-0.5, 0.5] : []) {
      const angle = side * this.fieldOfView;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x - Math.sin(angle) * farthest * meter, y - Math.cos(angle) * farthest * meter);
      pen.stroke();
    }
    pen.beginPath();
    pen.moveTo(x, y - 6);
    pen.lineTo(x - 4, y + 4);
    pen.lineTo(x + 4, y + 4);
    pen.fill();
  }
}

// The ranges of a lidar.
export class PolarRanges extends Polar {
  // White is the maximum range, where nothing was met. Of several layers the nearest counts.
  async take(address) {
    const image = new Image();
    image.src = address;
    await image.decode();
    const {width, height} = image;
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const {data} = pen.getImageData(0, 0, width, height);
    const ranges = Array.from({length: width}, (_, column) => {
      let nearest = 255;
      for (let row = 0; row < height; row++) nearest = Math.min(nearest, data[4 * (row * width + column)]);
      return nearest === 255 ? Infinity : (nearest / 255) * this.maxRange;
    });
    this.points = this.met(ranges);
    this.isDirty = true;
  }

  // The points that were met (m): ahead, and to the left. Columns go from the left to the right.
  met(ranges) {
    return ranges.map((range, i) => {
      const angle = this.fieldOfView * (0.5 - (i + 0.5) / ranges.length);
      return [range * Math.cos(angle), range * Math.sin(angle)];
    }).filter(([ahead]) => Number.isFinite(ahead));
  }
}

// The targets of a radar.
export class PolarTargets extends Polar {
  // targets: distance (m), power, radial speed (m/s), and azimuth (rad), positive to the right.
  take(targets) {
    this.points = targets.map(([range, , speed, azimuth]) => [range * Math.cos(azimuth), -range * Math.sin(azimuth), speed]);
    this.isDirty = true;
  }
}
