"""seed.py VERSION : answers to the first-run dialogs, once, before the first run.  Run inside offline.sh."""
import sys
from rc import *
r = Rig(sys.argv[1])
r.seed(*[r.work + "/" + d for d in ("tui-main tui-rewind tui-clear tui-branch tui-plan tui-ask tui-bg tui-kill tui-misc tui-sum tui-shapes tui-two").split()])
r.close()
