/* Storage of constant tables: in flash, which some processors address separately from RAM. */
#ifndef MEMORY_H
#define MEMORY_H

#ifdef __AVR__
#define FLASH __flash
#else
#define FLASH
#endif

#endif
