#!/usr/bin/env bash
# Installs the missing system packages for building wbridge, and prints each with the reason. --tests adds
# those for the tests, --boards the compilers and emulators for ARM and RISC-V boards, --languages those for
# controllers in Java and Octave, --types the interpreter of pyright, --ode the installed ODE, for builds without
# its source and for `make bench`.
# Further arguments are additional programs, by the names of their packages. --list as first argument only
# prints the programs it would check, without installing or requiring anything.
set -euo pipefail

python=${PYTHON:-python3}
packages=()
listing=false
if [ "${1:-}" = --list ]; then
  shift
  listing=true
fi

need() { # need PACKAGE REASON: remember a missing package
  [[ " ${packages[*]} " != *" $1 "* ]] || return 0
  packages+=("$1")
  echo "missing: $1 ($2)"
}

program() { # program NAME PACKAGE REASON: a program that is needed, and the package that has it
  if $listing; then
    echo "$1"
  else
    command -v "$1" >/dev/null || need "$2" "$3"
  fi
}

binutils() { # binutils PREFIX PACKAGE WHAT: the programs of a compiler's package that look into what it made
  for each in addr2line nm objcopy objdump size; do
    program "$1$each" "$2" "reads $3"
  done
}

has_header() { # has_header FILE: is there such a system header?
  g++ -x c++ -fsyntax-only - <<<"#include <$1>" 2>/dev/null
}

library() { # library NAME PACKAGE REASON: a shared library that is loaded at run time
  $listing || $python -c "import ctypes; ctypes.CDLL('$1')" 2>/dev/null || need "$2" "$3"
}

has_software_renderer() { # does Mesa have its renderer without a GPU?
  compgen -G "/usr/lib/*/dri/swrast_dri.so" >/dev/null || compgen -G "/usr/lib/*/libgallium-*.so" >/dev/null
}

programs_for_building() {
  program g++ g++ "compiles the physics engine"
  program cmake cmake "configures the physics engine's build"
}

programs_for_tests() { # what only the tests need: real compilers, emulators, brokers and devices
  program git git "keeps the repositories that the tests make"
  program make make "builds the controllers that the tests have"
  program cc gcc "compiles controllers in C"
  program c++ g++ "compiles controllers in C++"
  program gcov gcc "counts which lines of C run"
  program nm binutils "lists what the library for controllers in C has"
  program objcopy binutils "lets threads of controllers in C take turns"
  binutils "" binutils "programs for this machine"
  program ccache ccache "keeps what these compilers have made, as tests compile much of it again"
  program bwrap bubblewrap "isolates the programs that a class hands in"
  program setpriv util-linux "runs commands as another user, in the tests"
  program unshare util-linux "gives commands folders of their own, in the tests"
  program zsh zsh "checks the script of its completion"
  program fish fish "checks the script of its completion"
  program openssl openssl "makes the certificates of the tests"
  program mosquitto mosquitto "is the MQTT broker of the tests"
  program mosquitto_passwd mosquitto "keeps the passwords of the MQTT broker"
  program umockdev-wrapper umockdev "plays USB devices in the tests"
  program avr-gcc gcc-avr "compiles firmware for boards with an AVR, in the tests"
  program avr-g++ gcc-avr "compiles controllers in C++ for these boards"
  binutils avr- binutils-avr "firmware for boards with an AVR"
  library libEGL.so.1 libegl1 "makes OpenGL contexts for pictures"
  library libGL.so.1 libgl1 "draws pictures"
  $listing || has_software_renderer || need libgl1-mesa-dri "draws pictures without a GPU"
}

programs_for_boards() { # compilers and emulators of boards with ARM and RISC-V: more than 1 GB
  program arm-none-eabi-gcc gcc-arm-none-eabi "compiles firmware for boards with a Cortex-M"
  program arm-none-eabi-g++ gcc-arm-none-eabi "compiles controllers in C++, and Arduino sketches for 32 bits"
  binutils arm-none-eabi- binutils-arm-none-eabi "firmware for boards with a Cortex-M"
  program cppcheck cppcheck "checks the C of firmware"
  program qemu-system-arm qemu-system-arm "emulates boards with a Cortex-M"
  program riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf "compiles firmware for boards with RISC-V"
  program riscv64-unknown-elf-g++ gcc-riscv64-unknown-elf "compiles controllers in C++ for these boards"
  binutils riscv64-unknown-elf- binutils-riscv64-unknown-elf "firmware for boards with RISC-V"
  program qemu-system-riscv32 qemu-system-misc "emulates boards with RISC-V"
  program avrdude avrdude "writes firmware to boards with an AVR"
  program node nodejs "runs MicroPython, and the emulator of boards with an RP2040"
  program npm npm "installs both"
}

