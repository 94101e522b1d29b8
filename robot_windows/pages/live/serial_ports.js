// The serial ports that the browser gives: the lowest layer of the way to a robot. A port is a SerialPort of Web Serial, or has
// what is used of one: open({baudRate}), close(), readable, writable, setSignals(). Tests put one at navigator.serial that leads to another robot.

const HOW = 'Use Chrome, Edge or another Chromium on a computer with Windows, macOS, Linux or ChromeOS.';

// Returns what keeps this page from reaching ports, "" if nothing does.
export function lacking() {
  if (!isSecureContext) return 'Robots can be reached only from a page at https://, or from one of this computer.';
  if (!navigator.serial) return `This browser has no Web Serial, by which pages reach serial ports. ${HOW}`;
  return '';
}

// Lets a person choose a port; null if none was chosen. Browsers allow this only after a click.
export async function choosePort() {
  try {
    return await navigator.serial.requestPort();
  } catch (problem) {
    if (problem.name === 'NotFoundError') return null;
    const why = problem.name === 'SecurityError' ? 'the settings of this browser or of its administrator forbid it' : problem.message;
    throw new Error(`This page may not ask for a serial port: ${why}.`);
  }
}

// Why a port could not be opened.
export function whyNotOpen(problem) {
  if (problem.name === 'NetworkError' || problem.name === 'InvalidStateError') {
    return 'the port cannot be opened: another tab or program uses it, its cable has been pulled, or this user may not open it (on Linux, the group dialout may)';
  }
  return `the port cannot be opened: ${problem.message}`;
}
