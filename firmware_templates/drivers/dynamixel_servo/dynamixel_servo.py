"""A Dynamixel servo with protocol 2, as dynamixel_servo.c and bus_servo.c talk with it."""

from wb import bus_servo

ALL, READ, SYNC_WRITE, STATUS = 0xFE, 0x02, 0x83, 0x55
TORQUE_ENABLE, GOAL_VELOCITY, PROFILE_VELOCITY, PRESENT_LOAD, PRESENT_BYTES = 64, 104, 112, 126, 10
POSITION_AT = 6
HEALTH_BYTES, VOLTS_AT, CELSIUS_AT = 21, 18, 20
UNIT = 15.633066666666667  # counts per second: 0.229 turns per minute
LIKE_HEAD = -131073  # a position with the begin of a packet in its bytes
HEAD = b"\xff\xff\xfd\0"


class Protocol:
    """Packets: FF FF FD 00, number, length, instruction, parameters, CRC-16."""

    size = PRESENT_BYTES

    def torque(self, ids):
        """Return a packet that switches servos on."""
        return _packet(ALL, _begin(TORQUE_ENABLE, 1) + b"".join(bytes([one, 1]) for one in ids))

    def goals(self, rows, wheels):
        """Return a packet with goals: number, position, speed."""
        data = _begin(GOAL_VELOCITY if wheels else PROFILE_VELOCITY, 4 if wheels else 8)
        for number, position, speed in rows:
            place = LIKE_HEAD + 1 if position == LIKE_HEAD else position
            data += bytes([number]) + bus_servo.put(_units(speed), 4)
            data += b"" if wheels else bus_servo.put(place, 4)
        return _packet(ALL, data)

    def ask(self, number):
        """Return the question for the state of a servo."""
        return _packet(number, bytes([READ]) + bus_servo.put(PRESENT_LOAD, 2) + bus_servo.put(self.size, 2))

    def take(self, data, number):
        """Return position, load, voltage and temperature (0 if they were not asked for) in an answer; None if
        there is none."""
        begin = data.find(HEAD + bytes([number, self.size + 4, 0, STATUS]))
        packet = data[begin : begin + self.size + 11]
        if begin < 0 or len(packet) < self.size + 11 or _crc(packet[:-2]) != packet[-2] | packet[-1] << 8:
            return None
        load = packet[9] | packet[10] << 8
        at = 9 + POSITION_AT
        position = packet[at] | packet[at + 1] << 8 | packet[at + 2] << 16 | packet[at + 3] << 24
        position = position - (1 << 32) if position >> 31 else position
        load = load - 65536 if load >> 15 else load
        if self.size < HEALTH_BYTES:
            return position, load, 0, 0
        at = 9 + VOLTS_AT
        return position, load, packet[at] | packet[at + 1] << 8, packet[9 + CELSIUS_AT]


def _begin(address, size):
    return bytes([SYNC_WRITE]) + bus_servo.put(address, 2) + bus_servo.put(size, 2)


def _units(speed):
    nearest = int(abs(speed) / UNIT + 0.5) or (1 if speed else 0)
    return -nearest if speed < 0 else nearest


def _crc(data):
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x8005 if value & 0x8000 else value << 1) & 0xFFFF
    return value


def _packet(number, data):
    packet = HEAD + bytes([number]) + bus_servo.put(len(data) + 2, 2) + data
    return packet + bus_servo.put(_crc(packet), 2)


class Driver(bus_servo.Servo):
    """The motor."""

    protocol = Protocol
