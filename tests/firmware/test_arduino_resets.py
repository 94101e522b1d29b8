"""What sketches on boards with Wi-Fi do with the watchdog and the reset cause of their Arduino cores.

The file of the sketch is compiled for this computer with declarations from the cores' public references
(ESP-IDF's esp_system.h and esp_task_wdt.h, versions 4 and 5; the SDK of the ESP8266; RP2040Support.h of
arduino-pico), and run.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from wbridge.hal.link.faults import Fault
from wbridge.wbfirmware.template_folders import templates_path

API = Path(__file__).with_name("arduino_api")
MAIN = """
#include <Arduino.h>
#include <stdio.h>
extern "C" {
#include "board.h"
#include "latch.h"
}
#include "resets.h"
#include "fakes.h"

int main() {
  for (int reason = 0; reason < REASONS; reason++) {
    set_reason(reason);
    latch_start(true);
    printf("%d ", latch_cause());
    latch_open();
  }
  watchdog_begin();
  watchdog_wait(true);
  watchdog_wait(false);
  watchdog_feed();
}
"""
ESP32 = """
#include <esp_system.h>
#include <esp_task_wdt.h>
#define REASONS 11
static int now;
static void set_reason(int reason) { now = reason; }
extern "C" esp_reset_reason_t esp_reset_reason(void) { return (esp_reset_reason_t)now; }
extern "C" esp_err_t esp_task_wdt_add(void *task) { return task != nullptr; }
extern "C" esp_err_t esp_task_wdt_reset(void) { return printf("fed"); }
#if ESP_IDF_VERSION_MAJOR >= 5
extern "C" esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t *) { return 0; }
extern "C" esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t *config) {
  return !printf("%u %d ", config->timeout_ms, config->trigger_panic);
}
#else
extern "C" esp_err_t esp_task_wdt_init(uint32_t seconds, bool panic) {
  return printf("%u %d ", 1000 * seconds, panic);
}
#endif
"""
PICO = """
#define REASONS 8
static int now;
static void set_reason(int reason) { now = reason; }
RP2040 rp2040;
RP2040::resetReason_t RP2040::getResetReason() { return (resetReason_t)now; }
void RP2040::wdt_begin(uint32_t milliseconds) { printf("%u 1 ", milliseconds); }
void RP2040::wdt_reset() { printf("fed"); }
"""
NONE, POWER = 0, 5
ESP32_CAUSES = [NONE, NONE, NONE, NONE, Fault.FAULT, *[Fault.WATCHDOG] * 3, NONE, Fault.BROWN_OUT, NONE]
PICO_CAUSES = [NONE, Fault.BROWN_OUT, NONE, NONE, Fault.WATCHDOG, NONE, NONE, Fault.BROWN_OUT]
"""Memory that has survived a loss of power (here it always has) tells a brown-out from switching on."""
CASES = {
    "ESP-IDF 4": (["-DARDUINO_ARCH_ESP32", "-DESP_IDF_VERSION_MAJOR=4"], ESP32, ESP32_CAUSES),
    "ESP-IDF 5": (["-DARDUINO_ARCH_ESP32", "-DESP_IDF_VERSION_MAJOR=5"], ESP32, ESP32_CAUSES),
    "Pico W": (["-DARDUINO_ARCH_RP2040"], PICO, PICO_CAUSES),
}


LIMITS = {core: "1000" if core == "ESP-IDF 4" else "500" for core in CASES}
"""ms until the watchdog resets the board; version 4 of ESP-IDF counts whole seconds."""


@pytest.mark.parametrize("core", CASES)
def test_causes_and_the_watchdog(core: str, tmp_path: Path):
    flags, fakes, causes = CASES[core]
    templates = templates_path()
    core_folder, project = templates / "sketch_boards" / "shared" / "arduino_core", templates / "project"
    (tmp_path / "config.h").write_text("")
    (tmp_path / "pins.h").write_text("")
    (tmp_path / "fakes.h").write_text(fakes)
    (tmp_path / "main.cpp").write_text(MAIN)
    include = [f"-I{folder}" for folder in (tmp_path, API, core_folder, project)]
    program, latch = tmp_path / "program", tmp_path / "latch.o"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    compile_c = [
        require_tool("cc", "compiles the latch"),
        *warnings,
        *include,
        "-c",
        str(project / "latch.c"),
    ]
    subprocess.run([*compile_c, "-o", str(latch)], check=True)
    sources = [str(core_folder / "resets.cpp"), str(tmp_path / "main.cpp"), str(latch)]
    compile_cxx = [require_tool("c++", "compiles a part of a sketch"), *warnings, *flags, *include, *sources]
    subprocess.run([*compile_cxx, "-o", str(program)], check=True)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    limits = f"{LIMITS[core]} 1 8000 1 {LIMITS[core]} 1"
    assert said == " ".join(str(int(cause)) for cause in causes) + f" {limits} fed"
