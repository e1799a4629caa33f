WITH "t2" AS (
  SELECT
    "t1"."person",
    "t1"."item",
    COUNT(*) AS "events"
  FROM (
    SELECT
      NULLIF(
        IF(
          REGEXP_LIKE("t0"."who", '^ | $|[^ -~]'),
          NORMALIZE(
            REGEXP_REPLACE(REGEXP_REPLACE("t0"."who", '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' '), '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$', '')
          ),
          "t0"."who"
        ),
        ''
      ) AS "person",
      NULLIF(
        IF(
          REGEXP_LIKE("t0"."what", '^ | $|[^ -~]'),
          NORMALIZE(
            REGEXP_REPLACE(REGEXP_REPLACE("t0"."what", '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' '), '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$', '')
          ),
          "t0"."what"
        ),
        ''
      ) AS "item"
    FROM "log" AS "t0"
  ) AS "t1"
  GROUP BY
    1,
    2
)
SELECT
  COALESCE("t10"."item", '') AS "item",
  "t10"."score",
  "t10"."cut_pairs",
  "t10"."cut_rows",
  "t10"."events",
  "t10"."present",
  "t10"."without_person",
  "t10"."largest"
FROM (
  SELECT
    "t6"."item",
    "t6"."score",
    "t6"."cut_pairs",
    "t6"."cut_rows",
    "t6"."events",
    "t6"."present",
    "t6"."without_person",
    "t8"."largest"
  FROM (
    SELECT
      "t3"."item",
      COUNT(*) FILTER(WHERE
        "t3"."person" IS NOT NULL) AS "score",
      0 AS "cut_pairs",
      0 AS "cut_rows",
      SUM("t3"."events") AS "events",
      COALESCE(
        SUM("t3"."events") FILTER(WHERE
          (
            "t3"."person" IS NOT NULL
          ) AND (
            "t3"."item" IS NOT NULL
          )),
        0
      ) AS "present",
      COALESCE(SUM("t3"."events") FILTER(WHERE
        NOT (
          "t3"."person" IS NOT NULL
        )), 0) AS "without_person"
    FROM "t2" AS "t3"
    GROUP BY
      1
  ) AS "t6"
  CROSS JOIN (
    SELECT
      MAX("t4"."items") FILTER(WHERE
        "t4"."person" IS NOT NULL) AS "largest"
    FROM (
      SELECT
        "t3"."person",
        COUNT(*) FILTER(WHERE
          "t3"."item" IS NOT NULL) AS "items"
      FROM "t2" AS "t3"
      GROUP BY
        1
    ) AS "t4"
  ) AS "t8"
  LIMIT 1000003
) AS "t10"

WITH "t4" AS (
  SELECT
    "t3"."person",
    "t3"."item",
    "t3"."events",
    "t3"."whole",
    "t3"."whole"
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t3"."person", "t3"."whole"
          ORDER BY MD5(TO_UTF8(CONCAT(CONCAT("t3"."person", '
'), "t3"."item"))) ASC
        ) - 1
      ) < 2
    ) AS "kept",
    "t3"."whole"
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t3"."person", "t3"."whole"
          ORDER BY MD5(TO_UTF8(CONCAT(CONCAT("t3"."person", '
'), "t3"."item"))) ASC
        ) - 1
      ) >= 2
    ) AS "cut"
  FROM (
    SELECT
      "t2"."person",
      "t2"."item",
      "t2"."events",
      COALESCE((
        "t2"."person" IS NOT NULL
      ) AND (
        "t2"."item" IS NOT NULL
      ), FALSE) AS "whole"
    FROM (
      SELECT
        "t1"."person",
        "t1"."item",
        COUNT(*) AS "events"
      FROM (
        SELECT
          NULLIF(
            IF(
              REGEXP_LIKE("t0"."who", '^ | $|[^ -~]'),
              NORMALIZE(
                REGEXP_REPLACE(REGEXP_REPLACE("t0"."who", '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' '), '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$', '')
              ),
              "t0"."who"
            ),
            ''
          ) AS "person",
          NULLIF(
            IF(
              REGEXP_LIKE("t0"."what", '^ | $|[^ -~]'),
              NORMALIZE(
                REGEXP_REPLACE(REGEXP_REPLACE("t0"."what", '[\u0001-\u001f\u007f-\u009f\u2028\u2029]+', ' '), '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$', '')
              ),
              "t0"."what"
            ),
            ''
          ) AS "item"
        FROM "log" AS "t0"
      ) AS "t1"
      GROUP BY
        1,
        2
    ) AS "t2"
  ) AS "t3"
)
SELECT
  COALESCE("t12"."item", '') AS "item",
  "t12"."score",
  "t12"."cut_pairs",
  "t12"."cut_rows",
  "t12"."events",
  "t12"."present",
  "t12"."without_person",
  "t12"."largest"
FROM (
  SELECT
    "t8"."item",
    "t8"."score",
    "t8"."cut_pairs",
    "t8"."cut_rows",
    "t8"."events",
    "t8"."present",
    "t8"."without_person",
    "t10"."largest"
  FROM (
    SELECT
      "t5"."item",
      COUNT(*) FILTER(WHERE
        "t5"."kept") AS "score",
      COUNT(*) FILTER(WHERE
        "t5"."cut") AS "cut_pairs",
      COALESCE(SUM("t5"."events") FILTER(WHERE
        "t5"."cut"), 0) AS "cut_rows",
      SUM("t5"."events") AS "events",
      COALESCE(
        SUM("t5"."events") FILTER(WHERE
          (
            "t5"."person" IS NOT NULL
          ) AND (
            "t5"."item" IS NOT NULL
          )),
        0
      ) AS "present",
      COALESCE(SUM("t5"."events") FILTER(WHERE
        NOT (
          "t5"."person" IS NOT NULL
        )), 0) AS "without_person"
    FROM "t4" AS "t5"
    GROUP BY
      1
  ) AS "t8"
  CROSS JOIN (
    SELECT
      MAX("t6"."items") FILTER(WHERE
        "t6"."person" IS NOT NULL) AS "largest"
    FROM (
      SELECT
        "t5"."person",
        COUNT(*) FILTER(WHERE
          "t5"."item" IS NOT NULL) AS "items"
      FROM "t4" AS "t5"
      GROUP BY
        1
    ) AS "t6"
  ) AS "t10"
  LIMIT 1000003
) AS "t12"
