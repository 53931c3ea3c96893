import RemodelKit
import Testing

@Suite
struct SchemaPatternTests {
  @Test(arguments: [
    ("tenant_*", "tenant_1", true), ("tenant_*", "tenant_", true), ("tenant_*", "tenant", false),
    ("tenant_*", "my_tenant_1", false), ("*", "", true), ("*", "any", true), ("", "", true),
    ("", "a", false), ("t?", "t1", true), ("t?", "t", false), ("t?", "t12", false),
    ("*_eu", "shop_eu", true), ("*_eu", "eu_eu_eu", true), ("*_eu", "shop_eu_", false),
    ("a*b*c", "a1b2bc", true), ("a*b*c", "a1c2b", false), ("**", "a", true), ("*?", "", false),
    ("Tenant", "tenant", false), ("[ab]", "a", false), ("t.1", "tx1", false), ("?", "é", true),
    ("a*\u{301}", "ab\u{301}", true), ("*\u{301}", "a", false), ("\u{E9}", "e\u{301}", false),
  ])
  func `names are matched as shells do`(pattern: String, name: String, isMatch: Bool) {
    #expect(SchemaPattern(pattern).matches(name) == isMatch)
  }

  @Test
  func `a long name with many stars ends at once`() {
    let pattern = SchemaPattern(String(repeating: "a*", count: 30) + "b")

    #expect(!pattern.matches(String(repeating: "a", count: 63)))
  }

  @Test
  func `a name is distinguished from a pattern`() {
    #expect(SchemaPattern("tenant_1").isName)
    #expect(!SchemaPattern("tenant_*").isName)
    #expect(!SchemaPattern("tenant_?").isName)
    #expect(!SchemaPattern("tenant_*\u{301}").isName)
  }
}
