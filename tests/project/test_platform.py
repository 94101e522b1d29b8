"""What depends on the operating system is in the folders `platform` of the engine and the C library alone.

Judges: the lists of headers of the C++20 standard ([headers] 16.4.2.3), of the C11 standard (7.1.2), of ODE,
nanobind and Python.
"""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "wbcore" / "engine" / "src"
INCLUDED = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)
STANDARD = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
    cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine
    csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
    exception execution filesystem format forward_list fstream functional future initializer_list
    iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource
    mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
    semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf
    string string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version""".split()
)
COMPILERS = {"cxxabi.h", "immintrin.h"}
"""What GCC and Clang have on all systems: the C++ interface, and the vector instructions of x86."""
PYTHON = {"Python.h", "structmember.h"}


def other_headers(text: str) -> list[str]:
    """The headers in brackets that belong to neither a standard nor a library of the engine."""
    known = STANDARD | COMPILERS | PYTHON
    return [
        one
        for one in INCLUDED.findall(text)
        if one not in known and not one.startswith(("ode/", "nanobind/"))
    ]


def test_only_the_platform_layer_includes_headers_of_a_system():
    files = [file for file in sorted(SOURCES.rglob("*")) if file.suffix in (".h", ".cpp", ".inc")]
    outside = [file for file in files if SOURCES / "platform" not in file.parents]
    found = {str(file.relative_to(SOURCES)): other_headers(file.read_text("utf-8")) for file in outside}
    assert {name: headers for name, headers in found.items() if headers} == {}
    assert len(outside) > 150


def test_a_header_of_a_system_is_found():
    text = "#include <vector>\n #  include <sys/mman.h>\n#include <ode/ode.h>\n#include <windows.h>\n"
    assert other_headers(text) == ["sys/mman.h", "windows.h"]


def test_each_part_of_the_platform_is_there_for_all_systems():
    """A header of the layer with a source for POSIX systems has one for each other system."""
    layer = SOURCES / "platform"
    posix = {file.name for file in (layer / "posix").glob("*.cpp")}
    plain = {file.name for file in (layer / "plain").glob("*.cpp")}
    for system in ("windows", "webassembly"):
        assert {file.name for file in (layer / system).glob("*.cpp")} | plain == posix


LIBRARY = SOURCES.parents[2] / "libcontroller" / "src"
C_STANDARD = set(
    """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar
    wctype""".split()
)


def test_only_the_platform_layer_of_the_c_library_includes_headers_of_a_system():
    known = {f"{name}.h" for name in C_STANDARD}
    files = [file for file in sorted(LIBRARY.rglob("*.[ch]")) if file.parent.name != "platform"]
    others = {
        file.name: [name for name in INCLUDED.findall(file.read_text("utf-8")) if name not in known]
        for file in files
    }
    systems = {name: headers for name, headers in others.items() if any("webots/" not in h for h in headers)}
    assert systems == {}
    assert len(files) > 100


def test_the_platform_layer_of_the_c_library_defines_the_same_functions_for_each_system():
    defined = re.compile(r"^(?:[a-z].*[ *])?((?:socket|system)_[a-z0-9_]+)\(", re.MULTILINE)
    layer = LIBRARY / "platform"
    for part in ("sockets", "system"):
        declared = set(defined.findall((layer / f"{part}.h").read_text("utf-8")))
        shared = set(defined.findall((layer / "any_system.c").read_text("utf-8")))
        for system in ("posix", "windows"):
            functions = shared | set(defined.findall((layer / f"{system}_{part}.c").read_text("utf-8")))
            assert declared, part
            assert declared <= functions, (system, part)
