% MATLAB's desktop: there is none here.
function desktop (varargin)
  persistent is_told;
  if (isempty (is_told))
    is_told = true;
    fprintf (stderr, "desktop: Octave runs without a desktop; the controller goes on\n");
  endif
endfunction
