package import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the output of `plan --format json`.
package enum PlanFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - approvedBy: The approver, from the caller.
  /// - Returns: The plan that may run.
  /// - Throws: An error if the file cannot be read, is not a plan, or was changed.
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
  ///   - approvedBy: The approver, from the caller.
  /// - Returns: The plan that may run.
  /// - Throws: An error if it is not a plan, or was changed.
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
        record: document.record
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
        ? "It is not JSON." : "\"\(place(context))\" has an unexpected value."
    @unknown default: "It is not JSON."
    }
  }
}

/// The reason why a plan file cannot be used.
package struct PlanFileError: DiagnosticError, Hashable {
  /// The fault.
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
    /// A variable of the environment contradicts its settings.
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
          advice: """
            Write one, for one store, with \
            \(CommandCall("plan", options: ["--output", "FILE.json"])).
            """
        )
      ]
    case .changed(let path):
      [
        Diagnostic(
          "plan file \"\(path)\" was changed after it was written",
          detail: "The digest in the file is not that of its contents.",
          hint: "Create the plan again, review it, and pass the new file unchanged."
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
          "plan file \"\(path)\" has other settings than \(variable)",
          hint: "Unset \(variable), or create the plan with its present value."
        )
      ]
    }
  }
}

/// The keys of a plan that decide what may run; those for people are not read.
private struct PlanDocument: Decodable {
  let digest: String
  let record: ApprovedPlan.Record

  private enum CodingKeys: CodingKey {
    case formatVersion, digest
  }

  private enum FormatVersion: Int, Decodable {
    case one = 1
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.decode(FormatVersion.self, forKey: .formatVersion)
    digest = try container.decode(String.self, forKey: .digest)
    record = try ApprovedPlan.Record(from: decoder)
  }
}
