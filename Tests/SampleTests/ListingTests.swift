import TestSupport
import Testing

/// Listings in the documentation are pieces of what tests compile and run.
@Suite
struct ListingTests {
  private static let files = [
    "Tests/ExampleServer/ExampleServer.swift",
    "Tests/RemodelKitTests/Embedding/MergedBundleTests.swift",
    "Tests/RemodelKitTests/Embedding/ModelValueTests.swift",
    "Tests/RemodelKitTests/Embedding/RegisteredPolicyTests.swift",
    "Tests/RemodelKitTests/Targets/RepeatedTargetsTests.swift",
    "Tests/SampleTests/LibraryMigration.swift",
    "Tests/RemodelTestingTests/LibraryMigrationTests.swift",
  ]

  @Test(arguments: ["Embedding.md", "RemodelKit.md", "Tenants.md", "TestingMigrations.md"])
  func `a listing is a piece of a test`(page: String) throws {
    let sources = try Self.files.map { text(of: try Repository.text($0)) }
    let listings = try DocumentationPage.named("\(DocumentationPage.catalogue)/\(page)").blocks
      .filter { $0.language == "swift" }

    #expect(!listings.isEmpty)
    for listing in listings {
      let text = text(of: listing.lines.joined(separator: "\n"))
      #expect(sources.contains { $0.contains(text) }, "\(page):\(listing.start)")
    }
  }

  /// Returns the lines without their indentation.
  private func text(of text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }
}
