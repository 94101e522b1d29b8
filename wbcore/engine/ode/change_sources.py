"""Changes a few places of ODE's sources, in the copy of a build. No change alters a result.

Called by own.cmake with the folder of the sources. A place that an earlier call changed stays as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple


class Change(NamedTuple):
    """A place of a file: the text that is there once, and what replaces it."""

    file: str
    old: str
    new: str


STEP = "void dxQuickStepIsland_Stage4LCP_IterationStep("
"""Of the iterative solver: relaxes one row."""

# It is called for every row, 20 times in a step: inlined, it reads the addresses of all rows once.
INLINE = "static inline __attribute__((always_inline))"
ONCE = [
    Change("ode/src/quickstep.cpp", f"static {STEP}", f"{INLINE} {STEP}"),
    Change("ode/src/quickstep.cpp", f"static \n{STEP}", f"{INLINE}\n{STEP}"),
]

# Rows are relaxed in random order, so that no processor guesses which comes next: memory is asked ahead.
AHEAD = [
    Change(
        "ode/src/quickstep.cpp",
        """    for (unsigned int i = 0; i != m; ++i) {
        dxQuickStepIsland_Stage4LCP_IterationStep(stage4CallContext, i);
""",
        """    const IndexError *const order = stage4CallContext->m_order;
    const dReal *const J = localContext->m_J, *const iMJ = stage4CallContext->m_iMJ;
    for (unsigned int i = 0; i != m; ++i) {
        const sizeint ahead = order[i + 6 < m ? i + 6 : i].index;
        __builtin_prefetch(J + ahead * JME__MAX), __builtin_prefetch(J + ahead * JME__MAX + 8);
        __builtin_prefetch(iMJ + ahead * IMJ__MAX), __builtin_prefetch(iMJ + ahead * IMJ__MAX + 8);
        dxQuickStepIsland_Stage4LCP_IterationStep(stage4CallContext, i);
""",
    )
]


def _sums(body: int) -> str:
    """The change of a body's acceleration, number by number, as ODE has it."""
    names = ("LX", "LY", "LZ", "AX", "AY", "AZ")
    return "".join(f"fc_ptr{body}[CFE_{n}] += delta * iMJ_ptr[IMJ_{body}{n}];\n" for n in names)


def _pairs(body: int) -> str:
    """The same, two numbers at a time."""
    return f"""{{
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
const Pair *change = (const Pair *)(iMJ_ptr + IMJ_{body}LX);
Pair *force = (Pair *)(fc_ptr{body} + CFE_LX);
const Pair first = force[0] + delta * change[0], second = force[1] + delta * change[1];
force[2] += delta * change[2];
force[0] = first, force[1] = second;
}}
"""


PAIRS = [
    Change("ode/src/quickstep.cpp", _sums(1).replace("fc_", "        fc_"), _pairs(1)),
    Change("ode/src/quickstep.cpp", _sums(2).replace("fc_", "            fc_"), _pairs(2)),
]

# ODE makes one kind of tree of triangles, `TreeBuilder(&m_Mesh, Settings, true, false)`: without leaves, and
# with exact bounds. Searches of the three other kinds take 86 kB.
KINDS = [
    Change(
        "OPCODE/OPC_BaseModel.h",
        "HasLeafNodes()\t\tconst\t{ return !(mModelCode & OPC_NO_LEAF);",
        "HasLeafNodes()\t\tconst\t{ return FALSE;",
    ),
    Change(
        "OPCODE/OPC_BaseModel.h",
        "IsQuantized()\t\tconst\t{ return mModelCode & OPC_QUANTIZED;",
        "IsQuantized()\t\tconst\t{ return FALSE;",
    ),
    Change("OPCODE/OPC_BaseModel.cpp", "if(mModelCode & OPC_NO_LEAF)\n", "if(!HasLeafNodes())\n"),
    Change(
        "OPCODE/OPC_BaseModel.cpp",
        "if(mModelCode & OPC_QUANTIZED)\tmTree = new AABBQuantizedNoLeafTree;",
        "if(IsQuantized())\tmTree = new AABBQuantizedNoLeafTree;",
    ),
]


def change(folder: Path, changes: list[Change]) -> None:
    """Make the changes.

    Raises:
        SystemExit: a file has neither the text nor what replaces it.
    """
    for path, old, new in changes:
        file = folder / path
        text = file.read_bytes().decode("latin-1").replace("\r\n", "\n")
        if new in text:
            continue
        if text.count(old) != 1:
            raise SystemExit(f"{file}: this text is expected once, to be changed:\n{old}")
        file.write_bytes(text.replace(old, new).encode("latin-1"))


if __name__ == "__main__":
    change(Path(sys.argv[1]), [*ONCE, *AHEAD, *PAIRS, *KINDS])
