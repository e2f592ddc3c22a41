"""Build the wheel, install it into an empty virtual environment, and do the main job there, outside of the repository.

``make smoke`` runs this file: pip installs the wheel and all it needs, in the versions of requirements.lock. The tests take a
shortcut: the environment sees the installed packages of this one, without the optional ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from paths import ROOT

OPTIONAL = ("matplotlib", "scipy", "sklearn", "openTSNE", "optuna", "ray", "tensorboard")  # jinja2 comes with PyTorch
MAIN_JOB = (
    "--version",
    "verify 'sin(x)^2 + cos(x)^2 = 1' 'sin(2x) = 2 sin(x)'",
    "complete 'tan(x) = sin(x)/_' --top 3",
    "generate corpus --train-size 60 --validation-size 10 --per-depth 4 --depths 1-3 --test-depths 1-4 --jobs 1",
    "train corpus --model tree-smu --out run --epochs 1",
    "evaluate run corpus",
    "data stats corpus",
    "train equations.csv --model tree-rnn --out own --epochs 1",
    "evaluate own equations.csv",
)
COMPILED = """if True:
    from treesmu.data import Forest, Vocab
    from treesmu.models import TreeEncoder, TreeLSTM
    vocab = Vocab(("neg", "add"), (1, 2), ("a",))
    encoder = TreeEncoder(TreeLSTM(3), vocab, compiled=True)
    encoder(Forest.from_trees([("add", ("neg", "a"), "a")], vocab)).sum().backward()
    assert encoder.implementation(0).value == "compiled"
"""
EQUATIONS = "equation,label\n" + "".join(f"x + {n} = {n} + x,1\nx + {n} = x*{n},0\n" for n in range(5)) + "x + ,1\n"


def build(out: Path) -> tuple[Path, Path]:
    """Build wheel and sdist into a folder, and return their files. The wheel is built from the sdist, as users' tools do."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return next(out.glob("*.whl")), next(out.glob("*.tar.gz"))


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel with all that it needs into a new environment; return its Python."""
    venv.create(folder, with_pip=True, symlinks=True)
    python = folder / "bin" / "python"
    command = [python, "-m", "pip", "install", "-q", "-c", ROOT / "requirements.lock", wheel]
    subprocess.run([str(word) for word in command], check=True)
    return python


def install_beside(wheel: Path, folder: Path) -> Path:
    """Install only the wheel into a new environment that sees the packages of this one, except for the optional ones."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    hidden = "; ".join(f"sys.modules['{name}'] = None" for name in OPTIONAL)
    (packages / "parent.pth").write_text(f"{sysconfig.get_paths()['purelib']}\nimport sys; {hidden}\n")
    return python


def run(python: Path, folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run ``treesmu COMMAND`` of an environment in a folder, without anything of ours in the path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["TREESMU_CACHE"] = str(folder / "cache")
    (folder / "equations.csv").write_text(EQUATIONS)
    script = f"{python.parent / 'treesmu'} {command}"
    return subprocess.run(["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def check_compiled(python: Path, folder: Path) -> None:
    """Check that Numba, its version being the one that pip chose, compiles a tree model in an environment."""
    done = subprocess.run([str(python), "-I", "-c", COMPILED], cwd=folder, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, flush=True)
    if done.returncode:
        sys.exit("the tree models are not compiled in an empty environment")


def main() -> None:
    """Build, install from scratch, and run the main job; exit with the code of the first command that fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, _ = build(folder / "dist")
        print(f"{wheel.name}: installing into an empty environment (PyTorch is large)", flush=True)
        python = install(wheel, folder / "venv")
        for command in MAIN_JOB:
            print(f"\n$ treesmu {command}", flush=True)
            done = run(python, folder, command)
            print(done.stdout + done.stderr, flush=True)
            if done.returncode:
                sys.exit(done.returncode)
        check_compiled(python, folder)
    print("the wheel works in an empty environment")


if __name__ == "__main__":
    main()
