// Small pictures of what the shelf offers, drawn one after the other in a view that nobody sees.
import {Vector3} from '../vendor/three.js';
import {el} from '../js/dom.js';
import {sceneFile} from '../js/socket.js';
import {emptyView} from './view.js';

const SHARP = 2; // pixels for each CSS pixel
const TO_EYE = new Vector3(0.74, 0.46, 0.42).normalize(); // from the front, the left and above
const MARGIN = 1.02;
const QUALITY = 0.85;

const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0)).buffer;

export class ModelPictures {
  // request(name, values, done): asks the run, see live_view.js.
  constructor(request) {
    this.request = request;
    this.files = {}; // name -> content as base64, of what is drawn now
    this.drawn = new Map(); // number -> data: URL, now or later
    this.last = Promise.resolve();
  }

  // The picture of an entry of the shelf, as a data: URL; '' if there is nothing to see. stem: of its file's name;
  // isWanted(): false if nobody needs it any more when its turn has come.
  of(number, stem, isWanted) {
    if (!this.drawn.has(number)) this.drawn.set(number, this.next(number, stem, isWanted));
    return this.drawn.get(number);
  }

  async next(number, stem, isWanted) {
    const turn = this.last.then(() => (isWanted() ? this.draw(number, stem) : null));
    this.last = turn.catch(() => {});
    const picture = await turn.catch(() => '');
    if (picture === null) this.drawn.delete(number);
    return picture ?? '';
  }

  async draw(number, stem) {
    const problem = await new Promise((resolve) => this.request('preview', {number}, resolve));
    if (problem) throw new Error(problem);
    const {scene, files} = JSON.parse(new TextDecoder().decode(await sceneFile(`preview-${number}-${stem}.json`)));
    if (!scene.shapes.length) return '';
    this.files = files;
    this.view ??= this.makeView();
    await this.view.setScene(scene);
    this.place();
    this.view.invalidate(true);
    this.view.draw(SHARP);
    return this.view.canvas.toDataURL('image/jpeg', QUALITY); // before the browser clears the canvas
  }

  makeView() {
    const stage = el('div', {class: 'unseen-stage', 'aria-hidden': 'true'});
    document.body.append(stage);
    const made = emptyView(stage, (name) => bytesOf(this.files[name]));
    made.canvas.tabIndex = -1;
    return made;
  }

  // Puts the camera where all is seen.
  place() {
    const {camera} = this.view;
    const {center, radius} = this.view.sphere();
    const angle = (camera.fov * Math.PI) / 360;
    const distance = (MARGIN * radius) / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * camera.aspect)));
    Object.assign(camera, {near: distance / 100, far: distance + 10 * radius});
    camera.position.copy(center).addScaledVector(TO_EYE, distance);
    camera.up.set(0, 0, 1);
    camera.lookAt(center);
    camera.updateProjectionMatrix();
  }
}
