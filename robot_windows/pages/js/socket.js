// The connection of a page to its run: a WebSocket, or messages to a worker if the run is inside of this page (live/run.js).

export function openSocket(address) {
  return globalThis.runInside ? globalThis.runInside.connect() : new WebSocket(address);
}

// Returns the bytes of a file of the 3D view.
export async function sceneFile(name) {
  if (globalThis.runInside) return globalThis.runInside.file(name);
  const answer = await fetch(`/scene/${name}`);
  if (!answer.ok) throw new Error(`a part of the scene is missing (${answer.status}); reload this page`);
  return answer.arrayBuffer();
}
