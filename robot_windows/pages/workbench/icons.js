// Icons as drawings: they take the color of the text around them.
const SVG = 'http://www.w3.org/2000/svg';
const PATHS = {
  fold: 'M9 6l6 6-6 6',
  plot: 'M3 17l5-8 4 5 3-7 6 9',
  close: 'M6 6l12 12M18 6L6 18',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  pause: 'M8 5v14M16 5v14',
  live: 'M7 5l11 7-11 7z',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  eye: 'M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 14.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5z',
  drive: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
};

export function icon(name) {
  const made = document.createElementNS(SVG, 'svg');
  made.setAttribute('viewBox', '0 0 24 24');
  made.setAttribute('class', `icon icon-${name}`);
  made.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  made.append(path);
  return made;
}
