SELECT
  COALESCE("t4"."item", '') AS "item",
  "t4"."score",
  "t4"."cut_pairs",
  "t4"."cut_rows",
  "t4"."events",
  "t4"."without_person"
FROM (
  SELECT
    "t2"."item",
    COUNT(*) FILTER(WHERE
      "t2"."person" IS NOT NULL) AS "score",
    0 AS "cut_pairs",
    0 AS "cut_rows",
    SUM("t2"."events") AS "events",
    COALESCE(SUM("t2"."events") FILTER(WHERE
      NOT (
        "t2"."person" IS NOT NULL
      )), 0) AS "without_person"
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
  GROUP BY
    1
  LIMIT 1000003
) AS "t4"

SELECT
  COALESCE("t6"."item", '') AS "item",
  "t6"."score",
  "t6"."cut_pairs",
  "t6"."cut_rows",
  "t6"."events",
  "t6"."without_person"
FROM (
  SELECT
    "t4"."item",
    COUNT(*) FILTER(WHERE
      "t4"."kept") AS "score",
    COUNT(*) FILTER(WHERE
      "t4"."cut") AS "cut_pairs",
    COALESCE(SUM("t4"."events") FILTER(WHERE
      "t4"."cut"), 0) AS "cut_rows",
    SUM("t4"."events") AS "events",
    COALESCE(SUM("t4"."events") FILTER(WHERE
      NOT (
        "t4"."person" IS NOT NULL
      )), 0) AS "without_person"
  FROM (
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
  ) AS "t4"
  GROUP BY
    1
  LIMIT 1000003
) AS "t6"
