// Cards of cameras and range finders: on and off, and the latest picture; cards of displays: what they show.
import {el, setText} from './dom.js';
import {SensorCard} from './sensors.js';

export class PictureCard extends SensorCard {
  static shows(device) {
    return device.channels.some((one) => one.direction === 'sense' && (one.name === 'image' || one.name === 'rangeImage'));
  }

  constructor(device, page) {
    super(device, page);
    this.main = this.channels.find((one) => one.name === 'image' || one.name === 'rangeImage') ?? this.main;
    const {width, height, horizontalResolution, numberOfLayers} = device.constants;
    this.picture = el('img', {class: 'picture', alt: `picture of ${device.name}`, hidden: true});
    this.values.replaceChildren(el('span', {class: 'dim'}, `${width ?? horizontalResolution} × ${height ?? numberOfLayers}`));
    this.element.append(this.picture);
  }

  show(robot, time, isPaused) {
    super.show({...robot, values: {}}, time, isPaused);
    const newest = robot.pictures?.[this.device.tag];
    if (newest && !isPaused) this.newest = newest;
    if (robot.periods[this.device.tag] === undefined) this.newest = '';
  }

  draw() {
    this.picture.hidden = !this.newest;
    if (this.newest && this.picture.src !== this.newest) this.picture.src = this.newest;
  }

  columns() {
    return [];
  }
}

export class DisplayCard {
  static shows(device) {
    return device.type === 'Display';
  }

  constructor(device) {
    const {width, height} = device.constants;
    const about = width === undefined ? 'window of the controller' : `Display · ${width} × ${height}`;
    this.device = device;
    this.note = el('span', {class: 'dim'}, 'nothing drawn yet');
    this.picture = el('img', {class: 'picture', alt: `content of ${device.name}`, hidden: true});
    this.element = el('section', {class: 'card', id: `device-${device.tag}`},
      el('header', {}, el('h2', {}, device.name), this.note), el('div', {class: 'dim'}, about), this.picture);
  }

  show(robot, time, isPaused) {
    const newest = robot.pictures?.[this.device.tag];
    if (newest && !isPaused) this.newest = newest;
  }

  draw() {
    this.picture.hidden = !this.newest;
    if (!this.newest || this.picture.src === this.newest) return;
    this.picture.src = this.newest;
    setText(this.note, '');
  }

  columns() {
    return [];
  }
}
