// Materials and textures of a scene description.
import {
  BufferAttribute, BufferGeometry, ClampToEdgeWrapping, CubeTexture, DataTexture, FrontSide, GLSL3, HalfFloatType, InterleavedBuffer,
  InterleavedBufferAttribute, LinearFilter, LinearMipmapLinearFilter, NearestFilter, NoColorSpace, RGBAFormat, RGFormat,
  RawShaderMaterial, RepeatWrapping, Texture, Vector4,
} from '../vendor/three.js';
import {PHONG, PHYSICAL, UNLIT_FRAGMENT, VERTEX} from './shaders.js';

const LIGHT_SIZE = 128; // of the sky's light, see wbcore/render/sky.py
const HALF_ONE = 0x3c00;

function bytesOf(data) {
  return data instanceof Uint8Array ? data : new Uint8Array(data);
}

// The file of a mesh, see wbcore/view/files.py.
export function geometryOf(data, corners) {
  const bytes = bytesOf(data);
  const whole = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const count = new Uint32Array(whole.buffer, whole.byteOffset, 1)[0];
  const vertices = new InterleavedBuffer(new Float32Array(whole.buffer, whole.byteOffset + 4, 8 * count), 8);
  const indices = new Uint32Array(whole.buffer, whole.byteOffset + 4 + 32 * count, (whole.byteLength - 4 - 32 * count) / 4);
  const made = new BufferGeometry();
  made.setAttribute('position', new InterleavedBufferAttribute(vertices, 3, 0));
  made.setAttribute('normal', new InterleavedBufferAttribute(vertices, 3, 3));
  made.setAttribute('uv', new InterleavedBufferAttribute(vertices, 2, 6));
  if (corners > 1) made.setIndex(new BufferAttribute(indices, 1));
  return made;
}

async function pictureOf(data) {
  return createImageBitmap(new Blob([data]), {colorSpaceConversion: 'none', premultiplyAlpha: 'none'});
}

export async function textureOf(description, getBlob) {
  const made = new Texture(await pictureOf(await getBlob(description.file)));
  made.flipY = false;
  made.colorSpace = NoColorSpace;
  [made.wrapS, made.wrapT] = description.repeat.map((one) => (one ? RepeatWrapping : ClampToEdgeWrapping));
  made.minFilter = description.is_smooth ? LinearMipmapLinearFilter : NearestFilter;
  made.magFilter = description.is_smooth ? LinearFilter : NearestFilter;
  made.generateMipmaps = description.is_smooth;
  made.anisotropy = description.is_smooth ? 4 : 1;
  made.needsUpdate = true;
  return made;
}

// A white texture for the plain surfaces of a world that also has ones with a picture only: one program for both
// starts sooner than two. Null: there are not both.
export function whiteFor(surfaces) {
  const textures = surfaces.filter((one) => one.kind === 'physical').map((one) => one.textures);
  const hasPictures = textures.some(([base, ...others]) => base?.is_color && !others.some(Boolean));
  if (!hasPictures || !textures.some((one) => !one.some(Boolean))) return null;
  const made = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
  made.needsUpdate = true;
  return made;
}

// A material, which still needs `setTextures`. uniforms: those that all materials share. white: see `whiteFor`.
export function materialOf(surface, corners, uniforms, defines, white) {
  const own = {record: {value: []}};
  const isPlain = white && corners === 3 && surface.kind === 'physical' && !surface.textures.some(Boolean);
  if (isPlain) own.map0 = {value: white};
  surface.textures.forEach((texture, i) => {
    if (texture) own[`map${i}`] = {value: null};
  });
  const made = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: corners < 3 ? UNLIT_FRAGMENT : surface.kind === 'physical' ? PHYSICAL : PHONG,
    uniforms: {...uniforms, ...own},
    side: FrontSide,
  });
  made.defines = {...defines};
  if (corners < 3) made.defines.UNLIT = '';
  if (corners === 1) made.defines.ROUND = '';
  surface.textures.forEach((texture, i) => {
    if (texture) made.defines[`MAP${i}`] = '';
  });
  if (isPlain) made.defines.MAP0 = '';
  if (surface.textures[0] && !surface.textures[0].is_color) made.defines.UNCONVERTED = '';
  if ('FINE' in defines && surface.textures[0]?.has_relief) made.defines.RELIEF = '';
  if (surface.kind === 'shiny') made.defines.SHINY = '';
  setRecord(made, surface);
  return made;
}

export function setTextures(material, textures) {
  textures.forEach((texture, i) => {
    if (texture) material.uniforms[`map${i}`].value = texture;
  });
}

export function setRecord(material, surface) {
  const {record} = surface;
  material.uniforms.record.value = [0, 1, 2, 3, 4, 5].map((row) => new Vector4(...record.slice(4 * row, 4 * row + 4)));
  material.transparent = surface.transparent;
  material.depthWrite = !surface.transparent;
  material.visible = !surface.invisible;
}

export async function reflectanceOf({file, size}, getBlob) {
  const bytes = bytesOf(await getBlob(file)).slice();
  const made = new DataTexture(new Uint16Array(bytes.buffer), size, size, RGFormat, HalfFloatType);
  made.minFilter = made.magFilter = LinearFilter;
  made.needsUpdate = true;
  return made;
}

function half(value) {
  if (value <= 0) return 0;
  const power = Math.max(-14, Math.floor(Math.log2(value)));
  const share = value / 2 ** power;
  return share >= 1 ? ((power + 15) << 10) + Math.round((share - 1) * 1024) : Math.round(share * 1024);
}

// A sky, and the light that comes from it: gains are the factors of squared pixels, and of the sum of red, green and
// blue; null: it lights nothing.
export async function cubesOf(names, getBlob, gains = [[1, 1, 1], [0, 0, 0]]) {
  const pictures = await Promise.all(names.map(async (name) => pictureOf(await getBlob(name))));
  if (!gains) return {sky: cubeOf(pictures)};
  const light = cubeOf(pictures.map((one) => lightOf(one, gains)));
  light.type = HalfFloatType;
  light.format = RGBAFormat;
  return {sky: cubeOf(pictures), light};
}

function cubeOf(faces) {
  const made = new CubeTexture(faces);
  made.flipY = false;
  made.colorSpace = NoColorSpace;
  made.needsUpdate = true;
  made.generateMipmaps = true;
  made.minFilter = LinearMipmapLinearFilter;
  made.magFilter = LinearFilter;
  return made;
}

function lightOf(picture, [own, gray]) {
  const canvas = new OffscreenCanvas(LIGHT_SIZE, LIGHT_SIZE);
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, LIGHT_SIZE, LIGHT_SIZE);
  const {data} = pen.getImageData(0, 0, LIGHT_SIZE, LIGHT_SIZE);
  const light = new Uint16Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const squares = [0, 1, 2].map((k) => (data[i + k] / 255) ** 2);
    const sum = squares[0] + squares[1] + squares[2];
    squares.forEach((one, k) => { light[i + k] = half(own[k] * one + gray[k] * sum); });
    light[i + 3] = HALF_ONE;
  }
  const made = new DataTexture(light, LIGHT_SIZE, LIGHT_SIZE, RGBAFormat, HalfFloatType);
  made.needsUpdate = true;
  return made;
}
