// A system for programs that are WebAssembly: files in memory, and text that they print.
export {ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI} from '@bjorn3/browser_wasi_shim';
