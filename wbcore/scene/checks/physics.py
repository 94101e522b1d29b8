"""Physics nodes: mass, center, inertia, and solids that need one (manual, 3.51)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, is_guarded, nearest
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.resets import is_massless
from wbridge.wbcore.scene.values import VecArray

_SLACK = 1e-6


def check_mass(node: Node, checker: Checker) -> None:
    """Check that mass or density is given."""
    if node.use_of is None and is_massless(node):
        found = f"Physics.mass is {node.get('mass'):g} and Physics.density {node.get('density'):g}"
        text = f"{found}; one of them must be positive; density 1000 is used"
        checker.warn("no-mass", text, node, "density")


def check_center(node: Node, checker: Checker) -> None:
    """Check that there is at most one center of mass."""
    center = node.get("centerOfMass")
    if isinstance(center, VecArray) and len(center) > 1:
        text = f"Physics.centerOfMass has {len(center)} vectors; allowed: 0 or 1; the first is used"
        checker.warn("center-of-mass", text, node, "centerOfMass")


def check_inertia(node: Node, checker: Checker) -> None:
    """Check that a given inertia matrix has mass and center, and is physically possible."""
    matrix = node.get("inertiaMatrix")
    if node.use_of is not None or not isinstance(matrix, VecArray) or len(matrix) != 2:
        return
    center = node.get("centerOfMass")
    lacks = [] if node.get("mass") > 0 else ["a positive mass"]
    if isinstance(center, VecArray) and len(center) == 0:
        lacks.append("one centerOfMass")
    if lacks:
        text = f"Physics.inertiaMatrix needs {' and '.join(lacks)} beside it; without it has no effect"
        checker.warn("inertia", text, node, "inertiaMatrix")
    problem = _inertia_problem(matrix)
    if problem:
        checker.warn("inertia", f"Physics.inertiaMatrix {problem}", node, "inertiaMatrix")


def _inertia_problem(matrix: VecArray) -> str:
    (a, b, c), (d, e, f) = matrix
    if min(a, b, c) <= 0:
        return f"has the moments {a:g} {b:g} {c:g}; all three must be positive; it is ignored"
    determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    if a * b - d * d <= 0 or determinant <= 0:
        return "is not positive definite; no body has such an inertia; it is ignored"
    total, largest = a + b + c, max(a, b, c)
    if largest > (total - largest) * (1 + _SLACK):
        return (
            f"has the moments {a:g} {b:g} {c:g}; the largest is more than the sum of the others, "
            "which no body of positive mass has"
        )
    return ""


def check_chain(node: Node, checker: Checker) -> None:
    """Check rule (1) of 3.51.3: solids between a parent and a child with Physics need Physics, too."""
    if node.get("physics") is None or node.use_of is not None or is_guarded(node):
        return
    middle = nearest(node, "Solid")
    gap = None
    while middle is not None and middle.get("physics") is None:
        gap, middle = gap or middle, nearest(middle, "Solid")
    if gap is not None and middle is not None:
        text = (
            f'{gap.type} "{gap.get("name")}" has no Physics, but the solids above ("{middle.get("name")}") '
            f'and below it ("{node.get("name")}") have; a solid between two with Physics needs Physics'
        )
        checker.warn("physics-gap", text, gap)


def check_shape(node: Node, checker: Checker) -> None:
    """Check that mass and inertia can be computed from the bounding object, unless all are given."""
    physics = node.get("physics")
    if node.use_of is not None or physics is None or node.get("boundingObject") is not None:
        return
    physics = physics.root
    if not physics.spec.is_a("Physics"):
        return
    if node.spec.is_a("Device") or len(physics.get("inertiaMatrix")) == 2:
        return
    text = (
        f'{node.type} "{node.get("name")}" has Physics but no boundingObject to compute its inertia from; '
        "the identity matrix is used; give a boundingObject or inertiaMatrix"
    )
    checker.warn("no-bounding-object", text, node, "physics")


def check_hinge2(node: Node, checker: Checker) -> None:
    """Check that a Hinge2Joint is not attached to the static world (3.36.1)."""
    parent, end = nearest(node, "Solid"), node.get("endPoint")
    if parent is None or is_guarded(node) or parent.get("physics") is not None:
        return
    if isinstance(end, Node) and end.is_a("Solid") and end.root.get("physics") is not None:
        text = (
            f'Hinge2Joint connects "{parent.get("name")}", which has no Physics; '
            "both of its solids need Physics"
        )
        checker.warn("static-hinge2", text, node)


NODE_RULES = (
    ("Physics", check_mass),
    ("Physics", check_center),
    ("Physics", check_inertia),
    ("Solid", check_chain),
    ("Solid", check_shape),
    ("Hinge2Joint", check_hinge2),
)
