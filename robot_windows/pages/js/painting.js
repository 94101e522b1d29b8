// Painted shapes: polygons with a color or a picture.
import {color} from './dom.js';
import {trace} from './instruments.js';

export class Painting {
  // `loaded` is called when a picture has been loaded.
  constructor(addresses, loaded) {
    this.patterns = [];
    this.pictures = addresses.map((address) => {
      const picture = new Image();
      picture.onload = loaded;
      picture.src = address;
      return picture;
    });
  }

  // `rim`: the color of the outlines.
  draw(pen, shapes, rim) {
    for (const shape of shapes) {
      pen.globalAlpha = shape.alpha;
      pen.fillStyle = this.style(pen, shape);
      pen.strokeStyle = rim;
      pen.beginPath();
      for (const part of shape.parts) trace(pen, part); // one path: no seams between triangles
      pen.fill();
      if (shape.parts.length === 1) pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  style(pen, shape) {
    const plain = shape.color ?? color('--line');
    if (!shape.picture) return plain;
    const [index, a, b, c, d, e, f] = shape.picture;
    const picture = this.pictures[index];
    if (!picture.complete || !picture.naturalWidth) return plain;
    const pattern = (this.patterns[index] ??= pen.createPattern(picture, 'repeat'));
    const {naturalWidth: width, naturalHeight: height} = picture;
    pattern.setTransform(new DOMMatrix([a / width, b / width, c / height, d / height, e, f]));
    return pattern;
  }
}

// Maximum distance of painted shapes from their origin, in m.
export function reach(shapes) {
  let most = 0;
  for (const {parts} of shapes) for (const part of parts) for (const [x, y] of part) most = Math.max(most, Math.hypot(x, y));
  return most;
}

// The largest of 1, 2 or 5 times a power of ten up to this length.
export function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * ([5, 2, 1].find((one) => one * power <= length) ?? 1);
}

export function lengthText(length) {
  if (length >= 1000) return `${length / 1000} km`;
  if (length >= 1) return `${length} m`;
  return length >= 0.01 ? `${Math.round(length * 100)} cm` : `${Number((length * 1000).toPrecision(1))} mm`;
}
