#!/usr/bin/env bash
# Installs the system packages that building wbridge needs and that are missing, and says which and why.
# With --tests also what the tests need; with --boards the compilers and emulators for boards with ARM and
# RISC-V. Further arguments are programs that are needed, too, by the names of their packages.
set -euo pipefail

python=${PYTHON:-python3}
packages=()

need() { # need PACKAGE REASON: remember a missing package
  packages+=("$1")
  echo "missing: $1 ($2)"
}

has_header() { # has_header FILE: is there such a system header?
  g++ -x c++ -fsyntax-only - <<<"#include <$1>" 2>/dev/null
}

for_tests() { # what only the tests need: real compilers, emulators, brokers and devices
  command -v git >/dev/null || need git "keeps the repositories that the tests make"
  command -v make >/dev/null || need make "builds the controllers that the tests have"
  command -v openssl >/dev/null || need openssl "makes the certificates of the tests"
  command -v mosquitto >/dev/null || need mosquitto "is the MQTT broker of the tests"
  command -v umockdev-wrapper >/dev/null || need umockdev "plays USB devices in the tests"
  /usr/bin/python3 -c 'import gi; gi.require_version("UMockdev", "1.0")' 2>/dev/null || {
    need python3-gi "lets the tests command umockdev"
    need gir1.2-umockdev-1.0 "lets the tests command umockdev"
  }
  "$python" -c 'import ctypes.util as c, sys; sys.exit(not c.find_library("usb-1.0"))' 2>/dev/null ||
    need libusb-1.0-0 "talks to USB devices in the tests"
  command -v avr-gcc >/dev/null || need gcc-avr "compiles firmware for boards with an AVR, in the tests"
  avr-gcc -mmcu=atmega328p -x c -fsyntax-only - <<<"#include <avr/io.h>" 2>/dev/null ||
    need avr-libc "has the registers of AVRs, for firmware"
  if ! command -v g++ >/dev/null || ! has_header simavr/sim_avr.h; then
    need libsimavr-dev "emulates boards with an AVR, in the tests"
  fi
}

for_boards() { # compilers and emulators of boards with ARM and RISC-V: more than 1 GB
  command -v arm-none-eabi-gcc >/dev/null || need gcc-arm-none-eabi "compiles firmware for boards with a Cortex-M"
  arm-none-eabi-gcc --specs=nano.specs -x c -fsyntax-only - <<<"#include <math.h>" 2>/dev/null ||
    need libnewlib-arm-none-eabi "is the C library for boards with a Cortex-M"
  command -v qemu-system-arm >/dev/null || need qemu-system-arm "emulates boards with a Cortex-M"
  command -v riscv64-unknown-elf-gcc >/dev/null ||
    need gcc-riscv64-unknown-elf "compiles firmware for boards with RISC-V"
  riscv64-unknown-elf-gcc --specs=picolibc.specs -x c -fsyntax-only - <<<"#include <math.h>" 2>/dev/null ||
    need picolibc-riscv64-unknown-elf "is the C library for boards with RISC-V"
  command -v qemu-system-riscv32 >/dev/null || need qemu-system-misc "emulates boards with RISC-V"
  command -v avrdude >/dev/null || need avrdude "writes firmware to boards with an AVR"
}

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
command -v g++ >/dev/null || need g++ "compiles the physics engine"
command -v cmake >/dev/null || need cmake "configures the physics engine's build"
if ! command -v g++ >/dev/null || ! has_header ode/ode.h; then
  need libode-dev "Open Dynamics Engine: bodies, joints and contacts"
fi
if [ "${1:-}" = --tests ]; then
  shift
  for_tests
elif [ "${1:-}" = --boards ]; then
  shift
  for_boards
fi
for program in "$@"; do
  command -v "$program" >/dev/null || need "$program" "was asked for"
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
