% MATLAB's function: in Octave, texts in both quotes are the same.
function text = convertCharsToStrings (text)
endfunction
