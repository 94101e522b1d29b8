// How uPlot draws the kinds of plots: options, and data of the rows that are shown.
import {against, histogram, rowsBetween, spectrum} from './plot_kinds.js';

// Returns the data of a kind other than 'time'. times, columns: all that is kept.
export function dataOf(kind, times, columns, from, to) {
  const [begin, end] = rowsBetween(times, from, to);
  const cut = columns.map((column) => column.slice(begin, end));
  if (kind === 'xy') return [null, ...against(cut)];
  return kind === 'histogram' ? histogram(cut) : spectrum(times.slice(begin, end), cut);
}

// Returns the options in which a kind differs; series: those of the signals over time.
export function optionsOf(kind, series) {
  if (kind === 'xy') {
    return {mode: 2, series: [{}, ...series.slice(1).map((one) => ({...one, facets: [{scale: 'x', auto: true}, {scale: 'y', auto: true}], paths: path}))]};
  }
  if (kind === 'histogram') return {series: [{}, ...series.map((one) => ({...one, dash: [], fill: `${one.stroke}55`, paths: uPlot.paths.bars({size: [0.9]})}))]};
  return {series: [{}, ...series]};
}

// A line through points in their order, which are not sorted by x.
function path(plot, index) {
  uPlot.orient(plot, index, (series, xs, ys, scaleX, scaleY, toX, toY, left, top, width, height) => {
    const line = new Path2D();
    let isDown = false;
    const [across, up] = plot.data[index];
    across.forEach((x, i) => {
      if (x == null) isDown = false;
      else {
        line[isDown ? 'lineTo' : 'moveTo'](toX(x, scaleX, width, left), toY(up[i], scaleY, height, top));
        isDown = true;
      }
    });
    const {ctx} = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.strokeStyle = series.stroke(plot, index);
    ctx.lineWidth = series.width * devicePixelRatio;
    ctx.setLineDash((series.dash ?? []).map((one) => one * devicePixelRatio));
    ctx.stroke(line);
    ctx.restore();
  });
  return null;
}
