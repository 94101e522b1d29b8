// The pins of a chip under rp2040js. What they do is read from the registers of the emulated peripherals.
import { Moments } from './rp2040_moments.mjs';
import { Parts } from './rp2040_parts.mjs';

const PIN = /^GP(\d+)$/;
const ECHO = /^ECHO:GP(\d+):GP(\d+)$/;
const FUNCTION_PWM = 4;
const FUNCTION_SIO = 5;
const FUNCTION_NONE = 31;
const FIRST_ANALOG = 26;
const CLOCK = 125e6;
const SLICES = 8;
const ADC_TOP = 4095;
const ADC_CYCLES = 96; // of its clock, for a conversion (data sheet, 4.9.2)
const ADC_CLOCK = 0x40008060; // CLK_ADC_CTRL: the source in bits 5 to 7 (2.15.7)
const FROM_CRYSTAL = 3;
const SERVO_LEAST_US = 15000;
const SERVO_MOST_US = 25000;
const SENDING_NS = 450e3; // time until an ultrasonic sensor has sent its sound
const HIGH = 1; // GPIOPinState.High
const PULLED_UP = 3; // GPIOPinState.InputPullUp

export class Pins {
  #driven = new Map();
  #sensors = new Map(); // by trigger pin

  constructor(clock, supply) {
    this.clock = clock;
    this.supply = supply;
    const isHigh = (number) => this.chip.gpio[number].value === HIGH;
    this.parts = new Parts(clock, (number, value) => this.#set(number, value), isHigh);
    this.moments = new Moments(clock, (number, value) => this.#set(number, value));
  }

  /** Connects what drives the pins to a chip. */
  attach(chip) {
    this.chip = chip;
    const convert = chip.adc.onADCRead;
    chip.adc.onADCRead = (channel) => {
      const megahertz = ((chip.readUint32(ADC_CLOCK) >> 5) & 7) === FROM_CRYSTAL ? 12 : 48;
      chip.adc.sampleTime = ADC_CYCLES / megahertz; // us
      convert(channel);
    };
    chip.gpio.forEach((pin, number) => pin.addListener((state, before) => this.#changed(number, state, before)));
    for (const [number, value] of this.#driven) this.#set(number, value);
  }

  #changed(number, state, before) {
    if (!this.#driven.has(number)) this.chip.gpio[number].setInputValue(state === PULLED_UP);
    this.parts.changed(number, state, before);
    this.moments.changed(number, state, before);
    const sensor = this.#sensors.get(number);
    if (sensor !== undefined && before === HIGH && state !== HIGH && sensor.width > 0) this.#echo(sensor);
  }

  /** Ends and begins the echo of a sensor some time after its trigger. */
  #echo(sensor) {
    const end = this.clock.createAlarm(() => this.#set(sensor.echo, 0));
    const begin = this.clock.createAlarm(() => {
      this.#set(sensor.echo, 1);
      end.schedule(sensor.width * 1000);
    });
    begin.schedule(SENDING_NS);
  }

  #set(number, value) {
    this.#driven.set(number, value);
    const share = Math.min(Math.max(value / this.supply, 0), 1);
    if (number >= FIRST_ANALOG) this.chip.adc.channelValues[number - FIRST_ANALOG] = Math.round(share * ADC_TOP);
    if (value === 0 || value === 1) this.chip.gpio[number].setInputValue(value === 1); // else volts of an analog input
  }

  drive(name, value) {
    const echo = ECHO.exec(name);
    if (echo !== null) {
      this.#sensors.set(Number(echo[1]), { echo: Number(echo[2]), width: value });
      return true;
    }
    if (this.parts.drive(name, value) || this.moments.drive(name, value)) return true;
    const pin = PIN.exec(name);
    if (pin === null || this.chip.gpio[Number(pin[1])] === undefined) return false;
    this.#set(Number(pin[1]), value);
    return true;
  }

  show(name) {
    const pin = PIN.exec(name);
    const shown = this.parts.show(name) ?? this.moments.show(name);
    if (shown !== undefined) return shown;
    const gpio = pin === null ? undefined : this.chip.gpio[Number(pin[1])];
    if (gpio === undefined) return `error show ${name}`;
    if (gpio.functionSelect === FUNCTION_PWM) return this.#showSlice(Number(pin[1]));
    if (gpio.functionSelect === FUNCTION_SIO && gpio.outputEnable) return `output ${Number(gpio.outputValue)}`;
    if (gpio.functionSelect === FUNCTION_SIO) return `input ${Number(gpio.inputValue)}`;
    return gpio.functionSelect === FUNCTION_NONE ? 'free 0' : `timer ${gpio.functionSelect}`;
  }

  #showSlice(number) {
    const { csr, div, top, cc } = this.chip.pwm.channels[(number >> 1) % SLICES];
    const pulse = number % 2 ? cc >>> 16 : cc & 0xffff;
    const tick = ((div / 16 || 256) / CLOCK) * 1e6; // us
    const period = tick * (top + 1);
    if (csr !== 1) return `timer ${csr}`;
    if (period >= SERVO_LEAST_US && period <= SERVO_MOST_US) return `servo ${pulse * tick}`;
    return `pwm ${Math.min(pulse / (top + 1), 1)} ${1e6 / period}`;
  }
}
