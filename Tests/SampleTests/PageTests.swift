import RemodelKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The readme and the catalogue as sessions: the commands are run, the files are written, the outputs compared.
///
/// `RECORD_GOLDEN=1` writes the outputs into the pages, and fails.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct PageTests {
  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    .enabled("the pages show what version 15 does") { try await TestServer.isOfPages() },
    arguments: RandomCases.one(in: 2, of: try DocumentationPage.all())
  )
  func `a page is what the tool prints`(page: DocumentationPage) async throws {
    guard page.blocks.contains(where: { ["console", "sh", "sql"].contains($0.language) }) else {
      return
    }
    try await TestServer.withDatabase { url in
      let lines = try await PageSession.recorded(page, url)

      if lines != page.lines { expectGolden(lines.joined(separator: "\n"), at: page.url) }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `the page on metadata has all tables, and all columns of views`() async throws {
    let page = try Repository.text("\(DocumentationPage.catalogue)/Metadata.md")
    try await TestServer.withDatabase { url in
      _ = try await Sample.remodel.migrate(.url(url), to: "1")
      let names = try await Sample.rows(
        """
        SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'remodel'::regnamespace AND c.relkind IN ('r', 'v')
        UNION SELECT a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'remodel'::regnamespace AND c.relkind = 'v' AND a.attnum > 0
        """,
        in: url
      )

      #expect(names.count > 40)
      #expect(names.filter { !page.contains("`\($0)`") } == [])
    }
  }

  @Test
  func `what is never the same is not compared`() {
    let written =
      "2  migration  2026-11-22T02:24:54.894Z  54 ms    1     postgres  sha256:5522290271f1"
    let printed = "2  migration  2027-01-02T03:04:05.006Z  1.25 s  1     postgres  sha256:0000"
    let other = "2  migration  2027-01-02T03:04:05.006Z  1.25 s  1     app       sha256:0000"

    #expect(PageOutput.normalized(written) == PageOutput.normalized(printed))
    #expect(PageOutput.normalized(written) != PageOutput.normalized(other))
    #expect(PageOutput.normalized("  a") != PageOutput.normalized("a"))
  }

  @Test
  func `a block shows the file that the line before it names`() {
    let lines = ["This is `a/1.yaml`:", "", "```yaml", "x: 1", "```", "", "```sh", "b", "```"]
    let page = DocumentationPage(path: "Page.md", lines: lines)

    #expect(page.blocks.map(\.file) == ["a/1.yaml", nil])
    #expect(page.blocks.map(\.language) == ["yaml", "sh"])
    #expect(page.blocks.map(\.text) == ["x: 1\n", "b\n"])
  }
}

extension DocumentationPage {
  fileprivate var url: URL { Repository.root.appending(path: path) }
}
