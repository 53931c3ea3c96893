package import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `plan --format json` has written, read again.
package enum PlanFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - approvedBy: Who has approved it, as the caller says.
  /// - Returns: The plan that may run.
  /// - Throws: That the file cannot be read, is no plan, or is not as it was written.
  static func read(_ path: String, approvedBy: String?) throws(PlanFileError) -> ApprovedPlan {
    let bytes: [UInt8]
    do {
      bytes = try ModelFile.read(path)
    } catch {
      throw PlanFileError(.unreadable(error.diagnostic))
    }
    return try read(bytes, path: path, approvedBy: approvedBy)
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - path: The path that errors show.
  ///   - approvedBy: Who has approved it, as the caller says.
  /// - Returns: The plan that may run.
  /// - Throws: That it is no plan, or is not as it was written.
  package static func read(
    _ bytes: [UInt8],
    path: String,
    approvedBy: String? = nil
  ) throws(PlanFileError) -> ApprovedPlan {
    switch PlanSeal.isIntact(bytes) {
    case nil:
      let isOfMany = bytes.firstRange(of: Array("\n  \"plans\": ".utf8)) != nil
      let reason = isOfMany ? "It shows the plans of several stores." : "It has no key \"seal\"."
      throw PlanFileError(.invalid(path, reason: reason))
    case false: throw PlanFileError(.changed(path))
    case true: break
    }
    do {
      let document = try JSONDecoder().decode(PlanDocument.self, from: Data(bytes))
      return ApprovedPlan(
        digest: document.digest,
        approvedBy: approvedBy,
        record: try document.record
      )
    } catch let error as DecodingError {
      throw PlanFileError(.invalid(path, reason: Self.reason(of: error)))
    } catch {
      throw PlanFileError(.invalid(path, reason: "\(error)"))
    }
  }

  private static func reason(of error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    return switch error {
    case .keyNotFound(let key, let context):
      "\"\(place(context))\" has no key \"\(key.stringValue)\"."
    case .valueNotFound(_, let context): "\"\(place(context))\" has no value."
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "It is not JSON." : "\"\(place(context))\" is not what it has to be."
    @unknown default: "It is not JSON."
    }
  }
}

/// Why a plan file cannot be gone by.
package struct PlanFileError: DiagnosticError, Hashable {
  /// What is wrong with it.
  let fact: Fact

  enum Fact: Hashable, Sendable {
    /// The file cannot be had.
    case unreadable(Diagnostic)
    /// It is no plan.
    case invalid(String, reason: String)
    /// Somebody has changed it since it was written.
    case changed(String)
    /// It is another plan than the one whose digest is required.
    case otherDigest(String, digest: String, required: String)
    /// It was made by something else than the environment says.
    case otherSetting(String, variable: String)
  }

  init(_ fact: Fact) {
    self.fact = fact
  }

  package var diagnostics: [Diagnostic] {
    switch fact {
    case .unreadable(let diagnostic): [diagnostic]
    case .invalid(let path, let reason):
      [
        Diagnostic(
          "file \"\(path)\" is not a plan",
          detail: reason,
          hint: "Write one, for one store, with \"remodel plan --output FILE.json\"."
        )
      ]
    case .changed(let path):
      [
        Diagnostic(
          "plan file \"\(path)\" is not as it was written",
          detail: "Its content does not have the digest that stands in it.",
          hint: "Make the plan again, look at it, and give that file as it is."
        )
      ]
    case .otherDigest(let path, let digest, let required):
      [
        Diagnostic(
          "plan file \"\(path)\" is not the plan whose digest is required",
          detail: "Its digest is \(digest), and \(required) is required."
        )
      ]
    case .otherSetting(let path, let variable):
      [
        Diagnostic(
          "plan file \"\(path)\" was made by something else than \(variable) says",
          hint: "Make the plan with the same variables as it is to run with."
        )
      ]
    }
  }
}

/// The keys of a plan that say what may run; what is there for people only is not read.
private struct PlanDocument: Decodable {
  var formatVersion: FormatVersion
  var digest: String
  var source: String?
  var target: String
  var targetChecksum: String
  var steps: [Step]
  var tables: [String: Size]
  var settings: Settings
  var origin: Origin?

  enum FormatVersion: Int, Decodable {
    case one = 1
  }

  struct Step: Decodable {
    var target: String
    var digest: String
    var preconditions: [Question]
    var statements: [Statement]
  }

  struct Question: Decodable {
    var query: String
  }

  struct Statement: Decodable {
    var sql: String
  }

  struct Size: Decodable {
    var rows: Int
    var bytes: Int
    var indexBytes: Int
    var toastBytes: Int
  }

  struct Settings: Decodable {
    var model: String
    var version: String?
    var configuration: String?
    var schema: String
    var metadataSchema: String
    var intoSchema: String?
    var removals: String
    var direct: Bool
    var strategy: String
    var maxBlockMilliseconds: Int
  }

  struct Origin: Decodable {
    var systemIdentifier: String
    var database: String
    var serverMajor: Int
    var role: String
    // Files of older versions do not have it.
    var assumedRole: String?
    var time: String
  }

  var record: ApprovedPlan.Record {
    get throws {
      ApprovedPlan.Record(
        source: source,
        target: target,
        targetChecksum: targetChecksum,
        steps: steps.map { step in
          ApprovedPlan.Step(
            target: step.target,
            digest: step.digest,
            questions: step.preconditions.map(\.query),
            statements: step.statements.map(\.sql)
          )
        },
        settings: try planSettings,
        origin: origin.map { origin in
          PlanOrigin(
            systemIdentifier: origin.systemIdentifier,
            database: origin.database,
            serverMajor: origin.serverMajor,
            role: origin.role,
            assumedRole: origin.assumedRole,
            time: origin.time
          )
        },
        sizes: tables.mapValues {
          TableSize(
            rows: $0.rows,
            bytes: $0.bytes,
            indexBytes: $0.indexBytes,
            toastBytes: $0.toastBytes
          )
        }
      )
    }
  }

  private var planSettings: PlanSettings {
    get throws {
      PlanSettings(
        modelName: settings.model,
        version: settings.version,
        configurationName: settings.configuration,
        schema: SQLIdentifier(settings.schema),
        metadataSchema: SQLIdentifier(settings.metadataSchema),
        intoSchema: settings.intoSchema.map { SQLIdentifier($0) },
        removals: try word(settings.removals, "removals"),
        isDirect: settings.direct,
        strategy: settings.strategy == CopyOptions.automatic
          ? nil : try word(settings.strategy, "strategy"),
        maxBlock: .milliseconds(settings.maxBlockMilliseconds)
      )
    }
  }

  private func word<Word: RawRepresentable>(_ text: String, _ key: String) throws -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [Key(stringValue: "settings"), Key(stringValue: key)],
          debugDescription: text
        )
      )
    }
    return word
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
