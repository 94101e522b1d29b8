// Workers of this site.

// name: of a module beside this one. A worker of a blob's address is bound by the policy of this page; one of a file only by that file's own headers.
export function startWorker(name) {
  const address = URL.createObjectURL(new Blob([`import '${new URL(name, import.meta.url)}';`], {type: 'text/javascript'}));
  return new Worker(address, {type: 'module'});
}
