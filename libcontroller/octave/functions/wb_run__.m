% Runs a controller: a script, or a function without arguments, in a file of its name.
function wb_run__ (file)
  [folder, name] = fileparts (file);
  addpath (folder);
  cd (folder);
  evalin ("base", wb_sorted__ (file, name));
endfunction
