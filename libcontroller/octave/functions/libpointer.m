% The data of a packet, read as in MATLAB: setdatatype (pointer, "doublePtr", rows, columns); get (pointer, "Value").
classdef libpointer < handle
  properties
    Bytes
    Value
  endproperties
  methods
    function self = libpointer (bytes)
      self.Bytes = bytes;
      self.Value = bytes;
    endfunction
    function setdatatype (self, type, rows, columns)
      self.Value = typecast (self.Bytes, strrep (regexprep (type, "Ptr$", ""), "string", "char"));
      if (nargin > 2)
        if (nargin < 4)
          columns = 1;
        endif
        self.Value = reshape (self.Value(1:rows * columns), rows, columns);
      endif
    endfunction
    function value = get (self, name)
      value = self.(name);
    endfunction
  endmethods
endclassdef
