// The hardware map of a robot as a form, for a run inside of this page: drivers and pins of each device, what each pin can do,
// who uses it, the wiring, and the map's text. Python keeps the map (wbfirmware/map/form.py); this shows it.
import {el, saveFile, setText} from '../js/dom.js';

const NAME = 'hardware.toml';
const STEPS = 1000; // of a comparison
const NUMBERS = ['number', 'integer', 'frequency']; // kinds of parameters

export class WiringPanel {
  // inside: the run inside of this page.
  constructor(inside) {
    this.title = 'Wiring';
    this.inside = inside;
    this.robots = el('select', {'aria-label': 'Robot', onchange: () => this.begin()});
    this.boards = el('select', {'aria-label': 'Board', id: 'wiring-board', onchange: () => this.begin()});
    this.note = el('p', {class: 'hint', role: 'status'}, 'Loading …');
    this.problems = el('ul', {class: 'wiring-problems', 'aria-label': 'Problems of the map'});
    this.pins = el('div', {class: 'wiring-pins', role: 'group', 'aria-label': 'Pins of the board'});
    this.devices = el('div', {class: 'wiring-devices'});
    this.picture = el('img', {class: 'wiring-picture', alt: 'How the parts are connected to the board', hidden: true});
    this.text = el('textarea', {class: 'wiring-text', spellcheck: 'false', rows: 14, 'aria-label': 'The hardware map as text'});
    const button = (id, text, act) => el('button', {type: 'button', id, onclick: act, disabled: true}, text); // until there is a map
    this.use = button('use-map', 'Use this text', () => this.ask('take', this.text.value));
    this.save = button('save-map', 'Download the map', () => this.saveMap());
    this.program = button('save-program', 'Download the program', () => this.build(({name, data}) => saveFile(name, [data], 'application/octet-stream')));
    this.write = button('write-program', 'Write it to the board', () => this.build((program) => this.send(program)));
    this.verify = button('verify-program', 'Verify on an emulated board', () => this.compare());
    this.table = button('save-table', 'Download the step table', () => saveFile('steps.csv', [this.steps], 'text/csv'));
    [this.table.hidden, this.table.disabled] = [true, false];
    this.project = button('save-project', 'Download the C project', () => this.build(({name, data}) => saveFile(name, [data], 'application/zip'), ''));
    this.root = el('div', {class: 'wiring-panel'},
      el('div', {class: 'tools-row'}, this.robots, this.boards), this.note, this.problems, this.pins, this.devices, this.picture,
      el('details', {}, el('summary', {}, 'The map as text'), this.text, this.use), el('div', {class: 'tools-row'}, this.save, this.program, this.verify, this.table, this.write, this.project));
    this.open();
  }

  async open() {
    try {
      const {robots, boards} = JSON.parse(await this.inside.ask('form', 'choices'));
      this.robots.replaceChildren(...robots.map(({number, name}) => el('option', {value: number}, name)));
      this.robots.hidden = robots.length < 2;
      this.boards.replaceChildren(el('option', {value: ''}, 'Choose a board'), ...boards.map(({name, title}) => el('option', {value: name}, title)));
      this.tell(robots.length ? 'Choose the board of the real robot: drivers and pins are proposed.' : 'No robot of this world has devices.');
      this.boards.disabled = !robots.length;
      await this.restore();
    } catch (problem) {
      this.tell(`The form cannot be shown: ${problem.message ?? problem}`);
    }
    this.refresh();
  }

  tell(text) {
    setText(this.note, text);
  }

  // Shows the map that this browser has kept of an earlier visit.
  async restore() {
    const {robot, board, text} = this.inside.keptMap ?? {};
    if (![...this.robots.options].some((one) => one.value === robot)) return;
    this.robots.value = robot;
    this.boards.value = board;
    await this.ask('begin', Number(robot), board);
    await this.ask('take', text);
  }

  begin() {
    if (this.boards.value) this.ask('begin', Number(this.robots.value), this.boards.value);
  }

  // Lets Python change the map, and shows it.
  async ask(what, ...values) {
    try {
      this.showMap(JSON.parse(await this.inside.ask('form', what, ...values)));
    } catch (problem) {
      this.tell(problem.message ?? String(problem));
      if (this.map) this.showMap(this.map, false); // fields go back to what the map has
    }
  }

  // map: see MapForm.shown.
  showMap(map, hasNews = true) {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.map = map;
    const faults = map.problems.filter((one) => !one.is_doubt);
    if (hasNews) this.tell(faults.length ? 'This map cannot be used yet:' : map.problems.length ? 'This map can be used. Please check:' : 'This map can be used.');
    this.problems.replaceChildren(...map.problems.map((one) => el('li', {class: one.is_doubt ? 'doubt' : 'fault'}, `${one.text} (line ${one.line})`)));
    this.pins.replaceChildren(...map.pins.map((one) => this.pin(one)));
    this.devices.replaceChildren(...map.devices.map((one) => this.device(one, map.problems.filter((problem) => problem.device === one.name && !problem.is_doubt))));
    this.picture.hidden = !map.wiring;
    if (map.wiring) this.picture.src = `data:image/svg+xml,${encodeURIComponent(map.wiring)}`;
    this.text.value = map.text;
    if (hasNews && map.board) this.inside.keepMap({robot: this.robots.value, board: map.board, text: map.text});
    if (map.board) this.boards.value = map.board;
    if (focused) this.root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    this.refresh();
  }

