import Diagnostics
import ModelLoading
import ModelMapping
import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whatever edits a draft has had, its tables are those of a fresh database of its last text, and
/// the rows are there.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DraftLawTests {
  /// `REMODEL_CASES` gives the number of drafts, `REMODEL_SEED` the first one.
  @Test(.sampled(oneIn: 3))
  func `every text of a draft is as a fresh one`() async throws {
    let first = RandomCases.firstSeed
    var tally = DraftTally()
    for seed in first..<first + UInt64(RandomCases.count(orElse: 3)) {
      do {
        try await DraftTrial(seed: seed).run(&tally)
      } catch {
        tally.faults.append("seed \(seed): \(error)")
      }
    }
    print(tally)
    #expect(tally.faults == [])
    #expect(tally.edits > 0)
  }
}

private struct DraftTally: CustomStringConvertible {
  var edits = 0
  var returns = 0
  var refused: [String: Int] = [:]
  var faults: [String] = []

  var description: String {
    "\(edits) edits, \(returns) of them back to an earlier text\n"
      + refused.sorted { $0.key < $1.key }.map { "  \($0.value) x \($0.key)\n" }.joined()
      + faults.map { "  FAULT \($0)\n" }.joined()
  }
}

/// A version that is edited while a database follows it.
private struct DraftTrial {
  private let seed: UInt64
  private let base: ManagedObjectModel

  init(seed: UInt64) {
    self.seed = seed
    var generator = ModelGenerator(seed: seed, hasComposites: seed.isMultiple(of: 3))
    base = generator.model()
  }

  func run(_ tally: inout DraftTally) async throws {
    var copy = tally
    let text = try ModelForm.yaml.text(of: base, named: "1")
    try await withBundle([text]) { bundle in
      try await TestServer.withDatabase { url in
        try await follow(url, bundle, &copy)
      }
    }
    tally = copy
  }

  private func follow(_ url: String, _ bundle: String, _ tally: inout DraftTally) async throws {
    var configuration = RemodelConfiguration(modelsPath: bundle)
    _ = try await Remodel(configuration).migrate(.url(url))
    _ = try await Remodel(configuration).mark(.url(url), asDevelopment: true)
    try fill(base, url)
    configuration.isDraft = true
    let remodel = Remodel(configuration)
    var random = SeededGenerator(seed: seed &+ 7)
    var generator = ModelGenerator(seed: seed &+ 500_000)
    // The names of the base are not to be given out again.
    _ = generator.model()
    var texts = [base]
    var edits = 0
    while edits < 5 {
      edits += 1
      guard let last = texts.last else { return }
      let isReturn = texts.count > 3 && random.once(in: 3)
      var refused = 0
      let next =
        isReturn
        ? random.pick(Array(texts.dropFirst().dropLast()))
        : generator.inferredEdit(of: last, refused: &refused)?.model
      guard let next, let mapping = try? CompleteMapping(from: last, to: next) else { continue }
      let path = "\(bundle)/2.yaml"
      let former = try? String(contentsOfFile: path, encoding: .utf8)
      let text = try ModelForm.yaml.text(of: next, named: "2")
      try Data(text.utf8).write(to: URL(filePath: path))
      do {
        try await take(remodel, url, mapping.mappingModel, (last, next), isReturn, edits, &tally)
        texts.append(next)
        tally.edits += 1
        if isReturn { tally.returns += 1 }
      } catch let error as any DiagnosticError where Self.isOfRows(error) {
        tally.refused[Self.words(error), default: 0] += 1
        if let former {
          try Data(former.utf8).write(to: URL(filePath: path))
        } else {
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }
  }

  /// Migrates to an edited text, and compares.
  private func take(
    _ remodel: Remodel,
    _ url: String,
    _ mapping: MappingModel,
    _ models: (before: ManagedObjectModel, after: ManagedObjectModel),
    _ isReturn: Bool,
    _ edit: Int,
    _ tally: inout DraftTally
  ) async throws {
    let place = "seed \(seed), edit \(edit)\(isReturn ? " back" : "")"
    let kept = KeptRows(
      mapping,
      try PlannedVersion(models.before, in: "public"),
      try PlannedVersion(models.after, in: "public")
    )
    let before = try contents(of: kept, isMigrated: false, url)
    _ = try await remodel.migrate(.url(url))
    let after = try contents(of: kept, isMigrated: true, url)
    tally.faults += kept.differences(before, after, isReturn: isReturn).map { "\(place): \($0)" }
    let fresh = try await TestServer.withDatabase { fresh in
      var configuration = remodel.configuration
      configuration.isDraft = false
      _ = try await Remodel(configuration).migrate(.url(fresh))
      return try CatalogSnapshot(ofStoreAt: fresh)
    }
    tally.faults += try CatalogSnapshot(ofStoreAt: url).difference(to: fresh).map {
      "\(place): \($0)"
    }
    let drift = try await remodel.verify(.url(url))
    if !drift.isClean { tally.faults.append("\(place): drift") }
    let again = try await remodel.migrate(.url(url))
    if again.outcome != .unchanged { tally.faults.append("\(place): it is not at the target") }
  }

  private func contents(
    of kept: KeptRows,
    isMigrated: Bool,
    _ url: String
  ) throws -> KeptRows.Contents {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try kept.contents(isMigrated: isMigrated, connection)
  }

  private func fill(_ model: ManagedObjectModel, _ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    var filler = RowFiller(try ModelProjection(model, schema: "public"), seed: seed)
    try filler.fill(connection)
  }

  /// The rows may forbid an edit, and a text may need a mapping model.
  private static func isOfRows(_ error: any DiagnosticError) -> Bool {
    if let error = error as? ExecutionError, case .preconditionsViolated = error.fact {
      return true
    }
    if let error = error as? RemodelError, case .noMapping = error.fact { return true }
    return false
  }

  /// What an error says without names, by which errors are counted.
  private static func words(_ error: any DiagnosticError) -> String {
    var words = ""
    var isQuoted = false
    for character in error.description {
      if character == "\"" { isQuoted.toggle() }
      if character == "\"" || !isQuoted { words.append(character) }
    }
    return words.split(separator: "\n").prefix(2).joined(separator: " / ")
  }
}
