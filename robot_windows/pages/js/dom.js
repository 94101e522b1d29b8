// Small helpers for creating elements and formatting numbers.

// el('button', {class: 'quiet', onclick: f}, 'text', child)
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made[key] = value;
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((one) => one != null));
  return made;
}

export function number(value) {
  if (value == null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  const size = Math.abs(value);
  if (size >= 1e7) return value.toExponential(2).replace('e+', 'e');
  if (size >= 10000) return value.toFixed(0);
  if (size >= 1000) return value.toFixed(1);
  if (size >= 100) return value.toFixed(2);
  return value.toFixed(3).replace('-0.000', '0.000');
}

// For running text, without trailing zeros.
export function short(value) {
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : number(value);
}

// 1 device, 2 devices
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

// A readable name: worlds may have empty ones.
export function named(name) {
  return name.trim() || '(no name)';
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The address of a robot's window; if several robots have the same name, it includes the number.
export function windowAddress(window, robot, robots) {
  const name = encodeURIComponent(window);
  const number = robots.filter((one) => one.name === robot.name).length > 1 ? `&number=${robot.number}` : '';
  return `/robot_windows/${name}/${name}.html?name=${encodeURIComponent(robot.name)}${number}`;
}

// Scales a canvas to the screen's resolution; drawing uses page units.
export function fit(canvas) {
  const {clientWidth: width, clientHeight: height} = canvas;
  const sharp = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, width, height);
  return {pen, width, height};
}

// Offers a file for download.
export function saveFile(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, {type}));
  el('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// What the browser keeps for these pages. One that keeps nothing, as in a frame of a notebook, has nothing.
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // the default is shown next time
  }
}

// The theme: that of the system, or the one chosen here.
export function themeButton(changed = () => {}) {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const kept = stored('theme');
  if (kept) root.dataset.theme = kept;
  const button = el('button', {class: 'quiet', type: 'button', title: 'Dark or light', 'data-local': true});
  const show = () => setText(button, isDark() ? 'Light' : 'Dark');
  button.onclick = () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    store('theme', root.dataset.theme);
    show();
    changed();
  };
  dark.addEventListener('change', () => {
    show();
    changed();
  });
  show();
  return button;
}
