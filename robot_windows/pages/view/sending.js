// Sends the files of a model to the run, in parts.

export const MODEL = /\.(urdf|xml|mjcf|xacro|proto|stl|obj|dae|mtl|png|jpe?g)$/i; // files that models consist of
const MOST_BYTES = 64 * 2 ** 20;
const PART = 44_000; // bytes in a request
const AHEAD = 8; // requests without an answer

function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

// files: pairs of a name and a File; ask(name, values): returns the problem of a request, or ''. Returns the first problem.
export async function sendFiles(files, ask) {
  const wanted = files.filter(([name, {size}]) => MODEL.test(name) && size > 0);
  if (!wanted.length) return `no model: possible are ${MODEL.source.slice(3, -2).replaceAll('|', ', ')}`;
  const bytes = wanted.reduce((sum, [, file]) => sum + file.size, 0);
  if (bytes > MOST_BYTES) return `${bytes >> 20} MiB; a model may have ${MOST_BYTES >> 20} MiB`;
  const waiting = [];
  for (const [name, file] of wanted) {
    for (let start = 0; start < file.size; start += PART) {
      waiting.push(ask('bring', {name, part: await base64(file.slice(start, start + PART)), begins: start === 0}));
      const problem = waiting.length >= AHEAD && (await waiting.shift());
      if (problem) return problem;
    }
  }
  return (await Promise.all(waiting)).find(Boolean) ?? '';
}
