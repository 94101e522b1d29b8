// The 3D view of a scene description: of a run, live, or of a recording.
import {BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, GLSL3, Group, InstancedMesh, LinearSRGBColorSpace, Matrix4, Mesh, PerspectiveCamera, Quaternion, RawShaderMaterial, Raycaster, Vector2, Vector3, WebGLRenderer} from '../vendor/three.js';
import {Drawings} from './drawings.js';
import {Following, matrixOfPose} from './following.js';
import {Hiding} from './hiding.js';
import {Labels} from './labels.js';
import {LightPicture} from './light_picture.js';
import {Orbit} from './orbit.js';
import {Shadows} from './shadows.js';
import {SKY_FRAGMENT, SKY_VERTEX} from './shaders.js';
import {Sharpness} from './sharpness.js';
import {standardView} from './standard_views.js';
import {makeWorld} from './world.js';

const MOST_SHOWN = 1000; // m: larger things are not shown as a whole
const GLIDE_MS = 350; // of the camera to a standard view

// element: gets a canvas of its size. description, getBlob: see docs/scene-description.md.
export async function createView(element, description, getBlob) {
  const made = emptyView(element, getBlob);
  await made.setScene(description);
  return made;
}

// A view that shows nothing until `setScene` is called: starting WebGL takes time, in which a scene can be on its way.
export function emptyView(element, getBlob) {
  return new View(element, getBlob);
}

