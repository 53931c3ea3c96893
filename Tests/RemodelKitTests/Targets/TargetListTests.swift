import RemodelKit
import Testing

@Suite
struct TargetListTests {
  private func faults(in text: String) -> [String] {
    let error = #expect(throws: TargetError.self) {
      try TargetList.targets(in: text, path: "tenants.txt")
    }
    return error?.diagnostics.map(\.description) ?? []
  }

  @Test
  func `a line is a database, and perhaps a schema`() throws {
    let targets = try TargetList.targets(
      in: """
        # Europe
        postgresql://app:secret@db1.example.com:5433/shop

          host=db2 dbname=shop password='a b'  \r
        postgresql://db2/shop schema=tenant_1
        host=/run/postgresql dbname=shop\tschema=Ümlaut
        """,
      path: "tenants.txt"
    )

    #expect(
      targets.map(\.name) == [
        "db1.example.com:5433/shop", "db2/shop", "db2/shop/tenant_1", "shop/Ümlaut",
      ]
    )
    #expect(targets.map(\.schema) == [nil, nil, "tenant_1", "Ümlaut"])
    #expect(targets[1].database == .url("host=db2 dbname=shop password='a b'"))
    #expect(targets[3].database == .url("host=/run/postgresql dbname=shop"))
  }

  @Test
  func `a mark of the encoding is no part of the first line`() throws {
    let targets = try TargetList.targets(in: "\u{FEFF}postgresql://h/shop\n", path: "tenants.txt")

    #expect(targets.map(\.database) == [.url("postgresql://h/shop")])
  }

  @Test
  func `databases with the same name are distinguished by their lines`() throws {
    let targets = try TargetList.targets(
      in: "postgresql://a@h/shop\npostgresql://b@h/shop",
      path: "tenants.txt"
    )

    #expect(targets.map(\.name) == ["h/shop", "h/shop (line 2)"])
  }

  @Test
  func `every faulty line is reported, and none is quoted`() {
    let faults = faults(
      in: """
        postgresql://app:p@ss/zzz@h/shop
        postgresql://h/shop
        shop_of_secrets
        postgresql://h:secret/shop
        postgresql://h/shop?pasword=secret
        postgresql://h/shop
        postgresql://h/shop schema=
        """
    )

    #expect(
      faults.map { $0.prefix { $0 != " " } } == [1, 3, 4, 5, 6, 7].map { "tenants.txt:\($0):" }
    )
    for word in ["secret", "zzz", "p@ss", "postgresql://h"] {
      #expect(!faults.contains { $0.contains(word) })
    }
    #expect(faults[4].contains("line 2"))
  }

  @Test(arguments: ["", "\n\n", "# postgresql://h/shop\n"])
  func `a file without a database is faulty`(text: String) {
    #expect(faults(in: text).first?.hasPrefix("tenants.txt: error: ") == true)
  }

  @Test(arguments: ["password=Sekret_77x", "# Sekret_77x", "schema='a b'"])
  func `what follows a blank in a URL is no part of a name`(rest: String) {
    let error = #expect(throws: TargetError.self) {
      try TargetList.targets(in: "postgresql://app@host/shop \(rest)", path: "targets")
    }

    #expect(error?.description.contains("targets:1: error: the connection URL has a blank") == true)
    #expect(error?.description.contains("Sekret") == false)
  }
}
