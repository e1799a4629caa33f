WITH "t3" AS (
  SELECT
    "t2"."person",
    "t2"."item",
    "t2"."events",
    COALESCE((
      "t2"."person" <> ''
    ) AND (
      "t2"."item" <> ''
    ), FALSE)
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t2"."person", COALESCE((
            "t2"."person" <> ''
          ) AND (
            "t2"."item" <> ''
          ), FALSE)
          ORDER BY MD5(CONCAT(CONCAT("t2"."person", '\\n'), "t2"."item")) ASC
        ) - 1
      ) < 2
    ) AS "kept",
    COALESCE((
      "t2"."person" <> ''
    ) AND (
      "t2"."item" <> ''
    ), FALSE)
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t2"."person", COALESCE((
            "t2"."person" <> ''
          ) AND (
            "t2"."item" <> ''
          ), FALSE)
          ORDER BY MD5(CONCAT(CONCAT("t2"."person", '\\n'), "t2"."item")) ASC
        ) - 1
      ) >= 2
    ) AS "cut"
  FROM (
    SELECT
      "t1"."person",
      "t1"."item",
      COUNT(*) AS "events"
    FROM (
      SELECT
        "t0"."who" AS "person",
        "t0"."what" AS "item"
      FROM "log" AS "t0"
    ) AS "t1"
    GROUP BY
      1,
      2
  ) AS "t2"
)
SELECT
  COALESCE("t14"."item", '') AS "item",
  "t14"."score",
  "t14"."cut_pairs",
  "t14"."cut_rows",
  "t14"."events",
  "t14"."lost",
  "t14"."largest",
  "t14"."odd"
FROM (
  SELECT
    "t13".*
    EXCLUDE ("odd_people")
  FROM (
    SELECT
      "t12"."item",
      "t12"."score",
      "t12"."cut_pairs",
      "t12"."cut_rows",
      "t12"."events",
      "t12"."lost",
      "t12"."largest",
      "t12"."odd_people",
      "t12"."odd_people" + IFF(
        REGEXP_INSTR("t12"."item", '^ | $|[^ -~]') > 0,
        IFF(
          "t12"."item" = NULLIF(
            IFF(
              REGEXP_INSTR("t12"."item", '^ | $|[^ -~]') > 0,
              REGEXP_REPLACE(
                REGEXP_REPLACE("t12"."item", '[\\x01-\\x1f\\x7f-\u009f\u2028\u2029]+', ' '),
                '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$',
                ''
              ),
              "t12"."item"
            ),
            ''
          ),
          0,
          1
        ),
        0
      ) AS "odd"
    FROM (
      SELECT
        NULLIF("t11"."item", '') AS "item",
        "t11"."score",
        "t11"."cut_pairs",
        "t11"."cut_rows",
        "t11"."events",
        "t11"."lost",
        "t11"."largest",
        "t11"."odd_people"
      FROM (
        SELECT
          "t7"."item",
          "t7"."score",
          "t7"."cut_pairs",
          "t7"."cut_rows",
          "t7"."events",
          "t7"."lost",
          "t9"."largest",
          "t9"."odd_people"
        FROM (
          SELECT
            "t4"."item",
            COUNT_IF("t4"."kept") AS "score",
            COUNT_IF("t4"."cut") AS "cut_pairs",
            COALESCE(SUM(IFF("t4"."cut", "t4"."events", NULL)), 0) AS "cut_rows",
            SUM("t4"."events") AS "events",
            SUM("t4"."events") - COALESCE(SUM(IFF("t4"."person" <> '', "t4"."events", NULL)), 0) AS "lost"
          FROM "t3" AS "t4"
          GROUP BY
            1
        ) AS "t7"
        CROSS JOIN (
          SELECT
            MAX(IFF("t5"."person" <> '', "t5"."items", NULL)) AS "largest",
            SUM(
              IFF(
                REGEXP_INSTR("t5"."person", '^ | $|[^ -~]') > 0,
                IFF(
                  "t5"."person" = NULLIF(
                    IFF(
                      REGEXP_INSTR("t5"."person", '^ | $|[^ -~]') > 0,
                      REGEXP_REPLACE(
                        REGEXP_REPLACE("t5"."person", '[\\x01-\\x1f\\x7f-\u009f\u2028\u2029]+', ' '),
                        '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$',
                        ''
                      ),
                      "t5"."person"
                    ),
                    ''
                  ),
                  0,
                  1
                ),
                0
              )
            ) AS "odd_people"
          FROM (
            SELECT
              "t4"."person",
              COUNT_IF("t4"."item" <> '') AS "items"
            FROM "t3" AS "t4"
            GROUP BY
              1
          ) AS "t5"
        ) AS "t9"
        LIMIT 1000003
      ) AS "t11"
    ) AS "t12"
  ) AS "t13"
) AS "t14"

