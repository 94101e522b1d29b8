"""Programs of students that do all that programs can do wrong, after the lines with which a good one begins.

Names in braces stand for the folder of the class, the process that grades, and the teacher's solution.
"""

from __future__ import annotations

BAD = {
    "crash": "import os\nos.abort()\n",
    "deleter": "import shutil\nfor one in ({root!r}, '/'):\n    shutil.rmtree(one, True)\n1/0\n",
    "descriptors": "files = [open('/dev/null') for _ in range(10**6)]\n",
    "exception": "raise ValueError('no')\n",
    "forks": "import os\nwhile True:\n    os.fork()\n",
    "hog": "data = []\nwhile True:\n    data.append(bytearray(1 << 24))\n",
    "killer": "import os, signal\nos.kill({pid}, signal.SIGKILL)\n",
    "loop": "while True:\n    pass\n",
    "nothing": "",
    "recursion": "def f(): return f()\nf()\n",
    "reader": "print(open({solution!r}).read())\n",
    "segfault": "import ctypes\nctypes.string_at(0)\n",
    "sleeper": "import time\ntime.sleep(1000)\n",
    "syntax": "def (:\n",
    "talker": "import sys\nwhile True:\n    sys.stdout.write('x' * 100000)\n",
    "threads": "import threading as t\nwhile True:\n    t.Thread(target=t.Event().wait).start()\n",
    "writer": "open('big', 'wb').write(bytes(1 << 25))\n",
}
