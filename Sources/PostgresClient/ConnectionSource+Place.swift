import CPostgreSQL

extension ConnectionSource {
  /// What a database goes by among others: `host:port/database`, as far as the source says, without
  /// user and password.
  public var place: String {
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
    // A socket's folder says little, and a path would be taken for a part of the name.
    if server.hasPrefix("/") || server.hasPrefix("@") { server = "" }
    if let port = settings["port"], port != "5432" { server += ":\(port)" }
    return server.isEmpty ? database : "\(server)/\(database)"
  }
}
