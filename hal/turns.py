"""Lets the threads of a controller in C take turns: a call of the API waits until others have ended.

The library is compiled as if a program had one thread. In its objects, each function `wb_x` of the API then
gets the name `own_wb_x`, and a function `wb_x` of a further source calls it with a lock. Calls inside of the
library go past the lock, and a program without further threads does not take it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

__all__ = ["OWN", "renamed", "source"]

OWN = "own_"
"""Before the names of the functions that do the work."""
FREE = re.compile(r"wb_robot_(task_new|mutex_)")
"""Functions without a lock: threads and mutexes of the program itself."""
PROTOTYPE = re.compile(r"^(?!static|typedef)([A-Za-z][\w *]*?[ *])(wbu?_\w+)\(([^;{}]*?)\);", re.MULTILINE)
HEAD = """\
#include <pthread.h>
#include <stdbool.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
static const char __libc_single_threaded = 0;
#endif
static pthread_mutex_t turn;
static void begin(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&turn, &kind);
}
/* In a copy of the process that fork() has made, no other thread ends its turn. */
__attribute__((constructor)) static void begin_everywhere(void) {
  begin();
  pthread_atfork(NULL, NULL, begin);
}
static bool enter(void) { return !__libc_single_threaded && !pthread_mutex_lock(&turn); }
static void leave(bool entered) { if (entered) pthread_mutex_unlock(&turn); }
"""


def _prototypes(include: Path) -> dict[str, tuple[str, str, str]]:
    """For each function of the headers its type, its header and its parameters."""
    functions = {}
    for header in sorted(include.glob("webots/**/*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        for type_, name, parameters in PROTOTYPE.findall(text):
            if not FREE.match(name):
                functions[name] = (
                    type_.strip(),
                    str(header.relative_to(include)),
                    _named(" ".join(parameters.split())),
                )
    return functions


def renamed(include: Path, defined: Collection[str]) -> str:
    """Return a list for `objcopy --redefine-syms`: the defined functions that take turns."""
    return "".join(f"{name} {OWN}{name}\n" for name in _prototypes(include) if name in defined)


def source(include: Path, defined: Collection[str]) -> str:
    """Return C with the functions that take turns."""
    functions = {name: parts for name, parts in _prototypes(include).items() if name in defined}
    headers = sorted({header for _, header, _ in functions.values()})
    includes = "".join(f"#include <{header}>\n" for header in headers)
    return includes + HEAD + "".join(_function(name, *parts) for name, parts in functions.items())


def _function(name: str, type_: str, _: str, parameters: str) -> str:
    call = f"{OWN}{name}({', '.join(_names(parameters))})"
    body = f"{call}; leave(entered);"
    if type_ != "void":
        body = f"{type_} result = {call}; leave(entered); return result;"
    return (
        f"{type_} {OWN}{name}({parameters});\n"
        f"{type_} {name}({parameters}) {{ const bool entered = enter(); {body} }}\n"
    )


def _names(parameters: str) -> list[str]:
    """Return the names of parameters: of `void (*task)(void *)`, `const double v[3]` and `int x`."""
    plain = re.sub(r"\(\*(\w+)\)\([^)]*\)", r" \1", parameters)
    parts = [part.partition("[")[0] for part in plain.split(",") if part.strip() not in ("", "void")]
    return [re.findall(r"\w+", part)[-1] for part in parts]


def _named(parameters: str) -> str:
    """Give names to parameters that have none: `const WbRadioEvent` is a type alone."""
    parts = parameters.replace("(*)", "(*function)").split(",")
    for number, part in enumerate(parts):
        if len(set(re.findall(r"\w+", part)) - {"const"}) == 1 and part.strip() != "void":
            parts[number] = f"{part} value_{number}"
    return ",".join(parts)
