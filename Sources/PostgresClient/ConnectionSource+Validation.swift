import CPostgreSQL
import Diagnostics

extension ConnectionSource {
  /// Checks that a URL is one that libpq reads, and reads as its author meant it.
  ///
  /// No complaint quotes the URL: a password with an unencoded `@`, `/` or `%` would be in the quote.
  ///
  /// - Throws: An error of the kind `malformedURL`.
  public func validate() throws(PostgresError) {
    guard case .url(let url) = settings else { return }
    guard !url.isEmpty else { throw .malformedURL(detail: "It is empty.") }
    guard !url.utf8.contains(0) else { throw .malformedURL(detail: "It contains a null byte.") }
    try checkForUnencodedCredentials(in: url)

    var complaint: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(url, &complaint)
    defer {
      PQconninfoFree(options)
      PQfreemem(complaint)
    }
    guard let options else {
      let words = complaint.map { String(cString: $0) } ?? ""
      throw Self.parseError(words: words, url: url)
    }
    for option in optionList(options) where option.name == "port" {
      guard let port = option.value, !port.isEmpty else { continue }
      guard port.utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) else {
        throw .malformedURL(detail: "Its port is not a number.", hint: encodingHint)
      }
    }
  }

  private func checkForUnencodedCredentials(in url: String) throws(PostgresError) {
    guard let scheme = url.firstRange(of: "://") else { return }
    let location = url[scheme.upperBound...].prefix { $0 != "?" }
    let authority = location.prefix { $0 != "/" }
    let path = location.dropFirst(authority.count)
    guard authority.count(where: { $0 == "@" }) <= 1, !path.contains("@") else {
      throw .malformedURL(
        detail: "It has an \"@\" other than the one before the host.",
        hint: encodingHint
      )
    }
  }

  private static func parseError(words: String, url: String) -> PostgresError {
    guard let parameter = unrecognizedParameter(in: words) else {
      return .malformedURL(detail: nil, hint: formHint)
    }
    let known = PQconndefaults()
    defer { PQconninfoFree(known) }
    let names = known.map { optionList($0).map(\.name) } ?? []
    if let likely = suggestion(for: parameter, among: names) {
      return .malformedURL(
        detail: "Its parameter \"\(parameter)\" is not one of libpq's.",
        hint: "Did you mean \"\(likely)\"?"
      )
    }
    // What follows the question mark is no part of a password if no "@" comes after it.
    let query = url.firstIndex(of: "?").map { url[$0...] }
    guard let query, url.contains("://"), !query.contains("@"), !query.contains("password") else {
      return .malformedURL(detail: "It has a parameter that is not one of libpq's.", hint: formHint)
    }
    return .malformedURL(detail: "Its parameter \"\(parameter)\" is not one of libpq's.", hint: nil)
  }

  private static func unrecognizedParameter(in words: String) -> String? {
    let openings = ["invalid URI query parameter: \"", "invalid connection option \""]
    guard let opening = openings.first(where: words.hasPrefix) else { return nil }
    return String(words.dropFirst(opening.count).prefix { $0 != "\"" })
  }
}

private let encodingHint =
  "Write the characters \"@\", \"/\", \":\", \"?\", \"#\" and \"%\" of a name or password as %40, %2F, %3A, %3F, %23 and %25."

private let formHint =
  "Write it as postgresql://user@host:port/database, or as host=… port=… dbname=… user=…."

func optionList(
  _ options: UnsafeMutablePointer<PQconninfoOption>
) -> [(name: String, value: String?)] {
  var list: [(name: String, value: String?)] = []
  var option = options
  while let keyword = option.pointee.keyword {
    list.append((String(cString: keyword), option.pointee.val.map { String(cString: $0) }))
    option += 1
  }
  return list
}
