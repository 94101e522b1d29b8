/* Where constant tables live: in flash, which some processors address apart from RAM. */
#ifndef MEMORY_H
#define MEMORY_H

#ifdef __AVR__
#define FLASH __flash
#else
#define FLASH
#endif

#endif
