/// An option with all verbs that have it with the same help.
struct ManualOption {
  let name: String
  let heading: String
  let title: String
  let text: String
  let variables: [String]
  var verbs: [String]

  /// Returns the options of all verbs, each once, in the order of their first occurrence.
  static func all(of verbs: [CommandHelp]) -> [ManualOption] {
    var options: [ManualOption] = []
    for verb in verbs {
      for argument in verb.options {
        let option = ManualOption(argument, verb.verb)
        let index = options.firstIndex { $0.heading == option.heading && $0.text == option.text }
        if let index {
          if !options[index].verbs.contains(verb.verb) { options[index].verbs.append(verb.verb) }
        } else {
          options.append(option)
        }
      }
    }
    return options
  }

  private init(_ argument: CommandHelp.Argument, _ verb: String) {
    name = argument.option
    title = argument.sectionTitle ?? "Others"
    text = argument.text
    variables = argument.variables
    verbs = [verb]
    let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
    let typed = names.map { "\\fB\(Roff.escaped($0))\\fR" }.joined(separator: ", ")
    let value = argument.valueName ?? ""
    heading = argument.kind == "flag" ? typed : "\(typed) \\fI\(Roff.escaped(value))\\fR"
  }
}
