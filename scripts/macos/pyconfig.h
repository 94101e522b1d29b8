/* What headers of Python 3.12 with the stable ABI ask about macOS, for both processors. Values: those of the
   framework of python.org's Python 3.12, whose headers are the same ones on each system but for this file. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#define ALIGNOF_MAX_ALIGN_T 16
#define DOUBLE_IS_LITTLE_ENDIAN_IEEE754 1
#define HAVE_FORK 1
#define HAVE_LANGINFO_H 1
#define HAVE_SSIZE_T 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_WCHAR_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_PID_T 4
#define SIZEOF_PTHREAD_T 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF__BOOL 1
#define WITH_DOC_STRINGS 1
#define WITH_PYMALLOC 1
#define _DARWIN_C_SOURCE 1

#endif
