// What a plot can show of its signals besides their course: one against another, how often each value occurs, and which
// frequencies they have. All functions take columns with null where a value is missing.

const MOST_BINS = 60;
const SAMPLES = 1024; // of a spectrum, a power of two
const FEWEST = 16; // values of which a spectrum can be taken

// Kind: name in the menu, and what the horizontal axis shows.
export const KINDS = {
  time: ['Over time', 'time (s)'], xy: ['First as x', ''], histogram: ['Histogram', 'value'], spectrum: ['Spectrum', 'frequency (Hz)'],
};

// The rows from a time to another, both inclusive; times are sorted.
export function rowsBetween(times, from, to) {
  let begin = 0;
  while (begin < times.length && times[begin] < from) begin += 1;
  let end = times.length;
  while (end > begin && times[end - 1] > to) end -= 1;
  return [begin, end];
}

// Each column against the first one: [[xs, ys], ...]; rows in which a value is missing separate lines.
export function against([first, ...others]) {
  return others.map((column) => {
    const xs = [], ys = [];
    for (let i = 0; i < column.length; i += 1) {
      const isWhole = first[i] != null && column[i] != null;
      xs.push(isWhole ? first[i] : null);
      ys.push(isWhole ? column[i] : null);
    }
    return [xs, ys];
  });
}

// Counts in common bins: [centers, counts of each column ...]. Their number follows Freedman and Diaconis' rule (1981).
export function histogram(columns) {
  const all = columns.flatMap((column) => column.filter((one) => one != null)).sort((a, b) => a - b);
  if (!all.length) return [[], ...columns.map(() => [])];
  const [low, high] = [all[0], all.at(-1)];
  if (low === high) return [[low], ...columns.map((column) => [column.filter((one) => one != null).length])];
  const quarter = all[Math.floor(0.75 * (all.length - 1))] - all[Math.floor(0.25 * (all.length - 1))];
  const wanted = quarter > 0 ? (2 * quarter) / Math.cbrt(all.length) : (high - low) / Math.sqrt(all.length);
  const count = Math.min(MOST_BINS, Math.max(1, Math.ceil((high - low) / wanted)));
  const width = (high - low) / count;
  const centers = Array.from({length: count}, (_, i) => low + (i + 0.5) * width);
  return [centers, ...columns.map((column) => {
    const counts = Array.from({length: count}, () => 0);
    for (const one of column) if (one != null) counts[Math.min(count - 1, Math.floor((one - low) / width))] += 1;
    return counts;
  })];
}

// Amplitudes of sinusoids: [frequencies (Hz), amplitudes of each column ...]. Takes the last values without a gap, at equal
// distances, less their mean, under Hann's window; a sinusoid of amplitude A has a peak of height A at its frequency.
export function spectrum(times, columns) {
  const [begin, end] = unbroken(times, columns);
  const count = end - begin;
  if (count < FEWEST) return [[], ...columns.map(() => [])];
  const size = Math.min(SAMPLES, 2 ** Math.ceil(Math.log2(count)));
  const step = (times[end - 1] - times[begin]) / (size - 1);
  const useful = Math.max(2, Math.floor(Math.min(size, count) / 2)); // up to half of the rate at which values came
  const frequencies = Array.from({length: useful}, (_, k) => k / (size * step));
  return [frequencies, ...columns.map((column) => amplitudes(resampled(times, column, begin, end, size), useful))];
}

// The last rows in which no column lacks a value.
function unbroken(times, columns) {
  let end = times.length;
  const isWhole = (row) => columns.every((column) => column[row] != null);
  while (end > 0 && !isWhole(end - 1)) end -= 1;
  let begin = end;
  while (begin > 0 && isWhole(begin - 1)) begin -= 1;
  return [begin, end];
}

function resampled(times, column, begin, end, size) {
  const first = times[begin], length = times[end - 1] - first;
  let row = begin;
  return Array.from({length: size}, (_, i) => {
    const at = first + (length * i) / (size - 1);
    while (row < end - 2 && times[row + 1] < at) row += 1;
    const share = (at - times[row]) / (times[row + 1] - times[row]);
    return column[row] + (column[row + 1] - column[row]) * Math.min(1, Math.max(0, share));
  });
}

function amplitudes(values, useful) {
  const size = values.length;
  const mean = values.reduce((sum, one) => sum + one, 0) / size;
  const re = values.map((one, i) => (one - mean) * (1 - Math.cos((2 * Math.PI * i) / size)) / 2);
  const im = Array.from({length: size}, () => 0);
  transform(re, im);
  return Array.from({length: useful}, (_, k) => (4 * Math.hypot(re[k], im[k])) / size); // Hann's window halves amplitudes
}

// The fast Fourier transform of Cooley and Tukey (1965), in place.
function transform(re, im) {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let length = 2; length <= size; length *= 2) {
    const half = length / 2;
    for (let k = 0; k < half; k += 1) {
      const cos = Math.cos((-2 * Math.PI * k) / length), sin = Math.sin((-2 * Math.PI * k) / length);
      for (let i = k; i < size; i += length) {
        const j = i + half;
        const r = re[j] * cos - im[j] * sin, m = re[j] * sin + im[j] * cos;
        [re[j], im[j]] = [re[i] - r, im[i] - m];
        re[i] += r;
        im[i] += m;
      }
    }
  }
}
