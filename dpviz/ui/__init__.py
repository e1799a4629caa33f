"""The app's parts on the screen: pages are made of these and of charts, and do no mathematics.

`shell` is what every page shares: how it starts, the session's scenario, its controls, how a chart
is shown. `work` is what is computed beside a page, `packing` how the browser gets Streamlit's own
files, `first_paint` what stands in its page before ours, `named` where the app is and under which
names, `asked` what a browser may ask over its line, `leaving` what becomes of a session whose
browser has gone, `away` where one waits whose line was cut, `uploads` how much of it may wait to be
read, `fetched` how large files leave. Then comes a folder a page. Styles and scripts are the .css
and .js files here. Read `shell/start.py` first, then a page in `pages/` and its folder.
"""

from dpviz.ui.asked import OwnPages
from dpviz.ui.first_paint import FirstPaint
from dpviz.ui.leaving import Leaving
from dpviz.ui.named import NamedHosts
from dpviz.ui.packing import Packed
from dpviz.ui.shell.look import look
from dpviz.ui.shell.opening import opening
from dpviz.ui.shell.start import navigation, start, start_alone, start_without_scores
from dpviz.ui.uploads import Uploads
from dpviz.ui.work import turn

__all__ = [
    "FirstPaint",
    "Leaving",
    "NamedHosts",
    "OwnPages",
    "Packed",
    "Uploads",
    "look",
    "navigation",
    "opening",
    "start",
    "start_alone",
    "start_without_scores",
    "turn",
]
