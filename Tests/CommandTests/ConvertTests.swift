import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct ConvertTests {
  @Test
  func `a bundle converts to Xcode's form and back`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let there = try await Tool.run(
        "model",
        "convert",
        "Out/Library.xcdatamodeld",
        "--models",
        "Library.remodel",
        in: folder
      )
      let back = try await Tool.run(
        "model",
        "convert",
        "Back.remodel",
        "--models",
        "Out",
        in: folder
      )
      let hashes = try await Tool.shell(
        """
        cd '\(folder)' && cat Out/Library.xcdatamodeld/.xccurrentversion && \
        cat Out/Library.xcdatamodeld/2.xcdatamodel/contents && ls Back.remodel && cat Back.remodel/2.yaml
        """
      )
      let before = try await Tool.run("model", "hash", "--models", "Library.remodel", in: folder)
      let between = try await Tool.run("model", "hash", "--models", "Out", in: folder)
      let after = try await Tool.run("model", "hash", "--models", "Back.remodel", in: folder)

      #expect(there.status == 0)
      #expect(back.status == 0)
      expectGolden(there.output + back.output + hashes.output, named: "convert.txt")
      #expect(between.output == before.output)
      #expect(after.output == before.output)
    }
  }

  @Test
  func `the layout of a model is kept`() async throws {
    let layout = "layout: { constraints: immediate, indexNames: model, distribution: schema }\n"
    let model = "remodel: 1\n\(layout)entities:\n  Item:\n    attributes:\n      name: string\n"
    try await withBundle(model) { folder in
      let before = try await Tool.run("model", "hash", "--models", "Library.remodel", in: folder)
      for (source, target) in [
        ("Library.remodel", "Out/Library.xcdatamodeld"), ("Out", "Back.remodel"),
      ] {
        let converted = try await Tool.run(
          "model",
          "convert",
          target,
          "--models",
          source,
          in: folder
        )
        #expect(converted.status == 0, "\(converted)")
      }
      let back = try await Tool.shell("cat '\(folder)/Back.remodel/1.yaml'")
      #expect(back.output.contains(layout), "\(back)")
      let after = try await Tool.run("model", "hash", "--models", "Back.remodel", in: folder)
      #expect(after.output == before.output)
    }
  }

  @Test
  func `one version becomes one file`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let outcome = try await Tool.run(
        "model",
        "convert",
        "One.xcdatamodel",
        "1",
        "--models",
        "Library.remodel",
        in: folder
      )
      let all = try await Tool.run(
        "model",
        "convert",
        "All.yaml",
        "--models",
        "Library.remodel",
        in: folder
      )
      let hash = try await Tool.run("model", "hash", "--models", "One.xcdatamodel", in: folder)

      #expect(outcome.status == 0)
      #expect(hash.status == 0)
      #expect(all.status == 64)
      #expect(all.error.contains("the model has 2"))
    }
  }

  @Test
  func `nothing is overwritten without an option`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let call = ["model", "convert", "B.xcdatamodeld", "--models", "Library.remodel"]
      let first = try await Tool.run(call, in: folder)
      _ = try await Tool.shell("echo old > '\(folder)/B.xcdatamodeld/1.xcdatamodel/contents'")
      let second = try await Tool.run(call, in: folder)
      let kept = try await Tool.shell("cat '\(folder)/B.xcdatamodeld/1.xcdatamodel/contents'")
      let forced = try await Tool.run(call + ["--force"], in: folder)
      let replaced = try await Tool.run(
        "model",
        "hash",
        "1",
        "--models",
        "B.xcdatamodeld",
        in: folder
      )
      _ = try await Tool.shell(
        "cd '\(folder)/B.xcdatamodeld' && cp -r 1.xcdatamodel 3.xcdatamodel"
      )
      let others = try await Tool.run(call + ["--force"], in: folder)

      #expect(first.status == 0)
      #expect(second.status == 64)
      #expect(second.error.contains("--force"))
      #expect(kept.output == "old\n")
      #expect(forced.status == 0)
      #expect(replaced.status == 0)
      #expect(others.status == 64)
      #expect(others.error.contains("\"3\""))
    }
  }

  @Test(arguments: [
    ("Library", "has no extension of a model"),
    ("Library.remodel", "is the model that is to be"),
    ("Library.remodel/", "is the model that is to be"), ("/dev/null/A.remodel", "could not write"),
  ])
  func `a path that will not do is refused`(path: String, words: String) async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        "model",
        "convert",
        path,
        "--models",
        "Library.remodel",
        in: folder
      )

      #expect(outcome.status == (words == "could not write" ? 1 : 64))
      #expect(outcome.error.contains(words))
    }
  }

  @Test
  func `a diagram has the requested form`() async throws {
    try await withBundle(Version.withAuthor) { folder in
      let call = ["model", "diagram", "--models", folder]
      let dot = try await Tool.run(call + ["--format", "dot"])
      let none = try await Tool.run(call + ["--format", "text"])
      _ = try await Tool.run(call + ["--output", "\(folder)/picture.gv"])
      let file = try await Tool.shell("cat '\(folder)/picture.gv'")

      #expect(dot.output.hasPrefix("digraph"))
      #expect(file.output == dot.output)
      #expect(none.status == 64)
      #expect(none.error.contains("one of mermaid, dot, svg, json"))
    }
  }
}
