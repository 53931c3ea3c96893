import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Every function and operator gives in the server what it gives in Foundation.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiveExpressionTests {
  /// Expressions with their values as text; null is nothing.
  static let values: [(String, String?)] = [
    // Arithmetic: integers stay integers, a number with a point is none.
    ("number + 1", "8"), ("number - 10", "-3"), ("number * 2", "14"), ("number / 2", "3"),
    ("-number / 2", "-3"), ("number / 2.0", "3.5000000000000000"), ("(weight - 0.5) / 2", "1"),
    ("($source.weight - 32.0) / 1.8", "-16.38888888888889"), ("2 ** 3", "8"),
    ("nothing + 1", nil), ("-weight", "-2.5"), ("9223372036854775807 - 1", "9223372036854775806"),
    ("number ** 2 * 2", "98"),
    // Functions of numbers.
    ("add:to:(number, 3)", "10"), ("from:subtract:(number, 3)", "4"),
    ("multiply:by:(number, 3)", "21"), ("divide:by:(number, 2)", "3"),
    ("modulus:by:(number, 4)", "3"), ("modulus:by:(weight, 2)", "0.5"),
    ("modulus:by:(price, 5)", "2.50"), ("raise:toPower:(2, 10)", "1024"), ("sqrt:(16)", "4"),
    ("log:(1000)", "3"), ("ln:(1)", "0"), ("exp:(0)", "1"), ("abs:(-7)", "7"),
    ("floor:(-2.5)", "-3"), ("ceiling:(-2.5)", "-2"), ("trunc:(-2.5)", "-2"),
    ("trunc:(number)", "7"), ("bitwiseAnd:with:(12, 10)", "8"), ("bitwiseOr:with:(12, 10)", "14"),
    ("bitwiseXor:with:(12, 10)", "6"), ("leftshift:by:(1, 40)", "1099511627776"),
    ("rightshift:by:(number, 1)", "3"), ("onesComplement:(0)", "-1"), ("sqrt:(nothing)", nil),
    ("abs:(nothing)", nil), ("bitwiseAnd:with:(nothing, 1)", nil), ("noindex:(number)", "7"),
    ("floor:(random() * 1)", "0"), ("random:(1)", "0"), ("randomn:(1)", "0"),
    // Many values.
    ("sum:({1, 2, 3})", "6"), ("sum:({1.5, 2})", "3.5"), ("sum:(chapters.pages)", "40"),
    ("sum:({})", "0"), ("count:({1, 2})", "2"), ("count:(chapters)", "3"), ("count:({})", "0"),
    ("min:({3, 1})", "1"), ("max:(chapters.heading)", "Two"), ("min:(chapters.pages)", "10"),
    ("max:({})", nil), ("average:({1, 2})", "1.5"), ("average:(chapters.pages)", "20"),
    ("average:({})", nil), ("median:({1, 2, 10})", "2"), ("median:({1, 2})", "1.5"),
    ("mode:({1, 2, 2})", "2"), ("stddev:({2, 4, 4, 4, 5, 5, 7, 9})", "2"), ("max(number, 3)", "7"),
    ("sum:({nothing, 1})", "1"), ("stddev:(chapters.pages)", "10"), ("mode:({})", nil),
    ("median:({})", nil), ("sum:(fans.age)", "70"),
    // Texts.
    ("uppercase:('ax')", "AX"), ("lowercase:('AX')", "ax"), ("canonical:(title)", "  elan, vital "),
    ("length:('äx')", "2"), ("trim(title)", "Élan, vital"), ("trim('xxaxx', 'x')", "a"),
    ("concat(trim(title), '-', number)", "Élan, vital-7"), ("concat(note, 'a', NULL)", "a"),
    ("concat(note)", ""), ("concat(isNew, ' ', price, ' ', weight)", "1 12.5 2.5"),
    ("substring('abcdef', 2)", "cdef"), ("substring('abcdef', 0, 2)", "ab"),
    ("replace('aXbX', 'X', '-')", "a-b-"), ("split('a,b', ',', 1)", "b"),
    ("split('a,b', ',', 2)", nil), ("split('a,b', ',')[0]", "a"), ("split('a,b', ',')[SIZE]", "2"),
    ("regexReplace('a1b22', '(\\\\d+)', '<$1>')", "a<1>b<22>"),
    ("regexReplace('a.b', '\\\\.', '\\\\\\\\$')", #"a\$b"#), ("uppercase:(note)", nil),
    ("trim(note)", nil), ("length:(note)", nil), ("replace(note, 'a', 'b')", nil),
    ("split(note, ',', 0)", nil), ("regexReplace(note, 'a', 'b')", nil),
    ("substring(note, 1)", nil), ("textSearch('simple', note)", ""),
    ("textSearch('english', 'walks', 'the birds')", "'bird':3 'walk':1"),
    ("FUNCTION(trim(title), 'uppercaseString')", "ÉLAN, VITAL"),
    // Choices.
    ("coalesce(note, title, 'x')", "  Élan, vital "), ("coalesce(nothing, 1.5)", "1.5"),
    ("nullIf(number, 7)", nil), ("nullIf(number, 8)", "7"), ("nullIf(note, '')", nil),
    ("TERNARY(number > 3, 'many', 'few')", "many"), ("TERNARY(nothing > 3, 'many', 'few')", "few"),
    ("TERNARY(note = nil, number, 1.5)", "7"), ("TERNARY(isNew = YES, NULL, 1)", nil),
    // JSON, UUIDs.
    ("json(extra, 'a', 'b')", "x"), ("json(extra, 'l', 1)", "2"), ("json(extra, 'z')", nil),
    ("json('[1]')", "[1]"), ("json(number)", "7"), ("length:(CAST(uuid(), 'NSString'))", "36"),
    // Casts and accessors.
    ("CAST(number, 'NSString')", "7"), ("CAST('12.50', 'NSNumber')", "12.50"),
    ("CAST('x', 'NSNumber')", nil), ("CAST(' 7 ', 'Integer 32')", "7"),
    ("CAST(printed, 'NSNumber')", "60"),
    ("CAST(printed, 'NSString')", "2001-01-01 00:01:00 +0000"),
    ("CAST(price, 'NSString')", "12.5"), ("CAST(isNew, 'NSNumber')", "1"),
    ("CAST('yes', 'Boolean')", "true"), ("CAST('no', 'Boolean')", "false"),
    ("CAST(0.4, 'Boolean')", "true"),
    ("CAST(weight, 'Integer 16')", "2"),
    ("CAST(number, 'NSDecimalNumber') / 2", "3.5000000000000000"),

    ("CAST(tag, 'NSString')", "00000000-0000-0000-0000-00000000000a"),
    ("CAST(note, 'NSNumber')", nil), ("CAST('http://x', 'NSURL')", "http://x"),
    ("FUNCTION(number, 'stringValue')", "7"), ("FUNCTION('12abc', 'intValue')", "12"),
    ("FUNCTION('abc', 'integerValue')", "0"), ("FUNCTION(' -1.5e1x', 'doubleValue')", "-15"),
    ("FUNCTION(note, 'longLongValue')", nil), ("FUNCTION(price, 'boolValue')", "true"),
    ("FUNCTION(price, 'shortValue')", "12"), ("FUNCTION('2.5', 'floatValue')", "2.5"),
    ("FUNCTION(isNew, 'description')", "1"), ("FUNCTION('1.50', 'decimalValue')", "1.50"),
    ("FUNCTION(number, 'longValue')", "7"),
    // Key paths.
    ("$source.author.name", "Bob"), ("SELF.author.mentor.name", "Ann"), ("editor.name", nil),
    ("author.mentor.mentor.name", nil), ("author.loud", "BOB"), ("$each.heading", "One"),
    ("$each.book.author.name", "Bob"), ("$each.book.chapters.@count", "3"),
    ("chapters.@count", "3"), ("chapters.pages.@sum", "40"), ("chapters.pages.@min", "10"),
    ("chapters.pages.@max", "30"), ("chapters.pages.@avg", "20.0000000000000000"),
    ("chapters.@sum.pages", "40"), ("chapters.pages.@count", "2"), ("author.books.@count", "2"),
    ("author.books.price.@max", "12.50"), ("chapters.writer.age.@sum", "40"),
    ("fans.@count", "2"), ("fans.loud.@max", "ANN"), ("$source", "1"), ("author.mentor", "1"),
    ("author.books.@unionOfObjects.price.@count", "2"), ("editor.books.@count", "0"),

    ("chapters.pages.@distinctUnionOfObjects.@sum", "40"),
    ("chapters[0].heading", "Two"), ("chapters[FIRST].pages", "30"), ("chapters.heading[1]", "One"),
    ("chapters[LAST].heading", nil), ("chapters[SIZE]", "3"), ("chapters[9].pages", nil),
    ("objectFrom:withIndex:(chapters, 0)", "2"), ("{4, 5, 6}[number - 6]", "5"),
    ("{4, 5}[LAST]", "5"),
    // Subqueries and fetches.
    ("SUBQUERY(chapters, $c, $c.pages > 5).@count", "2"),
    ("SUBQUERY(chapters, $c, $c.pages > 5).pages.@sum", "40"),
    ("SUBQUERY(chapters, $c, $c.pages < number).@count", "0"),
    ("SUBQUERY(chapters, $c, $c.writer.name BEGINSWITH 'A').heading[FIRST]", "One"),
    (
      "SUBQUERY(author.books, $b, SUBQUERY($b.chapters, $c, $c.pages == 10).@count > 0).@count", "2"
    ),
    ("SUBQUERY(author.books, $b, ANY $b.chapters.writer == $b.author).@count", "1"),
    ("SUBQUERY({1, 2, 3}, $n, $n > 1).@sum", "5"),
    ("sum:(SUBQUERY(chapters, $c, NOT $c.pages > 10).pages)", "10"),
    (fetch("Author", "age > 20", "YES"), "2"), (fetch("Author") + ".age.@max", "40"),
    (fetch("Novel") + ".@count", "1"), (fetch("Book") + ".@count", "3"),
    (fetch("Author", "ANY books.price > 10") + ".name.@max", "Bob"),
    ("SUBQUERY(\(fetch("Author")), $a, $a.age == 40).@count", "1"),
    // SQL.
    ("CAST(SQL('${source.Book.number} + 1'), 'NSNumber') * 2", "16"),
    ("SQL('(SELECT max(pages) FROM ${source.Chapter})')", "30"),
    ("SQL('1 -- one')", "1"),

  ]

  /// Conditions on the first book, with whether they hold.
  static let conditions: [(String, Bool)] = [
    // Null is equal to null, to nothing else, and neither less nor greater.
    ("nothing = nil", true), ("nothing != nil", false), ("nothing != 3", true),
    ("nothing == 3", false), ("nothing > 3", false), ("nothing <= 3", false),
    ("nothing == number", false), ("nothing != number", true), ("nothing == editor.age", true),
    ("number != nil", true), ("nil == nil", true), ("number > nil", false), ("nil < 1", false),
    ("nothing BETWEEN {1, 3}", false), ("nothing IN {1, 3}", false), ("nothing IN {1, nil}", true),
    ("note CONTAINS 'a'", false), ("note LIKE '*'", false), ("note MATCHES '.*'", false),
    ("note BEGINSWITH ''", false), ("title ENDSWITH nil", false), ("note = ''", false),
    ("editor = nil", true), ("author != nil", true), ("author.mentor.mentor = nil", true),
    // Order and equality.
    ("number = 7", true), ("number == 7.0", true), ("number <> 7", false), ("number < 8", true),
    ("number <= 7", true), ("number => 7", true), ("number > 7", false), ("isNew = 1", true),
    ("isNew == YES && isNew != NO", true), ("price BETWEEN {12, 12.5}", true),
    ("7 == number", true),
    ("tag == '00000000-0000-0000-0000-00000000000A'", true), ("printed < now()", true),
    ("printed == CAST(60, 'NSDate')", true), ("number IN {1, 7}", true), ("number IN {}", false),
    ("2 ** 0.5 > 1.41", true), ("number == price - 5.5", true),
    ("castObject:toType:('00000000-0000-0000-0000-00000000000a', 'NSUUID') = tag", true),
    ("CAST(number, 'NSDate') < printed", true), ("random() < 1", true), ("uuid() != tag", true),
    ("now() > CAST(0, 'NSDate')", true), ("$each.book == $source", true),
    ("$each == $source.author", false), ("SELF == $source", true),
    // Texts.
    ("title ==[cd] '  elan, VITAL '", true), ("title == '  elan, VITAL '", false),
    ("title CONTAINS 'vital'", true), ("title CONTAINS[c] 'VITAL'", true),
    ("title CONTAINS[d] 'Elan'", true), ("title BEGINSWITH '  É'", true),
    ("title ENDSWITH 'vital '", true), ("title LIKE '*lan, ?ital*'", true),
    ("title LIKE 'lan'", false), ("title LIKE[cd] '*ELAN*'", true), ("'100%' LIKE '100%'", true),
    ("'100x' LIKE '100%'", false), ("title MATCHES '.*v[a-i]tal.*'", true),
    ("title MATCHES 'vital'", false), ("title MATCHES[c] '.*VITAL.*'", true), ("'b' > 'a'", true),
    ("'vital' IN title", true), ("'a' ==[n] 'a'", true), ("'a' <[l] 'b'", true),
    // Logic, AND before OR.
    ("TRUEPREDICATE OR FALSEPREDICATE AND FALSEPREDICATE", true), ("!(number = 7)", false),
    ("NOT (nothing > 3)", true), ("NOT (nothing > 3 OR note CONTAINS 'a')", true),
    ("number = 1 || number = 7 && nothing = nil", true),
    // Several values.
    ("ANY chapters.pages > 20", true), ("ANY chapters.pages > 30", false),
    ("SOME chapters.heading = nil", true), ("ALL chapters.pages >= 10", false),
    ("ALL chapters.pages != 11", true), ("ALL editor.books.price > 1", true),
    ("ANY editor.books.price > 1", false), ("NONE editor.books.price > 1", true),
    ("NONE chapters.pages > 20", false), ("NONE chapters.pages > 30", true),
    ("ANY chapters = $each", true), ("ANY chapters.writer.name BEGINSWITH 'B'", true),
    ("ANY {1, 7} = number", true), ("ALL {1, 7} < 8", true), ("ANY fans.mentor = nil", true),
    ("10 IN chapters.pages", true), ("11 IN chapters.pages", false),
    ("nil IN chapters.pages", true),
    ("chapters CONTAINS $each", true), ("chapters.pages CONTAINS 30", true),
    ("{1, 2} CONTAINS 2", true), ("$each IN SUBQUERY(chapters, $c, $c.pages < 20)", true),
    ("$each IN SUBQUERY(chapters, $c, $c.pages > 20)", false), ("author IN fans", false),
    ("author IN \(fetch("Author", "age = nil"))", true), ("'b' IN split('a,b', ',')", true),
    ("ANY \(fetch("Chapter")).pages = 30", true), ("ANY chapters.heading CONTAINS[c] 'ON'", true),
    ("SUBQUERY(chapters, $c, $c.writer = $source.author).@count = 1", true),
    ("SQL('${source.Book.number} = 7') = YES", true), ("SQL('NULL') = 3", false),
    ("SUBQUERY(chapters, $c, ANY $c.book.chapters.pages > $c.pages).@count == 1", true),
  ]

  private static func fetch(
    _ entity: String,
    _ condition: String = "TRUEPREDICATE",
    _ countsOnly: String = "NO"
  ) -> String {
    let selector = "fetchRequestForSourceEntityNamed:predicateString:"
    return "FETCH(FUNCTION($manager, '\(selector)', '\(entity)', '\(condition)'), "
      + "$manager.sourceContext, \(countsOnly))"
  }

  @Test
  func `every expression has the value that Foundation gives it`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let projection = try ExpressionModel.create(connection)
      for (text, expected) in Self.values {
        var row = try ExpressionModel.row(projection)
        let query: SQLFragment
        do {
          query = "SELECT (\(try row.value(Expression(parsing: text)).sql))::text AS v"
        } catch {
          Issue.record("\(text): \(error)")
          continue
        }
        do {
          let result = try connection.query("\(query)\(ExpressionModel.origin)")
          #expect(result.first?["v"] == expected, "\(text): \(query)")
        } catch {
          Issue.record("\(text): \(query): \(error)")
        }
      }
    }
  }

  @Test
  func `every condition holds or does not, whatever is null`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let projection = try ExpressionModel.create(connection)
      for (text, holds) in Self.conditions {
        // The denial of a condition holds where the condition does not.
        for (text, holds) in [(text, holds), ("NOT (\(text))", !holds)] {
          do {
            var row = try ExpressionModel.row(projection)
            let condition = try row.condition(Predicate(parsing: text))
            let query: SQLFragment = """
              SELECT CASE WHEN \(condition) THEN 1 ELSE 0 END AS v\(ExpressionModel.origin)
              """
            let result = try connection.query(query)
            #expect(result.first?.integer("v") == (holds ? 1 : 0), "\(text): \(query)")
          } catch {
            Issue.record("\(text): \(error)")
          }
        }
      }
    }
  }

  @Test
  func `no function and no operator is forgotten`() {
    let texts = (Self.values.map(\.0) + Self.conditions.map(\.0)).joined(separator: "\n")
    for function in Expression.Function.allCases where function != .distance {
      let name = function.rawValue.prefix { $0 != ":" }
      #expect(texts.contains("\(function.rawValue)(") || texts.contains("\(name)("), "\(function)")
    }
    for accessor in Expression.Accessor.allCases {
      #expect(texts.contains("'\(accessor.rawValue)'"), "\(accessor)")
    }
    for comparator in Predicate.Comparator.allCases {
      #expect(texts.contains(comparator.rawValue), "\(comparator)")
    }
    for aggregate in KeyPathExpression.Aggregate.allCases {
      #expect(texts.contains(aggregate.rawValue), "\(aggregate)")
    }
  }
}
