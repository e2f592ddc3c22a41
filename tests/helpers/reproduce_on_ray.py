"""A reproduction on Ray; a helper of test_reproduce.py. python reproduce_on_ray.py PRESET OUT [PLUGIN]"""

from __future__ import annotations

import sys
from pathlib import Path

from treesmu import plugins
from treesmu.engine import open_executor
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction

if __name__ == "__main__":
    for plugin in map(Path, sys.argv[3:]):
        plugins.load_plugin(plugin)
        plugin.unlink()  # the cluster's machines share no files with us
    with open_executor("ray", 2) as executor:
        failed = Reproduction(Preset.read(sys.argv[1]), Path(sys.argv[2])).run(executor, print)
    sys.exit(1 if failed else 0)
