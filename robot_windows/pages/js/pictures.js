// Cards of cameras and range finders: on and off, and the latest picture.
import {el} from './dom.js';
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
