"""Spark: what has to be arranged for it beside the one expression.

It has no function for Unicode forms, so Python's is lent to it, as a function that needs nothing on
its workers but Python. A session that was there before goes on afterwards; `parquet./path` is a
table, as in its SQL.
"""

import re
from typing import Any, Final

SCHEME: Final = "pyspark"
FORM_C: Final = "dpviz_form_c"
"""What its function for Unicode form C is called, once it is there."""

_FILES = re.compile(r"(parquet|csv|json|orc|delta|iceberg)\.(.*/.*)")
_VIEW = "dpviz_log"


def has_spark_session() -> bool:
    """Whether there is a session already, which is somebody's own."""
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra
    except ImportError:  # which connecting says
        return False
    return SparkSession.getActiveSession() is not None


def prepare(connection: Any) -> None:
    """Unicode form C, said by Python; defined in here, so that it goes to workers whole and not by
    its name.
    """

    def form_c(text: str | None) -> str | None:
        from unicodedata import normalize  # noqa: PLC0415 - on the worker

        return None if text is None else normalize("NFC", text)

    connection._session.udf.register(FORM_C, form_c, "string")


def spark_table_name(connection: Any, name: str) -> str:
    """The name of a table; that of a view of files, where it says `parquet./path` or the like."""
    files = _FILES.fullmatch(name)
    if files is None:
        return name
    connection._session.read.format(files[1]).load(files[2]).createOrReplaceTempView(_VIEW)
    return _VIEW
