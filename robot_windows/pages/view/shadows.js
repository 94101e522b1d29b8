// Shadow maps of all lights that cast shadows, as in wbcore/render: one map of a directional or spot light, six around a
// point light. They are tiles of one texture, since browsers promise no more than 16 textures.
import {DepthTexture, DoubleSide, FloatType, GLSL3, LessEqualCompare, LinearFilter, Matrix4, RGFormat, RawShaderMaterial, Vector4, WebGLRenderTarget} from '../vendor/three.js';
import {CASTS, MANY_CAST} from './instances.js';
import {SHADOW_FRAGMENT, SHADOW_VERTEX} from './shaders.js';
import {boundsOf, cubeCameras, directionalCamera, spotCamera} from './shadow_cameras.js';

const ALONE = 2048; // texels along each side of a map
const SHARED = 1024; // if there are several
const CUBE = 512; // of each face around a point light
const FACES = 6;
const DIRECTIONAL = 0;
const POINT = 1;

// Where the maps of lights are in the texture (texels: left, bottom, width, height), and what shaders need to know.
export function shadowTiles(lights) {
  const maps = lights.filter((one) => one.casts && one.kind !== POINT);
  const cubes = lights.filter((one) => one.casts && one.kind === POINT);
  const size = maps.length > 1 ? SHARED : ALONE;
  const top = size * Math.ceil(maps.length / 2);
  const width = Math.max(size * Math.min(maps.length, 2), cubes.length ? FACES * CUBE : 0);
  const height = top + CUBE * cubes.length;
  return {
    maps, cubes, width, height,
    macros: {MAPS: maps.length, CUBES: cubes.length, MAP_RIM: 0.5 / size, CUBE_RIM: 0.5 / CUBE},
    mapTiles: maps.map((_, i) => [size * (i % 2), size * Math.floor(i / 2), size, size]),
    cubeTiles: cubes.map((_, i) => [0, top + CUBE * i, CUBE, CUBE]),
  };
}

export class Shadows {
  constructor() {
    this.target = null;
    this.materials = [[CASTS, {}], [MANY_CAST, {INSTANCED: ''}]].map(([layer, defines]) => [layer, materialWith(defines)]);
  }

  // Draws the maps; directional lights show what is near the eye.
  draw(renderer, world, eye, ahead) {
    const {tiles, uniforms} = world;
    const bounds = boundsOf(world);
    if (!tiles.width || !bounds) return;
    this.prepare(tiles);
    const {scene} = world;
    const background = scene.background;
    scene.background = null;
    renderer.setRenderTarget(this.target);
    this.target.viewport.set(0, 0, tiles.width, tiles.height);
    renderer.clear(false, true, false);
    tiles.maps.forEach((light, i) => {
      const tile = tiles.mapTiles[i];
      const seen = light.kind === DIRECTIONAL ? directionalCamera(light.record, world, eye, ahead) : spotCamera(light.record, bounds);
      uniforms.shadow_clips.value[i] = new Matrix4().multiplyMatrices(seen.camera.projectionMatrix, seen.camera.matrixWorldInverse);
      uniforms.shadow_texels.value[i] = 2 * seen.reach / tile[2];
      this.drawTile(renderer, world, seen.camera, tile);
    });
    tiles.cubes.forEach((light, i) => {
      const [left, bottom, width, height] = tiles.cubeTiles[i];
      cubeCameras(light.record).forEach((camera, face) => this.drawTile(renderer, world, camera, [left + face * width, bottom, width, height]));
    });
    renderer.setRenderTarget(null);
    scene.overrideMaterial = null;
    scene.background = background;
    const part = ([x, y, w, h]) => new Vector4(x / tiles.width, y / tiles.height, w / tiles.width, h / tiles.height);
    uniforms.shadow_tiles.value = tiles.mapTiles.map(part);
    uniforms.shadow_cubes.value = tiles.cubeTiles.map(part);
    uniforms.shadow_maps.value = this.target.depthTexture;
  }

  drawTile(renderer, world, camera, tile) {
    this.target.viewport.set(...tile);
    renderer.setRenderTarget(this.target);
    for (const [layer, material] of this.materials) {
      if (layer === MANY_CAST && !world.instances.groups.length) continue;
      camera.layers.set(layer);
      world.scene.overrideMaterial = material;
      renderer.render(world.scene, camera);
    }
  }

  prepare({width, height}) {
    if (this.target?.width === width && this.target.height === height) return;
    this.disposeTarget();
    this.target = new WebGLRenderTarget(width, height, {depthBuffer: true, format: RGFormat}); // the colors are not used
    this.target.depthTexture = new DepthTexture(width, height, FloatType);
    this.target.depthTexture.compareFunction = LessEqualCompare;
    this.target.depthTexture.minFilter = this.target.depthTexture.magFilter = LinearFilter;
  }

  disposeTarget() {
    this.target?.depthTexture.dispose();
    this.target?.dispose();
  }

  dispose() {
    this.disposeTarget();
    for (const [, one] of this.materials) one.dispose();
  }
}

// The statement that adds a light to what surfaces get; `tiles` numbers the shadows.
export function lightCalls(lights, tiles) {
  return lights.map((light, i) => {
    const name = ['add_directional', 'add_point', 'add_spot'][light.kind];
    const [own, shadow] = light.kind === POINT ? ['left_around', tiles.cubes.indexOf(light)] : ['left_in_map', tiles.maps.indexOf(light)];
    const far = light.kind === DIRECTIONAL ? '1.0' : `distance(lights[${5 * i + 1}].xyz, at)`;
    const place = light.kind === POINT ? `, lights[${5 * i + 1}]` : '';
    return `${name}(${i}, ${light.casts ? `${own}(${shadow}${place}, normal * ${far})` : '1.0'});`;
  }).join(' ');
}

function materialWith(defines) {
  const made = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: SHADOW_VERTEX, fragmentShader: SHADOW_FRAGMENT, side: DoubleSide,
    polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2, colorWrite: false,
  });
  made.defines = defines;
  return made;
}
