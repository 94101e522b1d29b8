// Where panels are: a tree of rows and columns whose leaves hold panels as tabs. It is plain data, so that it can be stored.
//   leaf:  {tabs: ['view', 'above'], active: 'view'}
//   split: {axis: 'row' or 'column', sizes: [0.3, 0.7], parts: [leaf or split, ...]}; sizes are shares, their sum is 1

const LEAST = 0.06; // smallest share of a part
const MOST_PANELS = 60;
const DEEPEST = 8;

export function isLeaf(node) {
  return Array.isArray(node.tabs);
}

export function leavesOf(node) {
  return isLeaf(node) ? [node] : node.parts.flatMap(leavesOf);
}

export function panelsOf(node) {
  return leavesOf(node).flatMap((one) => one.tabs);
}

export function leafOf(root, panel) {
  return leavesOf(root).find((one) => one.tabs.includes(panel));
}

function parentOf(root, node) {
  if (isLeaf(root)) return null;
  if (root.parts.includes(node)) return root;
  return root.parts.map((one) => parentOf(one, node)).find(Boolean) ?? null;
}

function shared(sizes) {
  const all = sizes.reduce((sum, one) => sum + one, 0) || 1;
  return sizes.map((one) => one / all);
}

// Without empty leaves, splits of one part, and splits in splits of the same axis.
function tidied(node) {
  if (isLeaf(node)) return node.tabs.length ? node : null;
  const parts = [];
  const sizes = [];
  node.parts.forEach((one, i) => {
    const part = tidied(one);
    if (!part) return;
    const inner = !isLeaf(part) && part.axis === node.axis ? part : {parts: [part], sizes: [1]};
    parts.push(...inner.parts);
    sizes.push(...inner.sizes.map((size) => size * node.sizes[i]));
  });
  if (parts.length < 2) return parts[0] ?? null;
  return Object.assign(node, {parts, sizes: shared(sizes)});
}

// The tree without a panel; null if it was the only one.
export function without(root, panel) {
  const leaf = leafOf(root, panel);
  if (!leaf) return root;
  const place = leaf.tabs.indexOf(panel);
  leaf.tabs.splice(place, 1);
  if (leaf.active === panel) leaf.active = leaf.tabs[Math.min(place, leaf.tabs.length - 1)] ?? null;
  return tidied(root);
}

const SIDES = {left: ['row', 0], right: ['row', 1], top: ['column', 0], bottom: ['column', 1]};

// The tree with a new panel: among the tabs of a leaf (`center`), or at a side of it; leaf null: of everything.
export function withPanel(root, panel, leaf, side, share = leaf ? 0.5 : 0.25) {
  if (!root) return {tabs: [panel], active: panel};
  if (side === 'center') {
    const home = leaf ?? leavesOf(root)[0];
    home.tabs.push(panel);
    home.active = panel;
    return root;
  }
  const [axis, place] = SIDES[side];
  const made = {tabs: [panel], active: panel};
  const node = leaf ?? root;
  const edge = place ? node.parts?.length - 1 : 0;
  if (node === root && root.axis === axis && root.sizes[edge] >= 2 * share) {
    // The neighbor has enough: the others keep their sizes.
    root.sizes[edge] -= share;
    root.parts.splice(edge + place, 0, made);
    root.sizes.splice(edge + place, 0, share);
    return root;
  }
  const split = {axis, parts: place ? [node, made] : [made, node], sizes: place ? [1 - share, share] : [share, 1 - share]};
  const parent = parentOf(root, node);
  if (!parent) return tidied(split);
  parent.parts[parent.parts.indexOf(node)] = split;
  return tidied(root);
}

// Moves the border behind a part of a split by a share.
export function moveBorder(split, place, share) {
  const both = split.sizes[place] + split.sizes[place + 1];
  const least = Math.min(LEAST, both / 2);
  const first = Math.max(least, Math.min(both - least, split.sizes[place] + share));
  split.sizes[place] = first;
  split.sizes[place + 1] = both - first;
}

// A stored tree, if it is one; panels that `isKnown` refuses are left out.
export function readTree(data, isKnown, depth = 0) {
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return null;
  if (isLeaf(data)) {
    const tabs = [...new Set(data.tabs.filter((one) => typeof one === 'string' && isKnown(one)))].slice(0, MOST_PANELS);
    return tabs.length ? {tabs, active: tabs.includes(data.active) ? data.active : tabs[0]} : null;
  }
  if (!['row', 'column'].includes(data.axis) || !Array.isArray(data.parts) || data.parts.length > MOST_PANELS) return null;
  const kept = data.parts.map((one, i) => [readTree(one, isKnown, depth + 1), Number(data.sizes?.[i])]).filter(([part]) => part);
  const sizes = shared(kept.map(([, size]) => (size >= LEAST / 2 && size <= 1 ? size : 1 / kept.length)));
  return kept.length ? tidied({axis: data.axis, parts: kept.map(([part]) => part), sizes}) : null;
}

// Rectangles of the leaves and of the borders between parts, in the units of `box`.
export function boxesOf(node, box, gap) {
  if (isLeaf(node)) return {leaves: [{leaf: node, ...box}], borders: []};
  const isRow = node.axis === 'row';
  const [start, length] = isRow ? ['x', 'width'] : ['y', 'height'];
  const whole = box[length] - gap * (node.parts.length - 1);
  const found = {leaves: [], borders: []};
  let at = box[start];
  node.parts.forEach((part, i) => {
    const size = node.sizes[i] * whole;
    const inner = boxesOf(part, {...box, [start]: at, [length]: size}, gap);
    found.leaves.push(...inner.leaves);
    found.borders.push(...inner.borders);
    at += size;
    if (i < node.parts.length - 1) found.borders.push({split: node, place: i, whole, ...box, [start]: at, [length]: gap});
    at += gap;
  });
  return found;
}
