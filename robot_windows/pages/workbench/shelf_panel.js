// What can be added to the world, by group: drag an entry into the 3D view, or choose it to add it in the middle of
// the view.
import {el, setText} from '../js/dom.js';
import {SHELF} from '../js/dragged.js';
import {sceneFile} from '../js/socket.js';

export class ShelfPanel {
  // world(): the 3D view, when it has been loaded.
  constructor(world) {
    this.title = 'Shelf';
    this.search = el('input', {type: 'search', class: 'small', placeholder: 'Find', 'aria-label': 'Find in the shelf'});
    this.search.oninput = () => this.filter();
    const own = el('input', {type: 'file', multiple: true, hidden: true, onchange: () => this.bring(own)});
    this.tools = el('div', {class: 'tools-row'}, this.search, own, el('button', {type: 'button', title: 'Add a URDF, MJCF, mesh or PROTO of this computer; folders can be dropped into the view', onclick: () => own.click()}, 'From a file …'));
    this.hint = el('p', {class: 'hint', role: 'status'}, 'Drag an entry into the view. Parts go onto a solid.');
    this.groups = el('div', {class: 'shelf-groups'});
    this.root = el('div', {class: 'shelf-panel'}, this.hint, this.groups);
    this.shown = new Set(); // items that can be seen
    this.observer = new IntersectionObserver((changes) => changes.forEach((one) => this.see(one)), {root: this.root});
    this.open(world);
  }

  bring(input) {
    this.world.building.bring([...input.files].map((file) => [file.name, file]));
    input.value = '';
  }

  wants() {
    return {scene: true};
  }

  async open(world) {
    try {
      this.world = await world();
    } catch (problem) {
      setText(this.hint, `This cannot be shown: ${problem.message ?? problem}`);
      return;
    }
    this.world.listen('shelf', ({file, stem}) => this.load(file, stem));
    this.world.ask('shelf');
  }

  async load(file, stem) {
    if (file === this.file) return;
    Object.assign(this, {file, stem, count: 0});
    this.observer.disconnect();
    const groups = JSON.parse(new TextDecoder().decode(await sceneFile(file)));
    this.groups.replaceChildren(...groups.map((group, i) => this.group(group, i < 2)));
    this.filter();
  }

  group({title, names}, isOpen) {
    const items = names.map((name) => {
      const made = el('button', {type: 'button', class: 'shelf-item', draggable: 'true', 'data-model': name, onclick: () => this.world.building.add(name)}, el('img', {alt: '', hidden: true, draggable: 'false'}), el('span', {}, name));
      made.dataset.number = String(this.count++);
      this.observer.observe(made);
      made.ondragstart = (event) => {
        event.dataTransfer.setData(SHELF, name);
        event.dataTransfer.effectAllowed = 'copy';
      };
      return made;
    });
    return el('details', {class: 'shelf-group', open: isOpen, 'data-open': String(isOpen)}, el('summary', {}, title), el('div', {class: 'shelf-items'}, ...items));
  }

  // An item gets its picture when it is seen for the first time.
  async see({target, isIntersecting}) {
    if (!isIntersecting) {
      this.shown.delete(target);
      return;
    }
    this.shown.add(target);
    const picture = await this.world.modelPictures.of(Number(target.dataset.number), this.stem, () => this.shown.has(target));
    const image = target.querySelector('img');
    if (!picture || !image.hidden) return;
    image.src = picture;
    image.hidden = false;
  }

  // A search opens the groups that have something.
  filter() {
    const wanted = this.search.value.trim().toLowerCase();
    for (const group of this.groups.children) {
      const isWhole = group.firstChild.textContent.toLowerCase().includes(wanted);
      let count = 0;
      for (const item of group.querySelectorAll('.shelf-item')) {
        item.hidden = !isWhole && !item.dataset.model.toLowerCase().includes(wanted);
        count += !item.hidden;
      }
      group.hidden = !count;
      group.open = wanted ? count > 0 : group.dataset.open === 'true';
    }
  }
}

export const panels = [{
  kind: 'shelf', title: 'Shelf', rank: 3, place: ['left', null, 0.2], isLasting: true,
  isPossible: ({hello}) => hello.hasScene,
  make: ({source}) => new ShelfPanel(() => source.loadView()),
}];