// True if the processor draws, instead of a graphics card.
function isSoftware(gl) {
  const more = gl.getExtension('WEBGL_debug_renderer_info');
  return /SwiftShader|llvmpipe|softpipe|Basic Render|Software/i.test(gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

class View {
  constructor(element, getBlob) {
    this.element = element;
    this.getBlob = getBlob;
    this.renderer = new WebGLRenderer({antialias: true, preserveDrawingBuffer: false});
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // the programs show colors themselves
    this.sharpness = new Sharpness(Math.min(devicePixelRatio || 1, 2), isSoftware(this.renderer.getContext()));
    this.renderer.setPixelRatio(this.sharpness.most);
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'The world in 3D');
    element.append(this.canvas);
    this.labels = new Labels(element);
    this.camera = new PerspectiveCamera();
    this.orbit = new Orbit(this.camera, this.canvas, {
      pick: (x, y) => this.pick(x, y)?.point ?? null,
      up: new Vector3(0, 0, 1),
      moved: () => this.userMoved(),
      clicked: (event) => this.onClick(event),
      asked: (event) => this.onAsk(event),
      taken: (event) => this.takesPointer(event),
    });
    this.onClick = this.onAsk = () => {}; // set by pages that select, and by those with a menu
    this.takesPointer = () => false; // set by pages that drag objects
    this.following = new Following(this.camera, this.orbit.target);
    this.drawings = new Drawings();
    this.selected = null; // number of a node
    this.others = []; // numbers of the other selected ones
    this.hiding = new Hiding(this);
    this.shadows = new Shadows();
    this.lightPicture = new LightPicture();
    this.applied = new Map(); // key -> message
    this.isDirty = true;
    this.isDrawn = false; // until the first picture
    this.shadowsAreOld = true;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
  }

  // Another world, or the same one with other objects. The camera stays, unless `keepCamera` is false.
  async setScene(description, keepCamera = false) {
    const next = await makeWorld(description, this.getBlob, this);
    this.world?.dispose();
    this.world = next;
    this.applied.clear();
    this.sky = this.makeSky();
    this.hiding.apply();
    if (keepCamera) this.followAgain();
    else this.setViewpoint(description.viewpoint);
    this.select(this.selected, this.others);
    this.world.uniforms.exposure.value = description.viewpoint.exposure;
    this.resize();
    this.invalidate(true);
  }

  // Compiles the programs of materials, which takes time. The materials that share a program wait for it only once.
  compile(materials) {
    const all = new Group();
    const nothing = new BufferGeometry();
    for (const one of materials) all.add('INSTANCED' in one.defines ? new InstancedMesh(nothing, one, 1) : new Mesh(nothing, one));
    this.renderer.compile(all, this.camera);
  }

  // Changes a rectangle of a texture: its left and top, width and height (pixels), and its pixels as base64.
  patch(texture, {patch: [left, top, width, height], pixels}) {
    const part = new DataTexture(Uint8Array.from(atob(pixels), (one) => one.charCodeAt(0)), width, height);
    part.needsUpdate = true;
    this.renderer.copyTextureToTexture(part, texture, null, new Vector2(left, top));
    part.dispose();
  }

  makeSky() {
    const {air, backdrop, cubes, defines, uniforms} = this.world;
    const picture = cubes?.sky ?? backdrop?.sky;
    if (!picture) return null;
    const gain = cubes ? 1 : air.backdrop.gain;
    const cube = new BufferGeometry();
    const corners = [];
    for (let i = 0; i < 8; i++) corners.push(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    cube.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
    cube.setIndex([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]);
    const material = new RawShaderMaterial({glslVersion: GLSL3, vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, side: DoubleSide, depthWrite: false, uniforms: {picture: {value: picture}, gain: {value: gain}, exposure: uniforms.exposure}});
    material.defines = Object.fromEntries(['CUBE_AXES(v)', 'FINE', 'LINEAR'].filter((name) => name in defines).map((name) => [name, defines[name]]));
    const made = new Mesh(cube, material);
    made.frustumCulled = false;
    made.renderOrder = -1;
    made.matrixAutoUpdate = false;
    this.world.scene.add(made);
    return made;
  }

  // The camera.

  setViewpoint(viewpoint) {
    this.viewpoint = viewpoint;
    const {eye, forward, up, near, far} = viewpoint;
    const {camera, orbit} = this;
    Object.assign(camera, {near, far});
    orbit.up.set(...(this.world.air.is_z_up ? [0, 0, 1] : [0, 1, 0]));
    camera.position.set(...eye);
    const toward = new Vector3(...forward);
    const [x, y, z] = [new Vector3(...forward).cross(new Vector3(...up)), new Vector3(...up), toward.clone().negate()];
    camera.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
    orbit.target.copy(camera.position).addScaledVector(toward, this.distanceAhead(toward));
    const {follow, follow_type: kind, from} = viewpoint;
    this.glide = this.chosen = null;
    this.following.start(kind, follow, from && matrixOfPose(from));
    this.resize();
    this.invalidate();
  }

  // How far away what the camera looks at is: where a turn of the view has its center.
  distanceAhead(toward) {
    return this.firstHit(this.camera.position, toward)?.distance ?? 2;
  }

  firstHit(origin, toward) {
    const shown = this.world.meshes.filter((one) => one?.isMesh && one.material.visible && !one.userData.isHidden);
    return new Raycaster(origin, toward).intersectObjects(shown, false)[0];
  }

  resetViewpoint() {
    this.setViewpoint(this.viewpoint);
  }

  // Moves the camera with a body, or as the world says (undefined); null: not at all. kind: see following.js.
  follow(body, kind = 'Tracking Shot') {
    this.chosen = body === undefined ? null : {body, kind};
    const {follow, follow_type: given} = this.viewpoint;
    if (body === undefined) this.following.start(given, follow);
    else this.following.start(body === null ? null : kind, body);
    this.moveCamera();
  }

  // Bodies have other numbers in another scene.
  followAgain() {
    if (!this.chosen) this.following.start(this.viewpoint.follow_type, this.world.description.viewpoint.follow);
  }

  moveCamera() {
    const body = this.following.body == null ? null : this.world.bodies.get(this.following.body);
    if (body) this.following.move(body.matrix);
  }

  userMoved() {
    this.glide = null;
    this.invalidate();
  }

  // Looks at what is selected, or else at everything, from a side: see standard_views.js.
  look(name) {
    const {position, matrix} = standardView(name, this.world.air.is_z_up, this.sphere(), this.camera);
    this.glideTo(position, new Quaternion().setFromRotationMatrix(matrix), this.sphere().center);
  }

  // Comes to what is selected, in the direction of the view.
  approach() {
    const sphere = this.sphere();
    const {camera} = this;
    const ahead = camera.getWorldDirection(new Vector3());
    const distance = (1.3 * sphere.radius) / Math.sin(((camera.fov * Math.PI) / 360) * Math.min(1, camera.aspect));
    this.glideTo(sphere.center.clone().addScaledVector(ahead, -distance), camera.quaternion.clone(), sphere.center);
  }

  glideTo(position, turn, target) {
    const {camera} = this;
    this.orbit.target.copy(target);
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.glide = {began: performance.now(), last: isStill ? 0 : GLIDE_MS, from: camera.position.clone(), turned: camera.quaternion.clone(), position, turn};
    this.invalidate();
  }

  moveGlide() {
    if (!this.glide) return;
    const {began, last, from, turned, position, turn} = this.glide;
    const time = last ? Math.min(1, (performance.now() - began) / last) : 1;
    const share = time * time * (3 - 2 * time);
    this.camera.position.lerpVectors(from, position, share);
    this.camera.quaternion.slerpQuaternions(turned, turn, share);
    if (time === 1) this.glide = null;
    this.invalidate();
  }

  // A sphere around what is selected, or else around all that is not much larger than the rest: {center, radius}.
  sphere() {
    const {world} = this;
    const all = this.meshesOf(this.selected);
    const boxes = (all.length ? all : world.meshes.filter((one) => one?.material.visible)).map((mesh) => {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      return mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
    }).filter((one) => one.min.distanceTo(one.max) < MOST_SHOWN);
    if (!boxes.length) return {center: new Vector3(), radius: 1};
    const whole = boxes[0];
    for (const one of boxes.slice(1)) whole.union(one);
    return {center: whole.getCenter(new Vector3()), radius: Math.max(whole.min.distanceTo(whole.max) / 2, 1e-3)};
  }

  // The meshes of a solid and of all solids in it.
  meshesOf(node) {
    if (node == null) return [];
    return this.world.meshes.filter((one) => one && (one.userData.node === node || this.isInside(one.userData.node, node)));
  }

  isInside(node, outer) {
    const {parents} = this.world.description;
    for (let one = node; one != null && parents; one = parents[one]) if (one === outer) return true;
    return false;
  }

  // Draws frames around solids: the one that tools concern (null: none), and others that are selected.
  select(node, others = []) {
    this.selected = node;
    this.others = others;
    this.drawings.select(this.allSelected().map((one) => this.framed(one)));
    this.invalidate();
  }

  // The numbers of all selected nodes.
  allSelected() {
    return this.selected == null ? [] : [this.selected, ...this.others];
  }

  // The meshes of a solid that share its body, and the number of that body.
  framed(node) {
    const meshes = this.meshesOf(node);
    const own = meshes.filter((one) => one.userData.node === node);
    const carrier = (own[0] ?? meshes[0])?.userData.body;
    return {meshes: own.length && carrier != null ? meshes.filter((one) => one.userData.body === carrier) : meshes, carrier};
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    const {camera} = this;
    camera.aspect = width / height;
    const angle = this.viewpoint?.field_of_view ?? 0.785; // of the larger side
    const vertical = width > height ? 2 * Math.atan(Math.tan(angle / 2) / camera.aspect) : angle;
    camera.fov = (vertical * 180) / Math.PI;
    camera.updateProjectionMatrix();
    this.invalidate();
  }

  // What is shown.

  setPoses(numbers, poses) {
    this.world.setPoses(numbers, poses);
    this.moveCamera();
    this.invalidate(true);
  }

  // One message about a change; null: as in the description.
  async apply(key, message) {
    const {world} = this;
    const [what, number] = key.split(' ');
    const {description} = world;
    const at = Number(number);
    if (what === 'surface') await world.setSurface(at, message ?? description.surfaces[at]);
    else if (what === 'place') world.setPlace(at, message ?? description.shapes[at].place);
    else if (what === 'texture') {
      const first = description.surfaces.flatMap((one) => one.textures).find((one) => one?.live === key);
      // A picture that cannot be loaded was replaced meanwhile: another message is on its way.
      await world.setTexture(key, message ?? first).catch((problem) => console.warn(key, problem));
    } else if (what === 'lights') world.setLights(message ?? description.lights);
    else if (what === 'air') await this.takeAir(message ?? description.air);
    else if (what === 'labels') this.labels.show(message ?? []);
    else if (what === 'draw') this.drawings.show(number, message);
    else if (what === 'viewpoint') this.takeViewpoint(message ?? description.viewpoint);
    this.invalidate(true);
  }

  async takeAir(air) {
    await this.world.setAir(air);
    this.renewSky();
  }

  renewSky() {
    this.sky?.removeFromParent();
    this.sky = this.makeSky();
  }

  // The view jumps only if the Viewpoint itself has other fields: a followed one moves by itself.
  takeViewpoint(viewpoint) {
    this.world.uniforms.exposure.value = viewpoint.exposure;
    if (JSON.stringify(viewpoint.given) !== JSON.stringify(this.viewpoint.given)) this.setViewpoint(viewpoint);
  }

  // All messages at once: those that are not there any more go back to the description.
  async setMessages(messages) {
    const scene = messages.get('scene');
    if (scene !== this.sceneFile) {
      this.sceneFile = scene;
      const text = scene ? new TextDecoder().decode(await this.getBlob(scene)) : null;
      this.first ??= this.world.description;
      await this.setScene(text ? JSON.parse(text) : this.first, true);
    }
    const waits = [];
    // Surfaces come before the pictures on them.
    const ordered = [...messages].sort(([a], [b]) => a.startsWith('texture') - b.startsWith('texture'));
    for (const [key, message] of ordered) {
      if (key === 'scene' || this.applied.get(key) === message) continue;
      this.applied.set(key, message);
      waits.push(this.apply(key, message));
    }
    for (const key of this.applied.keys()) {
      if (messages.has(key)) continue;
      this.applied.delete(key);
      waits.push(this.apply(key, null));
    }
    await Promise.all(waits);
  }

  // Drawing.

  invalidate(moved = false) {
    this.isDirty = true;
    if (moved) this.shadowsAreOld = true;
  }

  // Draws if something has changed.
  render() {
    this.moveGlide();
    if (!this.world) return;
    const now = performance.now();
    if (this.isDirty) {
      const ratio = this.sharpness.begin(now);
      if (!ratio) return;
      this.draw(ratio);
    } else if (this.sharpness.isDue(now)) {
      this.sharpness.isSharp = true;
      this.draw(this.sharpness.most);
    }
  }

  // ratio: pixels for each CSS pixel along each side.
  draw(ratio) {
    this.isDirty = Boolean(this.glide);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    const {renderer, world, camera} = this;
    if (world.setLinear()) this.renewSky();
    const exposure = world.uniforms.exposure.value;
    if (this.shadowsAreOld) {
      this.shadowsAreOld = false;
      world.instances.update();
      if (this.sky) this.sky.visible = false;
      this.shadows.draw(renderer, world, camera.position, camera.getWorldDirection(new Vector3()));
      if (this.sky) this.sky.visible = true;
    }
    if (world.isLinear) this.lightPicture.begin(renderer);
    renderer.setClearColor(new Color(...world.skyColor()), 1);
    renderer.clear();
    renderer.render(world.scene, camera);
    if (world.isLinear) this.lightPicture.show(renderer, exposure, world.air.is_fine);
    this.drawings.follow(world.bodies);
    if (this.drawings.scene.children.length) renderer.render(this.drawings.scene, camera);
    this.isDrawn = true;
  }

  // The view as a picture (a Blob with a PNG file).
  picture() {
    this.draw(this.sharpness.most);
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  // The ray of a place of the canvas (CSS pixels): {origin, toward}.
  rayAt(x, y) {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return {origin: caster.ray.origin, toward: caster.ray.direction};
  }

  // The shape at a place of the canvas (CSS pixels): {shape, node, point}, or null.
  pick(x, y) {
    const {origin, toward} = this.rayAt(x, y);
    const hit = this.firstHit(origin, toward);
    return hit ? {...hit.object.userData, point: hit.point} : null;
  }

  dispose() {
    this.observer.disconnect();
    this.drawings.dispose();
    this.shadows.dispose();
    this.lightPicture.dispose();
    this.world?.dispose();
    this.renderer.dispose();
    this.canvas.remove();
    this.labels.root.remove();
  }
}
