"""Delta and Iceberg tables: their newest version, read into an embedded DuckDB."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dpviz.data.counting.engine_errors import engine_error_text
from dpviz.data.reading import IngestError, check_column, quote_value

_MARKS: Final = {"_delta_log": "delta", "metadata": "iceberg"}
_VERSION = re.compile(r"v?(\d+).*\.metadata\.json")


def lake_kind(names: Sequence[str]) -> str | None:
    """Kind of table in a folder, by the names in it; None for a folder of files."""
    return next((kind for mark, kind in _MARKS.items() if mark in names), None)


def is_lake_table(folder: Path) -> bool:
    """True if a local folder is such a table, whose files do not all count."""
    return (folder / "_delta_log").is_dir() or any((folder / "metadata").glob("*.metadata.json"))


def create_log_from_lake(
    connection: Any, kind: str, path: str, system: Any, columns: Sequence[str]
) -> None:
    """Make the table `log` of DuckDB."""
    read = {"delta": _delta, "iceberg": _iceberg}[kind]
    try:
        read(connection, path, system, columns)
    except ImportError as err:
        raise IngestError(
            f"{quote_value(path)} is a table of {kind}, which needs a package more: pip install"
            " 'dpviz[lake]'."
        ) from err
    except IngestError:
        raise
    except Exception as err:  # each raises its own kind
        raise IngestError(
            f"{quote_value(path)} cannot be read as a table of {kind}: {engine_error_text(err)}."
        ) from err


def _delta(connection: Any, path: str, system: Any, columns: Sequence[str]) -> None:
    from deltalake import DeltaTable  # noqa: PLC0415 - an extra

    connection.register("log", DeltaTable(path).to_pyarrow_dataset())


def _iceberg(connection: Any, path: str, system: Any, columns: Sequence[str]) -> None:
    from pyiceberg.table import StaticTable  # noqa: PLC0415 - an extra

    table = StaticTable.from_metadata(_newest(path, system))
    names = [field.name for field in table.schema().fields]
    for column in columns:
        check_column("the column", column, names)
    batches = table.scan(selected_fields=tuple(dict.fromkeys(columns))).to_arrow_batch_reader()
    connection.register("batches", batches)
    connection.execute("CREATE TABLE log AS FROM batches")


def _newest(path: str, system: Any) -> str:
    """Metadata file of the newest version in a table's folder."""
    if system is None:
        found = [str(each) for each in (Path(path) / "metadata").iterdir()]
    else:
        inside = system._strip_protocol(path).rstrip("/") + "/metadata"
        found = [system.unstrip_protocol(each) for each in system.ls(inside, detail=False)]
    versions = {each: m for each in found if (m := _VERSION.fullmatch(each.rpartition("/")[2]))}
    if not versions:
        raise IngestError(
            f"{quote_value(path)} has a folder metadata, but is no table of iceberg: name its"
            " files."
        )
    return max(versions, key=lambda each: int(versions[each][1]))
