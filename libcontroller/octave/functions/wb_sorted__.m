% The command that runs a controller. Functions at the end of a script, as in MATLAB, are defined first.
function command = wb_sorted__ (file, name)
  lines = strsplit (fileread (file), "\n");
  is_code = ! cellfun (@isempty, regexp (lines, '^\s*[^\s%#]', "once"));
  start = find (! cellfun (@isempty, regexp (lines, '^\s*function\>', "once")), 1);
  command = name;
  if (isempty (start) || start == find (is_code, 1))
    return;
  endif
  definitions = [tempname() ".m"];
  handle = fopen (definitions, "w");
  fprintf (handle, "1;\n%s\n", strjoin (lines(start:end), "\n"));
  fclose (handle);
  unwind_protect
    source (definitions);
  unwind_protect_cleanup
    delete (definitions);
  end_unwind_protect
endfunction
