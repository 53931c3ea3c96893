import CPostgreSQL

extension PostgresConnection {
  /// The variables with which PostgreSQL's own programs connect to the same server as this connection,
  /// the password among them: for the environment of a process, and nothing else.
  ///
  /// The empty value of a variable says that it has to be absent.
  package var environment: [String: String?] {
    // What the service file says is resolved already.
    var variables: [String: String?] = ["PGSERVICE": nil, "PGSERVICEFILE": nil]
    let options = PQconninfo(handle)
    defer { PQconninfoFree(options) }
    guard var option = options else { return variables }
    while let keyword = option.pointee.keyword {
      let name = option.pointee.envvar.map { String(cString: $0) }
      if let name, String(cString: keyword) != "service" {
        variables[name] = option.pointee.val.map { String(cString: $0) }
      }
      option += 1
    }
    // Of several hosts the one that has answered.
    variables["PGHOST"] = PQhost(handle).map { String(cString: $0) }
    variables["PGPORT"] = PQport(handle).map { String(cString: $0) }
    if let addresses = variables["PGHOSTADDR"], addresses?.contains(",") == true {
      variables["PGHOSTADDR"] = PQhostaddr(handle).map { String(cString: $0) }
    }
    return variables
  }
}
