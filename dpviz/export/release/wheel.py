"""The dpviz that runs as a wheel, for a reader of a sheet who makes the release elsewhere.

Invariant: it installs what runs here, from a checkout as from an installation.
"""

import hashlib
from base64 import urlsafe_b64encode
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
    info = f"dpviz-{__version__}.dist-info"
    files = {
        f"dpviz/{path.relative_to(_PACKAGE).as_posix()}": path.read_bytes()
        for path in _PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    files |= {
        f"dpviz/app/{path.relative_to(APP_FOLDER).as_posix()}": path.read_bytes()
        for pattern in APP
        for path in APP_FOLDER.glob(pattern)
    }
    needs = "".join(f"Requires-Dist: {each}\n" for each in _requirements())
    about = f"Name: dpviz\nVersion: {__version__}\nRequires-Python: >=3.11\n{needs}"
    texts = {
        "METADATA": f"Metadata-Version: 2.1\n{about}",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "[console_scripts]\ndpviz = dpviz.__main__:main\n",
    }
    files |= {f"{info}/{name}": text.encode() for name, text in texts.items()}
    lines = [f"{name},sha256={_hash(held)},{len(held)}\n" for name, held in files.items()]
    files[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    with BytesIO() as packed:
        with ZipFile(packed, "w", ZIP_DEFLATED) as wheel:
            for name, held in files.items():
                wheel.writestr(name, held)
        return packed.getvalue()


def _hash(held: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(held).digest()).decode().rstrip("=")


def _requirements() -> list[str]:
    """Packages needed, as installed or else as the checkout says them."""
    try:
        return requires("dpviz") or []
    except PackageNotFoundError:
        lines = (APP_FOLDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
        return [said for line in lines if (said := line.partition("#")[0].strip())]
