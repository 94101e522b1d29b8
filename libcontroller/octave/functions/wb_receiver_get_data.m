% The first packet of a receiver; type: "uint8", "double" or "string"; without a type, a libpointer.
function data = wb_receiver_get_data (tag, type)
  bytes = wb_call ("receiver_bytes", tag);
  if (nargin < 2)
    data = libpointer (bytes);
  elseif (strcmp (type, "string"))
    data = char (bytes);
    stop = find (bytes == 0, 1);
    if (! isempty (stop))
      data = data(1:stop - 1);
    endif
  else
    data = typecast (bytes, type);
  endif
endfunction
