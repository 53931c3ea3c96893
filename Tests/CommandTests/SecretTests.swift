import Testing

/// Passwords in places where no URL belongs.
@Suite
struct SecretTests {
  @Test(arguments: [
    ["check", "postgresql://pw:Sekret_77x@127.0.0.1:1/x"],
    ["migrate", "--models", "postgresql://pw:Sekret_77x@h/db", "--scratch"],
    ["migrate", "--lock-timeout", "postgresql://pw:Sekret_77x@h/db", "--scratch"],
  ])
  func `a password is shown nowhere`(arguments: [String]) async throws {
    for form in ["text", "json"] {
      let outcome = try await Tool.run(arguments + ["--format", form])

      #expect(outcome.status == 64)
      #expect(!(outcome.output + outcome.error).contains("Sekret_77x"))
    }
  }

  @Test
  func `a password in place of a file's path or of a URL is not shown`() async throws {
    let file = try await Tool.run(
      ["check", "--database", "postgresql:///x"],
      environment: ["PGPASSWORD_FILE": "Sekret_77x"]
    )
    #expect(file.status == 64)
    #expect(file.error.contains("PGPASSWORD_FILE"), "\(file)")
    #expect(!(file.output + file.error).contains("Sekret_77x"))

    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        ["check", "--database", "postgresql://Sekret_77x", "--models", folder]
      )
      #expect(outcome.status == 6)
      #expect(!(outcome.output + outcome.error).contains("Sekret_77x"), "\(outcome)")
    }
  }

  @Test
  func `tables and metadata are in schemas of their own`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        "check",
        "--models",
        folder,
        "--database",
        "postgresql://127.0.0.1:1/d",
        "--schema",
        "remodel"
      )

      #expect(outcome.status == 64)
    }
  }
}
