% The message of an error, with the places in the controller's files.
function text = wb_explain__ (problem)
  text = sprintf ("error: %s", problem.message);
  for place = problem.stack'
    if (! strcmp (place.name, "wb_run__") && isempty (strfind (place.name, "launcher.m")))
      text = [text, sprintf("\n    %s, line %d", place.name, place.line)];
    endif
  endfor
endfunction
