import TestSupport
import Testing

@testable import MigrationPlanning

/// Signs of regular expressions before combining marks, which ICU and PostgreSQL both see.
@Suite
struct HiddenSignTests {
  @Test(arguments: HiddenSigns.marks)
  func `a regular expression is translated by code points`(mark: Unicode.Scalar) throws {
    #expect(throws: (any Error).self) { try RegularExpression("(\(mark)a") }
    #expect(throws: (any Error).self) { try RegularExpression("[\(mark)a") }
    #expect(throws: (any Error).self) { try RegularExpression("a\\") }
    #expect(try RegularExpression("[\(mark)a]").partPattern == "(?:[\(mark)a])")
    #expect(try RegularExpression("a.\(mark)").partPattern.unicodeScalars.contains("["))
    #expect(try RegularExpression("e\(mark)+").partPattern == "(?:e\(mark)+)")
    #expect(RegularExpression.replacement("$1\(mark)") == "\\1\(mark)")
    #expect(RegularExpression.replacement("\\$\(mark)") == "$\(mark)")
  }
}
