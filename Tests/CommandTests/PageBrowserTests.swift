import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.serialized, .timeLimit(.minutes(30)))
struct PageBrowserTests {
  @Test(
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    arguments: RandomCases.one(
      in: 2,
      of: RandomCases.pairs(["changes", "large", "wide", "hostile"], [false, true])
    )
  )
  func `nothing overflows, overlaps or pales at any width`(name: String, isDark: Bool) async throws
  {
    let page = try await Self.page(named: name)

    let complaints = try await Browser.complaints(about: page, isDark: isDark)

    #expect(complaints == [])
  }

  @Test(.enabled(if: Browser.name != nil, "no Chromium is on the PATH"))
  func `the check finds what is wrong`() async throws {
    let page = """
      <html><head><style>body{color:#999;background:#fff;margin:0}</style></head><body>\
      <div style="width:900px">wide</div><svg class="diagram"><g class="row">\
      <text x="0" y="10">long long</text><text x="5" y="10">over</text></g></svg>\
      <h1 style="margin-top:2000px">far below</h1><img src="data:,">\
      <script>console.log(1)</script></body></html>
      """

    let complaints = try await Browser.complaints(about: page, isDark: false)

    let kinds = ["wider", "contrast", "overlaps", "script", "below the first screen"]
    for kind in kinds + (Browser.axe == nil ? [] : ["axe: image-alt"]) {
      #expect(complaints.contains { $0.contains(kind) }, "\(kind): \(complaints)")
    }
  }

  @Test(
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    .enabled(if: Browser.axe != nil, "no axe-core: Tests/install-dependencies.sh installs it")
  )
  func `axe-core finds nothing in a page with everything`() async throws {
    let page = try await Self.page(named: "lossy")

    #expect(try await Browser.complaints(about: page, isDark: false) == [])
  }

  @Test(
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    arguments: RandomCases.one(in: 2, of: PagePicture.Window.allCases),
    [false, true]
  )
  func `a page looks as it did`(window: PagePicture.Window, isDark: Bool) async throws {
    let page = try await Self.page(named: "lossy")

    let picture = try await PagePicture(of: page, window, isDark: isDark)

    try await picture.expectGolden(named: "\(window)-\(isDark ? "dark" : "light").png")
  }

  @Test(.sampled(oneIn: 3), .enabled(if: Browser.name != nil, "no Chromium is on the PATH"))
  func `a lost section and a wrong colour are seen`() async throws {
    let page = try await Self.page(named: "lossy")
    let start = try #require(page.range(of: "<section id=\"changes\""))
    let end = try #require(
      page.range(of: "<section id=\"waits\"", in: start.lowerBound..<page.endIndex)
    )
    let cut = String(page[..<start.lowerBound] + page[end.lowerBound...])
    let green = page.replacing("class=\"verdict stop\"", with: "class=\"verdict fine\"")
    let whole = try await PagePicture(of: page, .laptop, isDark: false)

    let again = try await PagePicture(of: page, .laptop, isDark: false)
    let less = try await PagePicture(of: cut, .laptop, isDark: false)
    let other = try await PagePicture(of: green, .laptop, isDark: false)

    #expect(try await whole.difference(from: again) == nil)
    #expect(try await whole.difference(from: less) != nil)
    #expect(try await whole.difference(from: other) != nil)
  }

  private static func page(named name: String) async throws -> String {
    switch name {
    case "large":
      let entities = (0..<30).map { index in
        let next = "{ to: Entity\((index * 7 + 1) % 30) }"
        return "  Entity\(index):\n    attributes: { name: string, note\(index): \"string?\" }\n"
          + "    relationships: { next: \(next) }\n"
      }
      let first = "remodel: 1\nentities:\n\(entities.joined())"
      let second = entities.enumerated()
        .map { $0 % 3 == 0 ? $1 : $1.replacing("name: string", with: "name: \"string?\"") }
      return try await PlanPageTests.page(first, "remodel: 1\nentities:\n\(second.joined())")
    case "lossy":
      return try await PlanPageTests.page(
        """
        remodel: 1
        entities:
          Customer:
            attributes: { name: string, email: string, fax: "string?", state: "enum(new, lost)" }
            relationships: { orders: { toMany: Order, inverse: customer } }
          Order:
            attributes: { placed: timestamp, total: "integer32?" }
            relationships: { customer: { to: Customer, inverse: orders } }
        """,
        """
        remodel: 1
        entities:
          Customer:
            attributes:
              name: string
              mail: { type: string, renamingIdentifier: email }
              state: "enum(new, old)"
            relationships: { orders: { toMany: Order, inverse: customer } }
          Order:
            attributes: { placed: timestamp, total: integer64 }
            relationships: { customer: { to: Customer, inverse: orders } }
        """,
        options: ["--removals", "drop"]
      )
    case "wide":
      let name = String(repeating: "Wide", count: 12)
      func version(_ type: String) -> String {
        """
        remodel: 1
        entities:
          \(name):
            attributes: { \(name)Attribute: \(type), WWWWWWWWWWWWWWWWWWWWWWWW: "string?", 日本語日本語日本語: uuid }
            relationships: { \(name)Other: { to: Other, inverse: back } }
          Other:
            attributes: { iiiiiiiiiiiiiiiiiiiiiiiiii: "numeric(1000,900)?" }
            relationships: { back: { toMany: \(name), inverse: \(name)Other } }
        """
      }
      return try await PlanPageTests.page(version("integer32"), version("integer64"))
    case "hostile":
      func version(_ type: String) -> String {
        """
        remodel: 1
        entities:
          "<script>document.title=1</script>":
            attributes: { "\\" onload=\\"document.title=1": \(type), "</style><img src=x>": string }
        """
      }
      return try await PlanPageTests.page(version("integer32"), version("integer64"))
    default:
      return try await PlanPageTests.page(Version.first, Version.withAuthor)
    }
  }
}
