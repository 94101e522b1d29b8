// OpenGL for the renderer (wbcore/render) by WebGL 2, on a canvas that nobody sees. It has the functions that the renderer calls, with
// OpenGL's names; objects have numbers. What WebGL lacks is done by what it has:
//   indirect draws: one instanced draw for each command, with the attributes moved to its first vertex and instance;
//   buffers as textures: rows of COLUMNS texels of a flat texture; arrays of cubes: arrays of faces;
//   the size of points: the uniform point_size.
const COLUMNS = 1024; // as in shaders/scene.vert
const BUFFER_TEXTURE = 0x8c2a;
const COMMANDS = 0x8f3f;
const COMMAND = 5; // numbers: indices, instances, first index, first vertex, first instance
const EXTENSIONS = ['EXT_color_buffer_float', 'OES_texture_float_linear'];
const SETTINGS = {alpha: false, antialias: false, depth: false};

// Calls a function with the memory of Python's array.
function withMemory(array, kind, use) {
  const view = array.getBuffer(kind);
  try {
    return use(view.data);
  } finally {
    view.release();
  }
}

// Takes the numbers out of Python's list.
const listed = (list) => list.toJs();

// Objects by number.
class Names {
  constructor() {
    this.all = [null];
  }

  add(object) {
    return this.all.push(object) - 1;
  }

  get(name) {
    return this.all[name];
  }

  remove(name) {
    const object = this.all[name];
    this.all[name] = null;
    return object;
  }
}

// Draws by commands that lie in a buffer of OpenGL.
class IndirectDraws {
  constructor(context) {
    this.context = context;
    this.plain = {object: null, places: new Map()};
    this.now = this.plain; // the vertex array in use
  }

  use(array) {
    this.now = array ?? this.plain;
    this.context.bindVertexArray(this.now.object);
  }

  // An attribute: how it lies in the buffer.
  set(place, size, type, stride, start, isWhole) {
    const buffer = this.context.getParameter(this.context.ARRAY_BUFFER_BINDING);
    const one = {...this.now.places.get(place), size, type, stride, start, isWhole, buffer, skipped: 0};
    this.now.places.set(place, one);
    this.point(place, one, 0);
  }

  divide(place, divisor) {
    this.now.places.get(place).divisor = divisor;
    this.context.vertexAttribDivisor(place, divisor);
  }

  point(place, {size, type, stride, start, isWhole}, skipped) {
    if (isWhole) this.context.vertexAttribIPointer(place, size, type, stride, start + skipped * stride);
    else this.context.vertexAttribPointer(place, size, type, false, stride, start + skipped * stride);
  }

  // Moves the attributes to their first vertex and instance.
  move(vertex, instance) {
    for (const [place, one] of this.now.places) {
      const skipped = one.divisor ? instance : vertex;
      if (one.skipped === skipped) continue;
      one.skipped = skipped;
      this.context.bindBuffer(this.context.ARRAY_BUFFER, one.buffer);
      this.point(place, one, skipped);
    }
  }

  draw(commands, mode, type, start, count) {
    for (let at = start / 4; count > 0; count -= 1, at += COMMAND) {
      this.move(commands[at + 3], commands[at + 4]);
      this.context.drawElementsInstanced(mode, commands[at], type, 4 * commands[at + 2], commands[at + 1]);
    }
  }
}

// Buffers that shaders read as textures.
class BufferTextures {
  constructor(context) {
    this.context = context;
    this.contents = new Map(); // buffer -> {data, version}
    this.shown = new Map(); // texture -> the version that it has
    this.version = 0;
  }

  fill(buffer, data) {
    this.contents.set(buffer, {data, version: this.version += 1});
  }

  use(texture) {
    this.texture = texture;
    this.context.bindTexture(this.context.TEXTURE_2D, texture);
  }

  // Lets the texture that is in use show a buffer.
  show(buffer) {
    const {context} = this;
    const {data, version} = this.contents.get(buffer);
    if (this.shown.get(this.texture) === version) return;
    this.shown.set(this.texture, version);
    const rows = Math.ceil(data.length / 4 / COLUMNS);
    const filled = new Float32Array(4 * COLUMNS * rows);
    filled.set(data);
    context.texImage2D(context.TEXTURE_2D, 0, context.RGBA32F, COLUMNS, rows, 0, context.RGBA, context.FLOAT, filled);
    for (const option of [context.TEXTURE_MIN_FILTER, context.TEXTURE_MAG_FILTER]) context.texParameteri(context.TEXTURE_2D, option, context.NEAREST);
  }
}

