// The 3D view of a scene description: of a run, live, or of a recording.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, LinearSRGBColorSpace, Matrix4, Mesh, PerspectiveCamera, RawShaderMaterial, Raycaster, Vector2, Vector3, WebGLRenderer} from '../vendor/three.js';
import {Labels} from './labels.js';
import {Orbit} from './orbit.js';
import {Shadow} from './shadow.js';
import {SKY_FRAGMENT, SKY_VERTEX} from './shaders.js';
import {makeWorld} from './world.js';

// element: gets a canvas of its size. description, getBlob: see docs/scene-description.md.
export async function createView(element, description, getBlob) {
  const made = new View(element, getBlob);
  await made.setScene(description);
  return made;
}

class View {
  constructor(element, getBlob) {
    this.element = element;
    this.getBlob = getBlob;
    this.renderer = new WebGLRenderer({antialias: true, preserveDrawingBuffer: false});
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // the programs show colors themselves
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
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
      moved: () => this.invalidate(),
    });
    this.shadow = new Shadow();
    this.applied = new Map(); // key -> message
    this.isDirty = true;
    this.shadowsAreOld = true;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
  }

  // Another world, or the same one with other objects. The camera stays, unless `keepCamera` is false.
  async setScene(description, keepCamera = false) {
    const next = await makeWorld(description, this.getBlob);
    this.world?.dispose();
    this.world = next;
    this.applied.clear();
    this.sky = this.makeSky();
    if (!keepCamera) this.setViewpoint(description.viewpoint);
    this.world.uniforms.exposure.value = description.viewpoint.exposure;
    this.resize();
    this.invalidate(true);
  }

  makeSky() {
    const {cubes, defines, uniforms} = this.world;
    if (!cubes) return null;
    const cube = new BufferGeometry();
    const corners = [];
    for (let i = 0; i < 8; i++) corners.push(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    cube.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
    cube.setIndex([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]);
    const material = new RawShaderMaterial({glslVersion: GLSL3, vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, side: DoubleSide, depthWrite: false, uniforms: {picture: {value: cubes.sky}, exposure: uniforms.exposure}});
    material.defines = {'CUBE_AXES(v)': defines['CUBE_AXES(v)']};
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
    this.followed = this.followedFrom = null;
    this.resize();
    this.invalidate();
  }

  // How far away what the camera looks at is: where a turn of the view has its center.
  distanceAhead(toward) {
    const caster = new Raycaster(this.camera.position, toward);
    const [hit] = caster.intersectObjects(this.world.meshes.filter((one) => one?.isMesh && one.material.visible), false);
    return hit?.distance ?? 2;
  }

  resetViewpoint() {
    this.setViewpoint(this.viewpoint);
  }

  // Moves the camera with a body; null: no longer.
  follow(body) {
    this.followed = body;
    this.followedFrom = null;
  }

  moveCamera() {
    const number = this.followed ?? this.viewpoint.follow;
    const body = number == null ? null : this.world.bodies.get(number);
    if (!body || this.viewpoint.follow_type === 'None') return;
    const now = new Vector3().setFromMatrixPosition(body.matrix);
    if (this.followedFrom) {
      const way = now.clone().sub(this.followedFrom);
      this.camera.position.add(way);
      this.orbit.target.add(way);
    }
    this.followedFrom = now;
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
      await world.setTexture(key, message ?? first);
    } else if (what === 'lights') world.setLights(message ?? description.lights);
    else if (what === 'labels') this.labels.show(message ?? []);
    else if (what === 'viewpoint') this.world.uniforms.exposure.value = (message ?? description.viewpoint).exposure;
    this.invalidate(true);
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
    for (const [key, message] of messages) {
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
    if (!this.isDirty || !this.world) return;
    this.isDirty = false;
    const {renderer, world, camera} = this;
    const {glow} = world.air;
    const exposure = world.uniforms.exposure.value;
    if (this.shadowsAreOld) {
      this.shadowsAreOld = false;
      if (this.sky) this.sky.visible = false;
      this.shadow.draw(renderer, world, camera.position, camera.getWorldDirection(new Vector3()));
      if (this.sky) this.sky.visible = true;
    }
    const [r, g, b] = glow.map((light) => (1 - Math.exp(-Math.max(light, 0) * exposure)) ** (1 / 2.2));
    renderer.setClearColor(new Color(r, g, b), 1);
    renderer.clear();
    renderer.render(world.scene, camera);
  }

  // The shape at a place of the canvas (CSS pixels): {shape, node, point}, or null.
  pick(x, y) {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    const [hit] = caster.intersectObjects(this.world.meshes.filter((one) => one?.isMesh && one.material.visible), false);
    return hit ? {...hit.object.userData, point: hit.point} : null;
  }

  dispose() {
    this.observer.disconnect();
    this.shadow.dispose();
    this.world?.dispose();
    this.renderer.dispose();
    this.canvas.remove();
    this.labels.root.remove();
  }
}
