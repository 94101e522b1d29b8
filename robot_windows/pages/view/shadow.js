// The shadow map of the first directional light that casts shadows, as in wbcore/render/shadows.py.
import {DepthTexture, DoubleSide, FloatType, GLSL3, LessEqualCompare, LinearFilter, Matrix4, OrthographicCamera, RGFormat, RawShaderMaterial, Vector3, WebGLRenderTarget} from '../vendor/three.js';
import {CASTS, MANY_CAST} from './instances.js';
import {SHADOW_FRAGMENT, SHADOW_VERTEX} from './shaders.js';

const SIZE = 2048;
const WIDEST = 20; // half the width (m) of the region with shadows, in larger worlds

export class Shadow {
  constructor() {
    this.target = new WebGLRenderTarget(SIZE, SIZE, {depthBuffer: true, format: RGFormat}); // the colors are not used
    this.target.depthTexture = new DepthTexture(SIZE, SIZE, FloatType);
    this.target.depthTexture.compareFunction = LessEqualCompare;
    this.target.depthTexture.minFilter = this.target.depthTexture.magFilter = LinearFilter;
    this.materials = [[CASTS, {}], [MANY_CAST, {INSTANCED: ''}]].map(([layer, defines]) => [layer, materialWith(defines)]);
    this.camera = new OrthographicCamera();
    this.camera.matrixAutoUpdate = false;
  }

  // Draws the map for what is near the eye.
  draw(renderer, world, eye, ahead) {
    const {scene, lights, caster, uniforms} = world;
    if (caster < 0) return;
    const record = lights[caster].record;
    const forward = new Vector3(record[8], record[9], record[10]);
    const side = Math.abs(forward.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
    const right = new Vector3().crossVectors(forward, side).normalize();
    const up = new Vector3().crossVectors(right, forward);
    const axes = [right, up, forward];
    const [low, high] = boundsOf(world, axes);
    if (low[0] > high[0]) return;
    const middle = axes.map((_, k) => (low[k] + high[k]) / 2);
    const half = axes.map((_, k) => (high[k] - low[k]) / 2);
    const around = eye.clone().addScaledVector(ahead, WIDEST);
    for (const k of [0, 1]) {
      if (half[k] > WIDEST) [middle[k], half[k]] = [axes[k].dot(around), WIDEST];
    }
    const [x, y, deep] = [half[0] + 1e-6, half[1] + 1e-6, 2 * half[2] + 2e-3];
    const {camera} = this;
    const place = new Vector3().addScaledVector(right, middle[0]).addScaledVector(up, middle[1]).addScaledVector(forward, low[2] - 1e-3);
    camera.matrix.makeBasis(right, up, forward.clone().negate()).setPosition(place);
    camera.matrixWorld.copy(camera.matrix);
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    Object.assign(camera, {left: -x, right: x, top: y, bottom: -y, near: 0, far: deep});
    camera.updateProjectionMatrix();
    uniforms.shadow_clip.value = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    uniforms.shadow_texel.value = 2 * Math.max(x, y) / SIZE;
    uniforms.shadow_map.value = this.target.depthTexture;
    const background = scene.background;
    scene.background = null;
    renderer.setRenderTarget(this.target);
    renderer.clear(false, true, false);
    for (const [layer, material] of this.materials) {
      if (layer === MANY_CAST && !world.instances.groups.length) continue;
      camera.layers.set(layer);
      scene.overrideMaterial = material;
      renderer.render(scene, camera);
    }
    renderer.setRenderTarget(null);
    scene.overrideMaterial = null;
    scene.background = background;
  }

  dispose() {
    this.target.depthTexture.dispose();
    this.target.dispose();
    for (const [, one] of this.materials) one.dispose();
  }
}

function materialWith(defines) {
  const made = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: SHADOW_VERTEX, fragmentShader: SHADOW_FRAGMENT, side: DoubleSide,
    polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2, colorWrite: false,
  });
  made.defines = defines;
  return made;
}

// The extent of everything along three axes.
function boundsOf(world, axes) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const middle = new Vector3();
  const half = new Vector3();
  const way = new Vector3();
  for (const mesh of world.meshes) {
    if (!mesh?.material.visible) continue;
    if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
    mesh.geometry.boundingBox.getCenter(middle).applyMatrix4(mesh.matrixWorld);
    mesh.geometry.boundingBox.getSize(half).multiplyScalar(0.5);
    axes.forEach((axis, k) => {
      const at = axis.dot(middle);
      // A turned box reaches as far as its edges do together.
      const reach = half.toArray().reduce((sum, size, i) => sum + size * Math.abs(axis.dot(way.setFromMatrixColumn(mesh.matrixWorld, i))), 0);
      low[k] = Math.min(low[k], at - reach);
      high[k] = Math.max(high[k], at + reach);
    });
  }
  return [low, high];
}
