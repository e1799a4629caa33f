"""Spark: preparations for the counting expression."""

import re
from typing import Any, Final

SCHEME: Final = "pyspark"
FORM_C: Final = "dpviz_form_c"
"""Name of the registered function for Unicode form C."""

_FILES = re.compile(r"(parquet|csv|json|orc|delta|iceberg)\.(.*/.*)")
_VIEW = "dpviz_log"


def has_spark_session() -> bool:
    """True if there is already a session, which belongs to the caller."""
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra
    except ImportError:  # which connecting says
        return False
    return SparkSession.getActiveSession() is not None


def prepare(connection: Any) -> None:
    """Register Unicode form C, which Spark lacks; nested, it is pickled by value for workers."""

    def form_c(text: str | None) -> str | None:
        from unicodedata import normalize  # noqa: PLC0415 - on the worker

        return None if text is None else normalize("NFC", text)

    connection._session.udf.register(FORM_C, form_c, "string")


def spark_table_name(connection: Any, name: str) -> str:
    """Name of a table, or of a new view of files for `parquet./path` and the like."""
    files = _FILES.fullmatch(name)
    if files is None:
        return name
    connection._session.read.format(files[1]).load(files[2]).createOrReplaceTempView(_VIEW)
    return _VIEW
