import Testing

@testable import MigrationPlanning

/// Which conditions follow from others.
@Suite
struct ConditionClausesTests {
  @Test(arguments: [
    (#""s" IN ('a', 'b')"#, #""s" IN ('b', 'c', 'a')"#),
    (#""s" IN ('it''s')"#, #""s" IN ('it''s', 'x')"#),
    ("\"s\" IN ('\u{301}')", "\"s\" IN ('\u{301}', 'x''\u{301}')"),
    (#""n" >= '5'::numeric"#, #""n" >= 3"#),
    (#""n" > 3"#, #""n" >= 3"#),
    (
      #""d" >= '2024-01-01 00:00:00+00'::timestamp with time zone"#,
      #""d" >= '2023-12-31 23:59:59+00'::timestamp with time zone"#
    ),
    (#""n" = 5"#, #""n" < 6"#),
    (#""n" = '3'::numeric(10,2)"#, #""n" > -1"#),
    (#""n" >= 0"#, #""n" > -1"#),
    (#""n" = 5"#, #""n" IN ('5'::bigint, '7'::bigint)"#),
    (#"NOT "n" > 5"#, #"NOT "n" > 5"#),
    (#""n" > 9007199254740993"#, #""n" > 9007199254740993"#),
    (#""n" >= 0"#, #""n" > (-1)"#),
    (#"length("n") < 10"#, #"length("n") < 20"#),
    (#"("n" >= 2 AND "n" <= 4)"#, #"("n" >= 1 AND "n" <= 4)"#),
    (#""_entity" <> 'A' OR "n" >= 2"#, #""_entity" <> 'A' OR "n" >= 1"#),
    (#""_entity" NOT IN ('A', 'B') OR "n" >= 2"#, #""_entity" <> 'A' OR "n" >= 2"#),
    (#""n" >= 2"#, #""_entity" <> 'A' OR "n" >= 2"#),
    (#""_entity" IN ('A')"#, #""_entity" <> 'B' OR "n" IS NOT NULL"#),
    (#""a" ~ 'x AND y'"#, #""a" ~ 'x AND y'"#),
    (#""a" BETWEEN 1 AND 2"#, #""a" BETWEEN 1 AND 2"#),
    (
      #""d" >= '2024-01-01'::timestamp with time zone"#,
      #""d" >= '2024-01-01'::timestamp with time zone"#
    ),
  ])
  func `a wider condition follows`(condition: String, wider: String) {
    #expect(ConditionClauses(text: condition).implies(ConditionClauses(text: wider)))
  }

  @Test(arguments: [
    (#""s" IN ('a', 'b')"#, #""s" IN ('a')"#),
    ("\"s\" IN ('a', '\u{301}b')", "\"s\" IN ('a')"),
    ("\"s\" = 'a''\u{301} OR true'", "\"s\" = 'a''\u{301} OR false'"),
    (#""s" IN ('a')"#, #""t" IN ('a', 'b')"#),
    (#""s" IN ('a')"#, #""s" IS NOT NULL"#),
    (#""n" >= 3"#, #""n" > 3"#),
    (#""n" >= 3"#, #""n" <= 3"#),
    (#""_entity" <> 'A' OR "n" >= 2"#, #""n" >= 2"#),
    (#""_entity" <> 'A' OR "n" >= 2"#, #""_entity" NOT IN ('A', 'B') OR "n" >= 3"#),
    (#""_entity" IN ('A', 'B')"#, #""_entity" <> 'B' OR "n" IS NOT NULL"#),
    (#""a" BETWEEN 1 AND 2"#, #""a" BETWEEN 1 AND 3"#),
    (#""a" = 'x' OR "b" = 'y'"#, #""a" = 'x'"#),
    (#""a" = "b""#, #""a" = "c""#),
    (#""a" ~ 'x'"#, #""a" ~ 'y'"#),
    ("true", #""a" = 'x'"#),
    (#"NOT "n" > 5"#, #"NOT "n" > 3"#),
    (#"NOT ("n" > 5)"#, #"NOT ("n" > 3)"#),
    (#"NOT "n" IN (1)"#, #"NOT "n" IN (1, 2)"#),
    (#"- "n" > 5"#, #"- "n" > 3"#),
    (#"10 - "n" > 5"#, #"10 - "n" > "m""#),
    (#""s" > '10'"#, #""s" > '9'"#),
    (#""s" > '5'"#, #""s" > '10'"#),
    (#""n" > 9007199254740992"#, #""n" >= 9007199254740993"#),
    (#""n" >= '9007199254740992'::bigint"#, #""n" >= '9007199254740993'::bigint"#),
    (#""n" = 5"#, #""n" <> '5.0'"#),
    (#""n" = '0.999'::numeric(10,2)"#, #""n" < 1"#),
    (#""n" IN ('1', '01')"#, #""n" <> '001'"#),
    (#""s" = 'a'"#, #""s" <> 'A'"#),
    (#""s" = 'a '"#, #""s" <> 'a'"#),
    (#""b" = 't'"#, #""b" <> 'true'"#),
    (#""s" = 'ab'"#, #""s" = 'ab'::character(1)"#),
    (#""a" = 'x' IS NOT NULL"#, #""a" = 'y' IS NOT NULL"#),
    (#""a" COLLATE "x" = 'x'"#, #""a" <> 'y'"#),
  ])
  func `a narrower condition does not`(condition: String, narrower: String) {
    #expect(!ConditionClauses(text: condition).implies(ConditionClauses(text: narrower)))
  }
}
