% MATLAB's function: in Octave, texts in both quotes are the same.
function text = convertStringsToChars (text)
endfunction
