import CPostgreSQL
import Diagnostics
public import SQLSyntax

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The settings of a connection, and the role of its sessions.
public struct ConnectionSource: Hashable, Sendable {
  enum Settings: Hashable, Sendable {
    case url(String)
    case environment
  }

  let settings: Settings

  /// The role that every session takes on after its login, by `SET ROLE`; that of the login if there
  /// is none.
  public var role: SQLIdentifier?

  /// A connection URL (`postgresql://user@host:port/database`) or a connection string
  /// (`host=… dbname=…`).
  public static func url(_ url: String) -> ConnectionSource {
    ConnectionSource(settings: .url(url))
  }

  /// libpq's own: the `PG*` variables, the service file, the password file.
  public static let environment = ConnectionSource(settings: .environment)

  private init(settings: Settings) {
    self.settings = settings
  }

  /// Returns the same source for sessions that take on a role after their login.
  ///
  /// - Parameter role: The role; that of the login if it is `nil`.
  /// - Returns: The source.
  public func assuming(_ role: SQLIdentifier?) -> ConnectionSource {
    var source = self
    source.role = role
    return source
  }
}

extension ConnectionSource {
  /// A Boolean value that indicates whether the host may be a mistyped secret: the URL has neither
  /// a user nor a database.
  var mayBeSecret: Bool {
    guard case .url(let url) = settings,
      let scheme = url.unicodeScalars.firstRange(of: "://".unicodeScalars)
    else { return false }
    let location = url.unicodeScalars[scheme.upperBound...].prefix { $0 != "?" }
    return !location.contains("@") && location.split(separator: "/").count < 2
  }
}

// A URL may contain a password, so it is not part of the description.
extension ConnectionSource: CustomStringConvertible, CustomDebugStringConvertible {
  /// The kind of source, without the URL.
  public var description: String {
    switch settings {
    case .url: "connection URL"
    case .environment: "environment"
    }
  }

  /// The same as the description.
  public var debugDescription: String { description }
}

extension ConnectionSource {
  /// The name of the database in messages: `host:port/database`, as far as the source has it,
  /// without user and password.
  package var place: String {
    guard case .url(let url) = settings else { return "environment" }
    let options = PQconninfoParse(url, nil)
    defer { PQconninfoFree(options) }
    guard let options else { return description }
    let settings = optionList(options).reduce(into: [String: String]()) { settings, option in
      if let value = option.value, !value.isEmpty { settings[option.name] = value }
    }
    let database =
      settings["dbname"] ?? settings["service"] ?? settings["user"] ?? "default"
    var server = settings["host"] ?? settings["hostaddr"] ?? ""
    // A socket's folder is not informative, and a path would be read as a part of the name.
    if server.hasPrefix("/") || server.hasPrefix("@") { server = "" }
    if let port = settings["port"], port != "5432" { server += ":\(port)" }
    return server.isEmpty ? database : "\(server)/\(database)"
  }
}

extension ConnectionSource {
  /// Returns the URL or the connection string with further settings.
  ///
  /// - Parameters:
  ///   - added: Options of the session, as `PGOPTIONS` takes them, after those that it has.
  ///   - mark: What stands at the end of the application's name.
  /// - Returns: The text, secrets included; of the environment, a URL that leaves the rest to it.
  public func text(withOptions added: String, applicationMark mark: String) -> String {
    let url: String
    switch settings {
    case .url(let text): url = text
    case .environment: url = "postgresql://"
    }
    let parsed = PQconninfoParse(url, nil)
    defer { PQconninfoFree(parsed) }
    let own = parsed.map { optionList($0) } ?? []
    // Of two values of a setting, libpq takes the last one.
    let settings = [("options", "PGOPTIONS", added), ("application_name", "PGAPPNAME", mark)].map {
      name,
      variable,
      text in
      // What a URL has is taken in place of the environment's.
      let former =
        own.first { $0.name == name }?.value ?? getenv(variable).map { String(cString: $0) } ?? ""
      return (name: name, value: former.isEmpty ? text : "\(former) \(text)")
    }
    guard url.hasScalars("://") else {
      return settings.reduce(url) { text, setting in
        let value = setting.value.replacingScalars("\\", with: "\\\\").replacingScalars(
          "'",
          with: "\\'"
        )
        return "\(text) \(setting.name)='\(value)'"
      }
    }
    return settings.reduce(url) { text, setting in
      text + (text.hasScalars("?") ? "&" : "?")
        + "\(setting.name)=\(Self.percentEncoded(setting.value))"
    }
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { encoded, byte in
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-_.".unicodeScalars.contains(scalar)
      {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += "%"
        encoded.append(digits[Int(byte >> 4)])
        encoded.append(digits[Int(byte & 15)])
      }
    }
  }
}

extension ConnectionSource {
  /// The URL or the connection string without secrets, as it was given where it has none; `nil` if there is
  /// no text, or libpq does not read it.
  package var textWithoutSecrets: String? {
    guard case .url(let url) = settings, let options = PQconninfoParse(url, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var hasSecrets = false
    var parts: [String] = []
    var option = options
    while let keyword = option.pointee.keyword {
      defer { option += 1 }
      guard let value = option.pointee.val else { continue }
      let name = String(cString: keyword)
      // libpq marks what a form should not show.
      let mark = option.pointee.dispchar.map { String(cString: $0) }
      guard mark != "*", !name.hasPrefix("scram_") else {
        hasSecrets = true
        continue
      }
      let text = String(cString: value).replacingScalars("\\", with: "\\\\")
        .replacingScalars("'", with: "\\'")
      let isPlain = text.utf8.allSatisfy { byte in
        byte >= 0x80 || (byte > 0x20 && byte != 0x27 && byte != 0x5C && byte != 0x7F)
      }
      parts.append(isPlain && !text.isEmpty ? "\(name)=\(text)" : "\(name)='\(text)'")
    }
    return hasSecrets ? parts.joined(separator: " ") : url
  }
}

extension ConnectionSource {
  /// Checks that a URL is one that libpq reads, and reads as its author meant it.
  ///
  /// No complaint quotes the URL: a password with an unencoded `@`, `/` or `%` would be in the quote.
  ///
  /// - Throws: An error of the kind `malformedURL`.
  package func validate() throws(PostgresError) {
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
    let url = url.unicodeScalars
    guard let scheme = url.firstRange(of: "://".unicodeScalars) else { return }
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
    // The query is not part of a password if it contains no "@".
    let query = url.unicodeScalars.firstIndex(of: "?").map { Substring(url.unicodeScalars[$0...]) }
    guard let query, url.hasScalars("://"), !query.hasScalars("@"), !query.hasScalars("password")
    else {
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
