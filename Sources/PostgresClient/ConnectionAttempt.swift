import CPostgreSQL

/// The way to an open connection: the settings that are ours, one attempt, and further ones.
struct ConnectionAttempt {
  let source: ConnectionSource
  let notices: NoticeReceiver

  /// Connects, and tries again for a while if the server does not accept connections yet.
  func connect(wait: Duration) throws(PostgresError) -> OpaquePointer {
    try source.validate()
    let clock = ContinuousClock()
    let deadline = clock.now + wait
    var pause = 50
    while true {
      do {
        return try connect()
      } catch {
        let rest = deadline - clock.now
        guard error.isServerNotReady, rest > .zero, !Task.isCancelled else { throw error }
        // Jitter keeps many replicas that start together from knocking together.
        let jittered = Int.random(in: (pause / 2)...pause)
        remodel_pause(Int32(min(jittered, max(1, rest.milliseconds))))
        pause = min(pause * 2, 2_000)
      }
    }
  }

  private func connect() throws(PostgresError) -> OpaquePointer {
    guard let handle = start() else { throw PostgresError(.connection, "out of memory") }
    // Before the first answer: notices at the start must not go to standard error either.
    notices.install(on: handle)
    // Verbose errors have the SQLSTATE in them, which libpq gives in no other way
    // for errors that belong to no statement.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    guard PQstatus(handle) != CONNECTION_BAD else {
      defer { PQfinish(handle) }
      throw PostgresError.connectionStart(handle, source)
    }
    do {
      try complete(handle)
    } catch {
      PQfinish(handle)
      throw error
    }
    return handle
  }

  private func complete(_ handle: OpaquePointer) throws(PostgresError) {
    let clock = ContinuousClock()
    let limit = timeLimit(of: handle)
    let deadline = limit.map { clock.now + .seconds($0) }
    var status = PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard status != PGRES_POLLING_FAILED else {
        throw PostgresError.connectionFailure(handle, source)
      }
      let rest = deadline.map { ($0 - clock.now).milliseconds } ?? 1_000
      guard !Task.isCancelled else {
        throw PostgresError(.connection, "could not connect to the server: interrupted")
      }
      guard rest > 0 else {
        throw PostgresError(
          .connection,
          "could not connect to the server: timeout of \(limit ?? 0) s expired"
        )
      }
      let isWriting: Int32 = status == PGRES_POLLING_WRITING ? 1 : 0
      let ready = remodel_wait_for_socket(PQsocket(handle), isWriting, Int32(min(rest, 1_000)))
      if ready != 0 { status = PQconnectPoll(handle) }
    }
  }

  private func start() -> OpaquePointer? {
    let parameters = parameters
    return withCStrings(parameters.map(\.name)) { names in
      withCStrings(parameters.map(\.value)) { values in
        PQconnectStartParams(names, values, 1)
      }
    }
  }

  /// The settings in libpq's order of precedence: of a name that occurs twice the later value wins.
  private var parameters: [(name: String, value: String)] {
    let defaults = [
      ("keepalives", "1"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
    ]
    // The user's name of the application is for the audit log; the session gets Remodel's name at
    // once.
    let ours = [("fallback_application_name", "remodel"), ("client_encoding", "UTF8")]
    return switch source.settings {
    case .url(let url): defaults + [("dbname", url)] + ours
    case .environment: defaults + ours
    }
  }

  /// The time limit in seconds for all hosts together; `nil` if the user set it to 0, no limit.
  private func timeLimit(of handle: OpaquePointer) -> Int? {
    let setting = connectionOption("connect_timeout", of: handle).flatMap(Int.init) ?? 10
    guard setting > 0 else { return nil }
    let hosts = connectionOption("host", of: handle) ?? ""
    return max(2, setting) * (1 + hosts.count { $0 == "," })
  }
}

extension Duration {
  /// The duration in whole milliseconds.
  fileprivate var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

func connectionOption(_ name: String, of handle: OpaquePointer) -> String? {
  let options = PQconninfo(handle)
  defer { PQconninfoFree(options) }
  guard var option = options else { return nil }
  while let keyword = option.pointee.keyword {
    if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
    option += 1
  }
  return nil
}
