// The programs that avr-gcc starts for a command. Pages cannot start programs that start others, so its part is done here;
// source: `avr-gcc -###`, and the file specs-atmega328p of GCC.

const OF_DRIVER = /^(-mmcu=|-Wl,|--specs=)/; // words that only the driver understands
const SUFFIXES = {cpp: 'cc1plus', cc: 'cc1plus', cxx: 'cc1plus', c: 'cc1'};
const CHANGED = '/temporary/changed.o'; // what objcopy writes: it cannot replace a file that it reads here
const INCLUDED = ['-isystem', '/sdk/include/gcc', '-isystem', '/sdk/include/avr'];

// The words after an option, and the other words.
function split(words, option) {
  const at = words.indexOf(option);
  return at < 0 ? ['', words] : [words[at + 1], words.filter((_, place) => place !== at && place !== at + 1)];
}

function compiled(words, target, {flags}) {
  const source = words.at(-1);
  const text = `/temporary/${target.replaceAll('/', '_')}.s`;
  const own = words.slice(0, -1).filter((word) => word !== '-c' && !OF_DRIVER.test(word));
  const family = flags.find((flag) => flag.startsWith('-mmcu='));
  const named = ['-dumpbase', source, '-dumpbase-ext', source.slice(source.lastIndexOf('.'))];
  return [
    {tool: SUFFIXES[source.split('.').pop()], args: ['-quiet', ...INCLUDED, ...flags, ...own, ...named, source, '-o', text], made: text, source},
    {tool: 'avr-as', args: [family, '-mno-skip-bug', '-mgcc-isr', '-o', target, text], made: target},
  ];
}

function linked(words, target, name, {flags, libraries}, ram) {
  const family = flags.find((flag) => flag.startsWith('-mmcu=')).slice('-mmcu='.length);
  const objects = words.filter((word) => word.endsWith('.o'));
  const folder = `/sdk/lib/${libraries}`;
  if (words.includes('-r')) return [{tool: 'avr-ld', args: ['-m', family, '-r', '-T', `${folder}/joined`, '-o', target, ...objects], made: target}];
  const options = words.filter((word) => word.startsWith('-Wl,')).flatMap((word) => word.slice('-Wl,'.length).split(','));
  const last = ['--start-group', '-lgcc', '-lm', '-lc', `-l${name}`, '--end-group'];
  return [{tool: 'avr-ld', args: ['-m', family, '-T', `${folder}/script`, '-Tdata', ram, '-o', target, `${folder}/crt${name}.o`, `-L${folder}`, ...objects, ...options, '-lm', ...last], made: target}];
}

// words: those of a command of the project's Makefile; processors: of the pack, by name; ram: where variables begin.
// Gives {tool, args, made: the file that it makes, source: the file of the project that it compiles, moved: where that file is at first}
// for each program.
export function programsOf(words, processors, ram) {
  const [command, ...rest] = words;
  if (command.endsWith('objcopy')) return [{tool: 'avr-objcopy', args: [...rest, CHANGED], made: rest.at(-1), moved: CHANGED}];
  const name = rest.find((word) => word.startsWith('-mmcu=')).slice('-mmcu='.length);
  const [target, others] = split(rest, '-o');
  return others.includes('-c') ? compiled(others, target, processors[name]) : linked(others, target, name, processors[name], ram);
}
