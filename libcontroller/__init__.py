"""The C and C++ library of controllers: headers, sources, and how they are compiled for this machine."""
