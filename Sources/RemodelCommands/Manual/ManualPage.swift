/// The manual page, in the macros of `man(7)`, generated from the commands' help.
struct ManualPage {
  let help: CommandHelp
  let version: String
  /// The date of the page.
  let date: String

  /// The page.
  var text: String {
    var page = Roff()
    let name = help.commandName
    page.line(".TH \(name.uppercased()) 1 \(date) \"\(name) \(version)\"")
    page.section("NAME")
    page.line("\(help.commandName) \\- \(Roff.escaped(lowercased(help.abstract ?? "")))")
    page.section("SYNOPSIS")
    page.macro("B", help.commandName)
    page.line("\\fIverb\\fR [\\fIoptions\\fR]")
    page.section("DESCRIPTION")
    page.paragraph(Self.description)
    writeVerbs(to: &page)
    writeOptions(to: &page)
    writeVariables(to: &page)
    page.section("EXIT STATUS")
    for status in ExitStatus.allCases {
      page.item("\\fB\(status.rawValue)\\fR", status.meaning)
    }
    page.section("FILES")
    page.item("\\fImigrations\\fR", Self.files)
    page.section("EXAMPLES")
    for (line, meaning) in Self.examples { page.item("\\fB\(Roff.escaped(line))\\fR", meaning) }
    page.section("SEE ALSO")
    page.line("\\fBpsql\\fR(1), \\fBpg_dump\\fR(1)")
    return page.text
  }

  /// Writes the verbs, each with its own options.
  private func writeVerbs(to page: inout Roff) {
    page.section("VERBS")
    for verb in help.verbs {
      let operands = verb.operands.map { operand in
        let name = "\\fI\(Roff.escaped(operand.valueName ?? ""))\\fR"
        return operand.isOptional ? "[\(name)]" : name
      }
      let heading = (["\\fB\(Roff.escaped(verb.verb))\\fR"] + operands).joined(separator: " ")
      page.item(
        heading,
        [verb.abstract, verb.discussion].compactMap(\.self).joined(separator: " ")
      )
    }
  }

  /// The options under the titles that the help has, with the verbs where not all take them.
  private func writeOptions(to page: inout Roff) {
    page.section("OPTIONS")
    let options = ManualOption.all(of: help.verbs)
    var titles: [String] = []
    for option in options where !titles.contains(option.title) { titles.append(option.title) }
    for title in titles {
      page.subsection(title)
      for option in options where option.title == title {
        let verbs = option.verbs.count == help.verbs.count ? nil : shortened(option.verbs)
        page.item(
          option.heading,
          [option.text, verbs.map { "Verbs: \($0.joined(separator: ", "))." }]
            .compactMap(\.self).joined(separator: " ")
        )
      }
    }
  }

  /// Returns the verbs with one word for all that begin with it: `job` for `job list`, `job show` and so on.
  private func shortened(_ verbs: [String]) -> [String] {
    func first(_ verb: String) -> String {
      verb.split(separator: " ").first.map(String.init) ?? verb
    }
    let all = help.verbs.map(\.verb)
    var names: [String] = []
    for verb in verbs {
      let word = first(verb)
      let isWhole = all.filter { first($0) == word }.allSatisfy(verbs.contains)
      let name = isWhole ? word : verb
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func writeVariables(to page: inout Roff) {
    page.section("ENVIRONMENT")
    page.paragraph("An option wins over its variable. An empty variable is as good as none.")
    var told: Set<String> = []
    for option in ManualOption.all(of: help.verbs) {
      for variable in option.variables where told.insert(variable).inserted {
        page.item("\\fB\(variable)\\fR", "As \(option.name).")
      }
    }
    for (variable, meaning) in Self.variables { page.item("\\fB\(variable)\\fR", meaning) }
  }

  private func lowercased(_ sentence: String) -> String {
    let text = sentence.last == "." ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

// MARK: - Texts that the help does not contain

extension ManualPage {
  private static let description = """
    A model is kept in versions, one file for each. The database remembers the version that it is \
    at. When the current one is another, the mapping between the two is inferred, or taken from a \
    mapping model, planned as SQL, and run in a transaction that also records the version. Results \
    go to standard output, logs and warnings to standard error. There is no prompt.
    """

  private static let files = """
    The folder that holds the model: one bundle, a folder NAME.remodel with a YAML file for each \
    version or a NAME.xcdatamodeld of Xcode's, and its mapping models, *.mapping.yaml.
    """

  private static let variables = [
    (
      "PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD, PGSERVICE, PGPASSFILE",
      "As for psql(1), where no URL is given."
    ),
    (
      "REMODEL_POSTGRES_BIN",
      "The folder of initdb and postgres, for throwaway servers."
    ),
  ]

  private static let examples = [
    ("remodel plan", "Shows what would run, without running it."),
    ("remodel migrate --wait 60s", "Brings the database to the current version, when it is there."),
    ("remodel check --until-current 60s", "Waits until another process has done so."),
    ("remodel plan --from 1 --to 2 --format sql", "A script, without a database."),
    ("remodel migrate --scratch", "Tries it on a throwaway server."),
  ]
}
