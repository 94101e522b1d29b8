% MATLAB's prompt for commands: nobody can type here.
function keyboard (varargin)
  persistent is_told;
  if (isempty (is_told))
    is_told = true;
    fprintf (stderr, "keyboard: there is no prompt; the controller goes on\n");
  endif
endfunction
