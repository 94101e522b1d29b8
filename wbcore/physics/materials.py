"""Number the contact materials, and apply WorldInfo's properties of their pairs."""

from __future__ import annotations

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.plan import ContactPlan, Settings
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.diagnostics import Report

MOST_CONTACTS = 100
DEFAULT_CONTACTS = 10
"""Maximum contact points of a pair without ContactProperties."""


class Materials:
    """The materials of one engine world. The first of several ContactProperties for one pair is used."""

    def __init__(self, engine: _engine.World, settings: Settings, report: Report) -> None:
        self._engine = engine
        self._report = report
        self._numbers: dict[str, int] = {}
        self._pairs: dict[tuple[int, int], ContactPlan] = {}
        self.apply(settings.contacts)

    def number(self, name: str) -> int:
        """Return the engine's number of a material."""
        return self._numbers.setdefault(name, len(self._numbers))

    def most_contacts(self, first: str, second: str) -> int:
        """Return the maximum contact points of two geometries with these materials."""
        pair = (self.number(first), self.number(second))
        found = self._pairs.get(pair) or self._pairs.get(pair[::-1])
        return _kept(found) if found is not None else DEFAULT_CONTACTS

    def apply(self, contacts: list[ContactPlan]) -> None:
        """Replace the current ContactProperties by this list."""
        for first, second in self._pairs:
            self._engine.remove_contact_properties(first, second)
        self._pairs = {}
        for contact in contacts:
            pair = (self.number(contact.material1), self.number(contact.material2))
            if pair in self._pairs or pair[::-1] in self._pairs:
                continue
            try:
                self._engine.set_contact_properties(*pair, _properties(contact))
            except ValueError as refusal:
                text = f"{node_path(contact.node)}: {refusal}; the defaults are used"
                self._report.error("contact-properties", text, contact.node.source, contact.node.offset)
                continue
            self._pairs[pair] = contact


def _properties(plan: ContactPlan) -> _engine.ContactProperties:
    return _engine.ContactProperties(
        plan.coulomb_friction,
        plan.friction_rotation,
        plan.force_dependent_slip,
        plan.rolling_friction,
        plan.bounce,
        plan.bounce_velocity,
        plan.soft_erp,
        plan.soft_cfm,
        _kept(plan),
    )


def _kept(plan: ContactPlan) -> int:
    return min(plan.max_contacts, MOST_CONTACTS)
