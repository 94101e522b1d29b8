// A picture that consists of light. What is transparent mixes light, as in cameras (wbcore/render/light_targets.py),
// not displayed colors.
import {
  BufferAttribute, BufferGeometry, DepthTexture, FloatType, GLSL3, HalfFloatType, Mesh, OrthographicCamera, RGBAFormat, RawShaderMaterial,
  WebGLRenderTarget,
} from '../vendor/three.js';
import {TONE_FRAGMENT, TONE_VERTEX} from './shaders.js';

const SAMPLES = 4; // for each pixel
const WHOLE = [-1, -1, 0, 3, -1, 0, -1, 3, 0]; // a triangle around the picture

export class LightPicture {
  constructor() {
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new BufferAttribute(new Float32Array(WHOLE), 3));
    this.uniforms = {picture: {value: null}, depths: {value: null}, exposure: {value: 1}};
    this.material = new RawShaderMaterial({glslVersion: GLSL3, vertexShader: TONE_VERTEX, fragmentShader: TONE_FRAGMENT, uniforms: this.uniforms});
    this.material.defines = {};
    this.whole = new Mesh(triangle, this.material);
    this.whole.frustumCulled = false;
    this.camera = new OrthographicCamera();
  }

  // Draws into it from now on.
  begin(renderer) {
    const {width, height} = renderer.domElement;
    if (this.target?.width !== width || this.target.height !== height) {
      this.disposeTarget();
      this.target = new WebGLRenderTarget(width, height, {type: HalfFloatType, format: RGBAFormat, samples: SAMPLES});
      this.target.depthTexture = new DepthTexture(width, height, FloatType);
      this.uniforms.picture.value = this.target.texture;
      this.uniforms.depths.value = this.target.depthTexture;
    }
    renderer.setRenderTarget(this.target);
  }

  // Shows it on the empty canvas, where later drawings know its depths.
  show(renderer, exposure, isFine) {
    renderer.setRenderTarget(null);
    renderer.clear();
    this.uniforms.exposure.value = exposure;
    if ('FINE' in this.material.defines !== isFine) {
      this.material.defines = isFine ? {FINE: ''} : {};
      this.material.needsUpdate = true;
    }
    renderer.render(this.whole, this.camera);
  }

  disposeTarget() {
    this.target?.depthTexture.dispose();
    this.target?.dispose();
  }

  dispose() {
    this.disposeTarget();
    this.whole.geometry.dispose();
    this.material.dispose();
  }
}