// Constants of WebGL with OpenGL's names; others stand for what takes their place.
function constants(context) {
  const all = {};
  for (const key in context) if (typeof context[key] === 'number' && /^[A-Z]/.test(key)) all[`GL_${key}`] = context[key];
  return {
    ...all,
    GL_TEXTURE_BUFFER: BUFFER_TEXTURE,
    GL_DRAW_INDIRECT_BUFFER: COMMANDS,
    GL_TEXTURE_CUBE_MAP_ARRAY: context.TEXTURE_2D_ARRAY,
    GL_TEXTURE_CUBE_MAP_SEAMLESS: 0, // cubes are always so
    GL_CLAMP_TO_BORDER: context.CLAMP_TO_EDGE, // shaders look whether a place is inside
    GL_TEXTURE_BORDER_COLOR: 0,
    GL_FALSE: 0,
  };
}

// Making and removing objects, and shader programs.
function objects(context, names, draws) {
  const makes = (make) => () => names.add(make());
  const bound = (what) => (target, name) => context[what](target, names.get(name));
  const removes = (remove) => (count, list) => listed(list).forEach((name) => remove(names.remove(name)));
  const place = (location) => (location === null ? 0 : names.add(location)); // a uniform that is not used: number 0
  return {
    glGenBuffers: makes(() => context.createBuffer()),
    glGenTextures: makes(() => context.createTexture()),
    glGenFramebuffers: makes(() => context.createFramebuffer()),
    glGenRenderbuffers: makes(() => context.createRenderbuffer()),
    glGenVertexArrays: makes(() => ({object: context.createVertexArray(), places: new Map()})),
    glCreateProgram: makes(() => context.createProgram()),
    glCreateShader: (kind) => names.add(context.createShader(kind)),
    glDeleteBuffers: removes((one) => context.deleteBuffer(one)),
    glDeleteVertexArrays: removes(({object}) => context.deleteVertexArray(object)),
    glBindFramebuffer: bound('bindFramebuffer'),
    glBindRenderbuffer: bound('bindRenderbuffer'),
    glBindBuffer: (target, name) => target === COMMANDS || target === BUFFER_TEXTURE || context.bindBuffer(target, names.get(name)),
    glBindBufferBase: (target, index, name) => context.bindBufferBase(target, index, names.get(name)),
    glBindVertexArray: (name) => draws.use(names.get(name)),
    glAttachShader: (program, shader) => context.attachShader(names.get(program), names.get(shader)),
    glShaderSource: (shader, text) => context.shaderSource(names.get(shader), text),
    glCompileShader: (shader) => context.compileShader(names.get(shader)),
    glGetShaderiv: (shader, what) => Number(context.getShaderParameter(names.get(shader), what)),
    glGetShaderInfoLog: (shader) => context.getShaderInfoLog(names.get(shader)) ?? '',
    glLinkProgram: (program) => context.linkProgram(names.get(program)),
    glGetProgramiv: (program, what) => Number(context.getProgramParameter(names.get(program), what)),
    glGetProgramInfoLog: (program) => context.getProgramInfoLog(names.get(program)) ?? '',
    glGetUniformLocation: (program, name) => place(context.getUniformLocation(names.get(program), name)),
    glGetUniformBlockIndex: (program, name) => context.getUniformBlockIndex(names.get(program), name),
    glUniformBlockBinding: (program, index, binding) => context.uniformBlockBinding(names.get(program), index, binding),
    glUniform1i: (location, x) => context.uniform1i(names.get(location), x),
    glUniform1f: (location, x) => context.uniform1f(names.get(location), x),
    glUniform2f: (location, ...values) => context.uniform2f(names.get(location), ...values),
    glUniform3f: (location, ...values) => context.uniform3f(names.get(location), ...values),
    glUniform4f: (location, ...values) => context.uniform4f(names.get(location), ...values),
  };
}

// Textures and the frames that are drawn into.
function pictures(context, names, textures, has) {
  const inner = (kind) => (kind === context.RG32F && !has.OES_texture_float_linear ? context.RG16F : kind);
  const attach = (target, place, texture, level) => context.framebufferTexture2D(target, place, context.TEXTURE_2D, names.get(texture), level);
  const read = (width, height, kind, type, data) => context.readPixels(0, 0, width, height, kind, type, data);
  return {
    glActiveTexture: (unit) => context.activeTexture(unit),
    glBindTexture: (target, name) => (target === BUFFER_TEXTURE ? textures.use(names.get(name)) : context.bindTexture(target, names.get(name))),
    glTexBuffer: (target, kind, buffer) => textures.show(names.get(buffer)),
    glTexImage2D: (target, level, kind, width, height, border, format, type, pixels) =>
      withMemory(pixels, type === context.FLOAT ? 'f32' : 'u8', (data) => context.texImage2D(target, level, inner(kind), width, height, border, format, type, data)),
    glTexStorage2D: (...words) => context.texStorage2D(...words),
    glTexStorage3D: (...words) => context.texStorage3D(...words),
    glTexParameteri: (target, option, value) => context.texParameteri(target, option, value),
    glTexParameterfv: () => {}, // the color of a border
    glGenerateMipmap: (target) => context.generateMipmap(target),
    glRenderbufferStorageMultisample: (...words) => context.renderbufferStorageMultisample(...words),
    glFramebufferRenderbuffer: (target, place, kind, buffer) => context.framebufferRenderbuffer(target, place, kind, names.get(buffer)),
    glFramebufferTexture: attach,
    glFramebufferTextureLayer: (target, place, texture, level, layer) => context.framebufferTextureLayer(target, place, names.get(texture), level, layer),
    glCheckFramebufferStatus: (target) => context.checkFramebufferStatus(target),
    glDrawBuffers: (count, list) => context.drawBuffers(listed(list)),
    glDrawBuffer: (place) => context.drawBuffers([place]),
    glReadBuffer: (place) => context.readBuffer(place),
    glBlitFramebuffer: (...words) => context.blitFramebuffer(...words),
    // The only format of whole numbers that each WebGL reads has four for each pixel.
    glReadPixels: (width, height, kind, type, pixels) => {
      if (kind !== context.RED_INTEGER) withMemory(pixels, 'u8', (data) => read(width, height, kind, type, data));
      else {
        const four = new Uint32Array(4 * width * height);
        read(width, height, context.RGBA_INTEGER, type, four);
        withMemory(pixels, 'u32', (data) => data.forEach((_, i) => { data[i] = four[4 * i]; }));
      }
    },
  };
}