  refresh() {
    const isGood = Boolean(this.map) && !this.map.problems.some((one) => !one.is_doubt);
    this.save.disabled = this.use.disabled = !this.map;
    if (isGood) this.inside.mark('wired');
    const {built, written, is_python: isPython} = this.map ?? {};
    this.program.disabled = !isGood || !built;
    this.write.disabled = !isGood || !written;
    this.verify.hidden = built !== 'avr';
    this.verify.disabled = !isGood;
    this.project.hidden = !this.map || isPython;
    this.project.disabled = !isGood;
    this.program.title = this.map && !built ? 'Programs for this board are compiled on a computer: download the C project' : '';
  }

  // A pin with who uses it; a click gives it to the field that asked last.
  pin({name, label, functions, users, is_shared: isShared}) {
    const who = users.map((one) => one.join(': ')).join(', ');
    const kind = users.length > 1 && !isShared ? 'twice' : users.length ? 'used' : functions.length ? 'free' : 'none';
    const title = [label, functions.join(', ') || 'no function of its own', who && `used by ${who}`].filter(Boolean).join('\n');
    return el('button', {type: 'button', class: 'wiring-pin', 'data-pin': name, 'data-use': kind, title, onclick: () => this.give(name)}, el('b', {}, name), el('small', {}, who || ' '));
  }

  device({name, type, driver, drivers, parameters}, problems) {
    const choice = el('select', {'aria-label': `Driver of ${name}`, 'data-key': `${name} `, onchange: () => this.ask('choose', name, choice.value)},
      ...drivers.map(([other, about, why]) => el('option', {value: other, disabled: Boolean(why) && other !== driver, title: why || about}, other)));
    choice.value = driver;
    const about = drivers.find(([other]) => other === driver)?.[1] ?? '';
    return el('section', {class: problems.length ? 'wiring-device wrong' : 'wiring-device', 'data-device': name},
      el('h3', {}, name, el('small', {}, ` ${type}`)), choice, el('p', {class: 'hint'}, about), ...parameters.map((one) => this.parameter(name, one)));
  }

  parameter(device, {name, about, kind, value, choices}) {
    const key = `${device} ${name}`;
    const more = {'aria-label': `${name} of ${device}`, 'data-key': key};
    const changed = (of) => this.ask('set', device, name, JSON.stringify(of));
    let field = null;
    if (choices) {
      const known = choices.map(([of, label]) => [JSON.stringify(of), label]);
      const now = JSON.stringify(value ?? '');
      if (!known.some(([of]) => of === now)) known.unshift([now, `${value ?? 'not set'}`]);
      field = el('select', {...more, onchange: () => changed(JSON.parse(field.value)), onfocus: () => this.wait(kind, device, name, choices)}, ...known.map(([of, label]) => el('option', {value: of}, label)));
      field.value = now;
    } else if (NUMBERS.includes(kind)) {
      field = el('input', {...more, type: 'number', step: kind === 'number' ? 'any' : 1, value, onchange: () => field.value && changed(Number(field.value))});
    } else {
      field = el('input', {...more, type: 'text', value: JSON.stringify(value), onchange: () => this.takeText(field.value, changed)});
    }
    return el('label', {class: 'wiring-parameter', title: about}, el('span', {}, name), field, el('small', {}, about));
  }

  takeText(text, changed) {
    try {
      changed(JSON.parse(text));
    } catch {
      this.tell(`${text}: write numbers in brackets, such as [[0, 1], [2.5, 3]]`);
    }
  }

  // A field for a pin has the focus: the pins that it can have are marked.
  wait(kind, device, name, choices) {
    this.waiting = kind === 'pin' ? {device, name, able: choices.map(([of]) => of)} : null;
    for (const one of this.pins.children) one.classList.toggle('able', this.waiting?.able.includes(one.dataset.pin) ?? false);
  }

  give(pin) {
    if (!this.waiting) this.tell('Choose the field of a pin first: the pins that it can have are marked.');
    else if (!this.waiting.able.includes(pin)) this.tell(`${pin} cannot be ${this.waiting.name} of ${this.waiting.device}.`);
    else this.ask('set', this.waiting.device, this.waiting.name, JSON.stringify(pin));
  }

  // Runs the very program on an emulated board beside the simulation, and shows what differs.
  async compare() {
    [this.table.hidden, this.table.disabled] = [true, false];
    await this.build(async ({elf}) => {
      this.tell(`Comparing ${STEPS} steps …`);
      const {text, table} = JSON.parse(await this.inside.verify({map: this.map.text, program: elf, steps: STEPS}));
      this.tell(text);
      this.steps = table;
      this.table.hidden = !table;
    });
  }

  async send({data}) {
    if (await this.link.use(this.map.written, data)) this.inside.mark('written');
  }

  saveMap() {
    saveFile(NAME, [this.map.text], 'text/plain');
  }

  // Builds the program of the board, or gives its project to `use`; how: see PageHardware._shown.
  async build(use, how = this.map.built) {
    try {
      const made = how === 'avr' ? await this.compiled() : {name: 'firmware.zip', data: await this.inside.ask('program')};
      this.link ??= await this.inside.robotLink(() => this.tell(this.link.note));
      await use(made);
    } catch (problem) {
      this.tell(problem.message ?? String(problem));
    }
  }

  async compiled() {
    const {elf, hex} = await this.inside.compiled(JSON.parse(await this.inside.ask('project')), (text) => this.tell(text));
    this.tell(await this.inside.ask('compiled', elf));
    return {name: 'firmware.hex', data: hex, elf};
  }
}

export const panels = [{
  kind: 'wiring', title: 'Wiring', rank: 6, place: ['left', null, 0.4], isLasting: true,
  isPossible: () => Boolean(globalThis.runInside),
  make: () => new WiringPanel(globalThis.runInside),
}];
