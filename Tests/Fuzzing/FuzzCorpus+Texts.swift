/// Texts that are in no file of their own.
extension FuzzCorpus {
  static func texts(of reader: FuzzedReader) -> [String] {
    switch reader {
    case .expression: expressions
    case .predicate: predicates
    case .sqlTemplate: templates
    case .versionOrder: orders
    case .xcodeModel, .yamlModel, .currentVersion, .yamlMapping, .xcodeMapping, .plan,
      .modelArchive:
      []
    }
  }

  private static let expressions = [
    "$source.name", "$source.author.name", "uppercase:($source.title)", "1 + 2 * 3 ** -x",
    "a[LAST].b.c", "x[FIRST]", "x[SIZE] - x[a + 1]", "SUBQUERY(a, $b, $b.c > 1).@count",
    "TERNARY(a > 1 OR b = 2, 'x', nil)", "CAST(0, \"NSDate\")", "FUNCTION(x, \"intValue\")",
    "{1, 2, {3}}", "lookup(\"Book\", $source.id, 2)", "SQL(\"a + ${source.A.b}\")", "random()",
    "FUNCTION($source, 'valueForKeyPath:', 'b.@sum.c')", "add:to:(1, 2)", "a.@avg.b",
    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'M', $source.x)",
    "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'A', 'b = 1'), "
      + "$manager.sourceContext, NO)",
    "0x10 + 0o17 - 0b101 * 1e-3", "1e400", "-9223372036854775808", "12345678901234567890.5",
    "#first.größe", "FUNCTION($entityPolicy, 'go:with:', 1, 2)", "'a\\nb\\'c'",
    "substring(a, 1, 2)",
    "sum(1, 2) / max({a, b})", "chapters.@distinctUnionOfObjects.b.@count", "coalesce(a, b, 'c')",
  ]

  private static let predicates = [
    "a == 1 AND b == 2 OR NOT c == 3", "a BEGINSWITH[cd] 'x' && !(b ENDSWITH 'y')",
    "ANY a.b > 1 or some a.b > 2", "NONE a.b IN {1} AND ALL c = nil", "a BETWEEN {1, b}",
    "name LIKE[c] 'a*b?'", "name MATCHES '[A-Z]+'", "a CONTAINS 'b' || TRUEPREDICATE",
    "SUBQUERY(items, $i, $i.price > 1 AND $i.n < 3).@count > 2", "#in IN {yes, NO, null}",
    "((a)) = (1 + 2) * 3", "a => 1e3 and a =< 1.50", "SELF.a.first == $x.y AND SELF == $x",
    "TERNARY(a > 1, b = 2, 3) = c", "a == SQL('x ${source.A}')", "FALSEPREDICATE",
    "a != \"quoted \\\" text\"", "length:(name) > 3", "kind == 'x' AND (size > 3 OR size == NULL)",
    "ANYKEY == 1", "a UNION b == c", "title == $FETCH_SOURCE.title",
  ]

  private static let templates = [
    "UPDATE ${source.Person} SET ${source.Person.home} = 'x'", "${map.BookToPage}", "${chunk}",
    "INSERT INTO ${destination.Tag.people} (\"a\") SELECT $$${chunk}$$", "SELECT '${' || '}'",
    "-- ${source.A}\nDELETE FROM ${destination.A}; /* ${ */",
  ]

  private static let orders = ["1\n2\n3\n", "# the order\n* 2\n1\n3\n", "3\n\n* 1 # current\n2"]
}
