// Files and folders that a person drops onto a page.

export const UNUSED = /(^|\/)(\.[^/]*|__pycache__|node_modules)(\/|$)/; // files that nothing needs

async function filesBelow(entries) {
  const all = [];
  for (const entry of entries) {
    if (UNUSED.test(entry.name)) continue;
    if (entry.isFile) all.push([entry.fullPath.slice(1), await new Promise((resolve, reject) => entry.file(resolve, reject))]);
    else all.push(...(await filesBelow(await entriesOf(entry))));
  }
  return all;
}

// Returns what a folder holds; its reader gives it in parts.
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return all;
    all.push(...part);
  }
}

// Returns what was dropped, with what its folders hold, as pairs of a name and a File. Call it at once: the drop is gone later.
export async function filesOf(data) {
  const items = [...data.items].filter((one) => one.kind === 'file');
  const entries = items.map((one) => one.webkitGetAsEntry());
  const loose = items.filter((_, i) => !entries[i]).map((one) => one.getAsFile()); // they come from another program
  return [...loose.map((one) => [one.name, one]), ...(await filesBelow(entries.filter(Boolean)))];
}
