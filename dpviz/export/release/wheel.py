"""The dpviz that runs as a wheel, for a reader of a sheet who makes the release elsewhere.

Invariant: it installs what runs here, from a checkout as from an installation.
"""

from importlib.metadata import PackageNotFoundError, requires
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from dpviz import __version__
from dpviz.base.app_paths import APP_FOLDER

WHEEL_NAME: Final = f"dpviz-{__version__}-py3-none-any.whl"
APP: Final = (
    "app.py",
    "pages/*.py",
    ".streamlit/config.toml",
    "assets/icon.svg",
    "assets/logo*.svg",
    "assets/deploy/nginx.conf",
)
"""Files of the app, as a build takes them from a checkout."""

_PACKAGE: Final = Path(__file__).resolve().parents[2]


def build_wheel() -> bytes:
    """The package, the app below it, and what pip must know."""
    app = [path for pattern in APP for path in APP_FOLDER.glob(pattern)]
    files = {
        f"{below}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for below, folder, paths in (
            ("dpviz", _PACKAGE, _PACKAGE.rglob("*")),
            ("dpviz/app", APP_FOLDER, app),
        )
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }
    needs = "".join(f"Requires-Dist: {each}\n" for each in _requirements())
    for name, text in {
        "METADATA": f"Metadata-Version: 2.1\nName: dpviz\nVersion: {__version__}\n{needs}",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "[console_scripts]\ndpviz = dpviz.__main__:main\n",
        "RECORD": "".join(f"{name},,\n" for name in files),
    }.items():
        files[f"dpviz-{__version__}.dist-info/{name}"] = text.encode()
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as wheel:
        for name, held in files.items():
            wheel.writestr(name, held)
    return packed.getvalue()


def _requirements() -> list[str]:
    """Packages needed, as installed or else as the checkout says them."""
    try:
        return requires("dpviz") or []
    except PackageNotFoundError:
        lines = (APP_FOLDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if not line.startswith("#")]
