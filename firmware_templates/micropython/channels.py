"""Commands and sensor values of the controller. Commands wait here until the next step."""

from array import array

from wb import messages, table

NAN = float("nan")
numbers = array(table.REALS, [NAN] * (table.NUMBERS + 1))
"""The last commands and sensor values; NaN before the first. Test benches read it."""
periods = [0] * len(table.PERIODS)
since = [0] * len(table.PERIODS)
order = []
"""Channels of all commands in the order they were set: of a motor's commands, the last one wins."""
pending = set()
"""Those that have not been sent to the robot."""
packets = []
"""Of emitters, until the next step: tag, channel and data."""
received = {}
"""Packets of receivers by tag: channel, strength, direction and data."""
PACKET_BYTES = 512
"""The most bytes of each queue of packets."""


def read(channel):
    """Return the value of a channel: a number, or a list of them."""
    if channel is None:
        return NAN
    _, first, count = table.CHANNELS[channel][:3]
    return numbers[first] if count == 1 else list(numbers[first : first + count])


def store(channel, value):
    """Store the value of a channel. Returns False if it was the same before."""
    _, first, count = table.CHANNELS[channel][:3]
    values = (value,) if count == 1 else value
    same = True
    for k in range(count):
        old = numbers[first + k]
        numbers[first + k] = values[k]
        same = same and numbers[first + k] == old
    return same


def _is_newest(channel):
    device = table.CHANNELS[channel][0]
    of_device = [one for one in order if table.CHANNELS[one][0] == device]
    return of_device[-1] == channel


def command(channel, value):
    """Set a command; one that changes nothing is not sent again."""
    if channel is None:
        return
    same = store(channel, value)
    if channel in order:
        if same and _is_newest(channel):
            return
        order.remove(channel)
    order.append(channel)
    pending.add(channel)


def _has_room(queue, size):
    return sum(len(one[-1]) for one in queue) + size <= PACKET_BYTES


def send(tag, channel, data):
    """Queue a packet of an emitter. Return False if the queue is full."""
    room = _has_room(packets, len(data))
    if room:
        packets.append((tag, channel, data))
    return room


def receive(tag, found):
    """Queue packets of a receiver; those that do not fit are lost."""
    queue = received.setdefault(tag, [])
    for one in found:
        if _has_room(queue, len(one[-1])):
            queue.append(one)


def take_packets():
    """Return the packets to send."""
    found = list(packets)
    packets.clear()
    return found


def take():
    """Return the commands to send, in the order they were set."""
    found = [one for one in order if one in pending]
    pending.clear()
    return found


def enable(channel, period):
    """Set the sampling period in ms; 0 disables the sensor."""
    period = int(period or 0)
    if not 0 <= period <= 65535:
        print(messages.INVALID_PERIOD)
    elif channel is not None:
        place = table.CHANNELS[channel][3]
        periods[place] = period
        since[place] = 0


def period(channel):
    """Return the sampling period in ms; 0 if the sensor is disabled."""
    return 0 if channel is None else periods[table.CHANNELS[channel][3]]


def due(passed):
    """Return the sensor channels to read after some ms."""
    places = []
    for place, period in enumerate(periods):
        if period:
            since[place] += passed
            if since[place] >= period:
                places.append(place)
            since[place] %= period
    return [k for k, one in enumerate(table.CHANNELS) if not one[4] and one[3] in places]