WITH "t3" AS (
  SELECT
    "t2"."person",
    "t2"."item",
    "t2"."events",
    COALESCE((
      "t2"."person" <> ''
    ) AND (
      "t2"."item" <> ''
    ), FALSE)
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t2"."person", COALESCE((
            "t2"."person" <> ''
          ) AND (
            "t2"."item" <> ''
          ), FALSE)
          ORDER BY MD5(CONCAT(CONCAT("t2"."person", '\\n'), "t2"."item")) ASC
        ) - 1
      ) < 2
    ) AS "kept",
    COALESCE((
      "t2"."person" <> ''
    ) AND (
      "t2"."item" <> ''
    ), FALSE)
    AND (
      (
        ROW_NUMBER() OVER (
          PARTITION BY "t2"."person", COALESCE((
            "t2"."person" <> ''
          ) AND (
            "t2"."item" <> ''
          ), FALSE)
          ORDER BY MD5(CONCAT(CONCAT("t2"."person", '\\n'), "t2"."item")) ASC
        ) - 1
      ) >= 2
    ) AS "cut"
  FROM (
    SELECT
      "t1"."person",
      "t1"."item",
      COUNT(*) AS "events"
    FROM (
      SELECT
        NULLIF(
          IFF(
            REGEXP_INSTR("t0"."who", '^ | $|[^ -~]') > 0,
            REGEXP_REPLACE(
              REGEXP_REPLACE("t0"."who", '[\\x01-\\x1f\\x7f-\u009f\u2028\u2029]+', ' '),
              '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$',
              ''
            ),
            "t0"."who"
          ),
          ''
        ) AS "person",
        NULLIF(
          IFF(
            REGEXP_INSTR("t0"."what", '^ | $|[^ -~]') > 0,
            REGEXP_REPLACE(
              REGEXP_REPLACE("t0"."what", '[\\x01-\\x1f\\x7f-\u009f\u2028\u2029]+', ' '),
              '^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$',
              ''
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
)
SELECT
  COALESCE(NULLIF("t11"."item", ''), '') AS "item",
  "t11"."score",
  "t11"."cut_pairs",
  "t11"."cut_rows",
  "t11"."events",
  "t11"."lost",
  "t11"."largest"
FROM (
  SELECT
    "t7"."item",
    "t7"."score",
    "t7"."cut_pairs",
    "t7"."cut_rows",
    "t7"."events",
    "t7"."lost",
    "t9"."largest"
  FROM (
    SELECT
      "t4"."item",
      COUNT_IF("t4"."kept") AS "score",
      COUNT_IF("t4"."cut") AS "cut_pairs",
      COALESCE(SUM(IFF("t4"."cut", "t4"."events", NULL)), 0) AS "cut_rows",
      SUM("t4"."events") AS "events",
      SUM("t4"."events") - COALESCE(SUM(IFF("t4"."person" <> '', "t4"."events", NULL)), 0) AS "lost"
    FROM "t3" AS "t4"
    GROUP BY
      1
  ) AS "t7"
  CROSS JOIN (
    SELECT
      MAX(IFF("t5"."person" <> '', "t5"."items", NULL)) AS "largest"
    FROM (
      SELECT
        "t4"."person",
        COUNT_IF("t4"."item" <> '') AS "items"
      FROM "t3" AS "t4"
      GROUP BY
        1
    ) AS "t5"
  ) AS "t9"
  LIMIT 1000003
) AS "t11"
