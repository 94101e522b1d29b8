"""A Feetech STS or SMS servo, as sts_servo.c and bus_servo.c talk with it."""

from wb import bus_servo

ALL, READ, SYNC_WRITE = 0xFE, 0x02, 0x83
TORQUE_ENABLE, ACCELERATION, GOAL_SPEED, PRESENT, PRESENT_BYTES = 40, 41, 46, 56, 8  # registers
SIGN, LOAD_SIGN = 0x8000, 0x0400


class Protocol:
    """Packets: FF FF, number, length, instruction or error, parameters, inverted sum."""

    def torque(self, ids):
        """Return a packet that switches servos on."""
        return _packet(ALL, bytes([SYNC_WRITE, TORQUE_ENABLE, 1]) + b"".join(bytes([one, 1]) for one in ids))

    def goals(self, rows, wheels):
        """Return a packet with goals: number, position, speed."""
        data = bytes([SYNC_WRITE, GOAL_SPEED if wheels else ACCELERATION, 2 if wheels else 7])
        for number, position, speed in rows:
            place = b"" if wheels else b"\0" + _signed(position) + b"\0\0"
            data += bytes([number]) + place + _signed(speed)
        return _packet(ALL, data)

    def ask(self, number):
        """Return the question for the state of a servo."""
        return _packet(number, bytes([READ, PRESENT, PRESENT_BYTES]))

    def take(self, data, number):
        """Return position, load, voltage and temperature in an answer; None if there is none."""
        begin = data.find(bytes([255, 255, number, PRESENT_BYTES + 2]))
        body = data[begin + 2 : begin + 6 + PRESENT_BYTES]
        if begin < 0 or len(body) < 4 + PRESENT_BYTES or _sum(body[:-1]) != body[-1]:
            return None
        return _number(body, 3, SIGN), _number(body, 7, LOAD_SIGN), body[9], body[10]


def _sum(data):
    return ~sum(data) & 255


def _packet(number, data):
    body = bytes([number, len(data) + 1]) + data
    return b"\xff\xff" + body + bytes([_sum(body)])


def _signed(number):
    size = min(abs(number), SIGN - 1)
    return bus_servo.put(size | SIGN if number < 0 else size, 2)


def _number(data, place, sign):
    number = data[place] | data[place + 1] << 8
    return -(number & ~sign) if number & sign else number


class Driver(bus_servo.Servo):
    """The motor."""

    protocol = Protocol
