// The worker's end of the port of a real robot, as Python uses it (wbridge/live/page_port.py). The port itself is in the page.

// say: sends a message to the page; bytesOf: takes the bytes out of Python's object.
export function workerPort(say, bytesOf) {
  let arrived = [];
  let events = [];
  let lost = '';
  let opened = null; // takes the answer to `open`
  let wake = null; // ends a wait

  const tell = (what, more = {}, moved = []) => say('port', {what, ...more}, moved);
  const tellBytes = (what, data) => {
    const copy = bytesOf(data);
    tell(what, {data: copy}, [copy.buffer]);
  };

  const forPython = {
    open: (baud) => new Promise((resolve) => {
      [arrived, lost, opened] = [[], '', resolve];
      tell('open', {baud});
    }),
    write: (data) => tellBytes('write', data),
    take: () => {
      if (!arrived.length) return undefined;
      const all = new Uint8Array(arrived.reduce((sum, part) => sum + part.length, 0));
      let end = 0;
      for (const part of arrived) {
        all.set(part, end);
        end += part.length;
      }
      arrived = [];
      return all;
    },
    lost: () => lost,
    wait: (ms) => new Promise((resolve) => {
      const timer = setTimeout(() => wake(), arrived.length || events.length || lost ? 0 : ms);
      wake = () => {
        clearTimeout(timer);
        wake = null;
        resolve();
      };
    }),
    event: () => events.shift(),
    signals: (isOn) => tell('signals', {isOn}),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    guard: (halting) => tellBytes('guard', halting),
    feed: (ms) => tell('feed', {ms}),
    driving: () => tell('driving'),
    close: () => tell('close'),
  };

  // Takes a message of the page.
  function hear({what, data, text}) {
    if (what === 'opened') opened?.(text);
    else if (what === 'bytes') arrived.push(data);
    else if (what === 'lost') lost = text;
    else events.push(what);
    wake?.();
  }

  return {forPython, hear};
}