// Returns the functions and constants; throws if the browser has no WebGL 2.
export function webGl() {
  const context = new OffscreenCanvas(1, 1).getContext('webgl2', SETTINGS);
  if (!context) throw new Error('this browser has no WebGL 2, or it is switched off');
  const has = Object.fromEntries(EXTENSIONS.map((one) => [one, Boolean(context.getExtension(one))]));
  if (!has.EXT_color_buffer_float) throw new Error('the WebGL of this browser cannot draw light (EXT_color_buffer_float)');
  const names = new Names();
  const draws = new IndirectDraws(context);
  const textures = new BufferTextures(context);
  let commands = new Int32Array(); // of indirect draws
  let program = null;
  let size = 1; // of points
  const setSize = (mode) => mode === context.POINTS && context.uniform1f(context.getUniformLocation(program, 'point_size'), size);
  const filled = {
    [COMMANDS]: (data) => { commands = new Int32Array(data.slice().buffer); },
    [BUFFER_TEXTURE]: (data, name) => textures.fill(names.get(name), new Float32Array(data.slice().buffer)),
  };
  context.disable(context.DITHER);
  return {
    ...constants(context),
    ...objects(context, names, draws),
    ...pictures(context, names, textures, has),
    rows: context.getParameter(context.MAX_VARYING_VECTORS), // which vertices can hand over
    lost: () => context.isContextLost(),
    glGetString: (what) => {
      const more = context.getExtension('WEBGL_debug_renderer_info');
      return context.getParameter(what === context.RENDERER && more ? more.UNMASKED_RENDERER_WEBGL : what);
    },
    // Replaces the content of a buffer, and binds it.
    fillBuffer: (target, name, array) => withMemory(array, 'u8', (data) => {
      if (target in filled) filled[target](data, name);
      else {
        context.bindBuffer(target, names.get(name));
        context.bufferData(target, data, context.STREAM_DRAW);
      }
    }),
    glBufferData: (target, room, nothing, usage) => context.bufferData(target, room, usage),
    glBufferSubData: (target, start, length, array) => withMemory(array, 'u8', (data) => context.bufferSubData(target, start, data)),
    glCopyBufferSubData: (...words) => context.copyBufferSubData(...words),
    glUseProgram: (name) => context.useProgram((program = names.get(name))),
    glEnable: (what) => what && context.enable(what),
    glDisable: (what) => context.disable(what),
    glFrontFace: (order) => context.frontFace(order),
    glDepthMask: (isOn) => context.depthMask(isOn),
    glViewport: (...area) => context.viewport(...area),
    glPolygonOffset: (...words) => context.polygonOffset(...words),
    glBlendFuncSeparate: (...words) => context.blendFuncSeparate(...words),
    glClear: (parts) => context.clear(parts),
    glClearColor: (...color) => context.clearColor(...color),
    glClearBufferfv: (buffer, number, values) => context.clearBufferfv(buffer, number, listed(values)),
    glClearBufferuiv: (buffer, number, values) => context.clearBufferuiv(buffer, number, listed(values)),
    glPointSize: (pixels) => { size = pixels; },
    glEnableVertexAttribArray: (place) => context.enableVertexAttribArray(place),
    glVertexAttribPointer: (place, count, type, isNormal, stride, start) => draws.set(place, count, type, stride, start, false),
    glVertexAttribIPointer: (place, count, type, stride, start) => draws.set(place, count, type, stride, start, true),
    glVertexAttribDivisor: (place, divisor) => draws.divide(place, divisor),
    glDrawArrays: (mode, first, count) => {
      setSize(mode);
      context.drawArrays(mode, first, count);
    },
    glMultiDrawElementsIndirect: (mode, type, start, count) => {
      setSize(mode);
      draws.draw(commands, mode, type, start, count);
    },
  };
}
