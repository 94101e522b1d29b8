"""What plugins for robots with protocols of their own share: the wire, the pace, reconnection, safety."""