programs_for_languages() { # compilers and interpreters of controllers in Java and Octave
  program javac default-jdk-headless "compiles controllers in Java"
  program java default-jdk-headless "runs controllers in Java"
  program jar default-jdk-headless "packs the library for Java"
  program javap default-jdk-headless "shows classes, in the tests"
  program swig swig "generates the library for Java"
  program octave-cli octave "runs controllers in MATLAB's language"
  program mkoctfile octave-dev "compiles the library for Octave"
}

programs_for_types() {
  program node nodejs "runs pyright"
}

libraries_for_tests() {
  /usr/bin/python3 -c 'import gi; gi.require_version("UMockdev", "1.0")' 2>/dev/null || {
    need python3-gi "lets the tests command umockdev"
    need gir1.2-umockdev-1.0 "lets the tests command umockdev"
  }
  "$python" -c 'import ctypes.util as c, sys; sys.exit(not c.find_library("usb-1.0"))' 2>/dev/null ||
    need libusb-1.0-0 "talks to USB devices in the tests"
  avr-gcc -mmcu=atmega328p -x c -fsyntax-only - <<<"#include <avr/io.h>" 2>/dev/null ||
    need avr-libc "has the registers of AVRs, for firmware"
  if ! command -v g++ >/dev/null || ! has_header simavr/sim_avr.h; then
    need libsimavr-dev "emulates boards with an AVR, in the tests"
  fi
  if ! command -v g++ >/dev/null || ! has_header mbedtls/ssl.h; then
    need libmbedtls-dev "encrypts the link of sketches, in the tests"
  fi
}

libraries_for_boards() {
  [ -f /usr/share/arduino/hardware/arduino/avr/cores/arduino/Arduino.h ] ||
    need arduino-core-avr "is the Arduino core that builds sketches"
  [ -d /usr/share/arduino/hardware/arduino/avr ] || need arduino-core-avr "has the tables that judge the pins of boards with an AVR"
  arm-none-eabi-gcc --specs=nano.specs -x c -fsyntax-only - <<<"#include <math.h>" 2>/dev/null ||
    need libnewlib-arm-none-eabi "is the C library for boards with a Cortex-M"
  arm-none-eabi-g++ -x c++ -fsyntax-only - <<<"#include <functional>" 2>/dev/null ||
    need libstdc++-arm-none-eabi-newlib "is the C++ library for Arduino sketches for 32 bits"
  riscv64-unknown-elf-gcc --specs=picolibc.specs -x c -fsyntax-only - <<<"#include <math.h>" 2>/dev/null ||
    need picolibc-riscv64-unknown-elf "is the C library for boards with RISC-V"
}

python_for_building() {
  if ! command -v "$python" >/dev/null; then
    need python3 "runs wbridge"
    need python3-venv "keeps its Python packages in .venv"
    need python3-dev "compiles its native parts"
  else
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || {
      echo "wbridge needs Python 3.10 or later; $python is $("$python" --version)." >&2
      echo "Name another one: make PYTHON=/path/to/python3.12" >&2
      exit 2
    }
    "$python" -c 'import ensurepip, venv' 2>/dev/null || need python3-venv "keeps the Python packages in .venv"
    "$python" -c '
import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
      need python3-dev "compiles the native parts for Python"
  fi
}

libraries_for_ode() { # without its source, or to compare with it
  if ! command -v g++ >/dev/null || ! has_header ode/ode.h; then
    need libode-dev "is the installed Open Dynamics Engine"
  fi
  program pkg-config pkg-config "tells how it was compiled"
}

$listing || python_for_building
programs_for_building
case "${1:-}" in
  --tests | --boards | --languages | --types)
    "programs_for_${1#--}"
    $listing || [[ "$1" = --languages || "$1" = --types ]] || "libraries_for_${1#--}"
    shift
    ;;
  --ode)
    libraries_for_ode
    shift
    ;;
esac
for name in "$@"; do
  program "$name" "$name" "was requested"
done

[ ${#packages[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "This system has no apt-get. Install the counterparts of these Debian packages, then repeat:" >&2
  echo "  ${packages[*]}" >&2
  exit 2
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "Neither root nor sudo: ask your administrator for: apt-get install ${packages[*]}" >&2
    exit 2
  }
  as_root=(sudo)
fi
echo "installing: ${packages[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
