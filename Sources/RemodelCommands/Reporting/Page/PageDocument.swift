import RemodelKit

/// A page of one file that runs nothing and loads nothing, in XML as well as HTML.
struct PageDocument {
  let title: String
  /// The kind of page, above its heading.
  let kind: Markup
  let heading: Markup
  /// What the page is about besides, below its heading.
  var place: Markup = ""
  /// Where a reader without a mouse can go at once.
  let skipLink: (anchor: String, text: String)
  /// The rules for parts that only such pages have.
  var style: Markup = ""
  let content: Markup
  let footer: Markup

  var markup: Markup {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="referrer" content="no-referrer"/>
    <link rel="icon" href="data:,"/>
    <title>\(title.shownInLine)</title>
    <style>
    \(PageStyle.sheet)\(style)</style>
    </head>
    <body>
    <a class="skip" href="#\(skipLink.anchor)">\(skipLink.text)</a>
    <header>
    <p class="eyebrow">\(kind)</p>
    <h1>\(heading)</h1>
    \(place)</header>
    <main>
    \(content)</main>
    <footer>
    \(footer)</footer>
    </body>
    </html>

    """
  }
}

/// The one sentence that a page is about, with its weight.
struct PageVerdict {
  /// How good or bad it is.
  enum Weight {
    case fine, care, stop, plain
  }

  let weight: Weight
  let answer: String
  var reasons: [String] = []

  var markup: Markup {
    let (name, mark): (Markup, String) =
      switch weight {
      case .fine: ("fine", "✓")
      case .care: ("care", "!")
      case .stop: ("stop", "✕")
      case .plain: ("plain", "=")
      }
    return """
      <div class="verdict \(name)"><span class="mark" aria-hidden="true">\(mark)</span>
      <p class="answer">\(answer.shownInLine)</p>
      \(reasons.map { "<p class=\"why\">\($0.shownInLine)</p>\n" as Markup })</div>

      """
  }
}

/// Links that leave only some parts of a page visible, without a script: the style of the page goes
/// by the part of the address behind `#`.
struct PageFilter {
  /// What a link leaves visible.
  struct Choice {
    /// The anchor, which is also the class of what stays; one of the page's own names.
    let name: Markup
    let label: String
    let count: Int
  }

  let label: String
  let choices: [Choice]

  /// The links, for a choice that leaves something visible and something not.
  ///
  /// - Parameter count: The number of all parts.
  /// - Returns: The links, with the anchors that have to be beside the parts.
  func markup(of count: Int) -> Markup {
    let telling = choices.filter { $0.count > 0 && $0.count < count }
    guard !telling.isEmpty else { return "" }
    let links = telling.map { choice -> Markup in
      "<li><a href=\"#\(choice.name)\">\(choice.label) (\(choice.count))</a></li>\n"
    }
    let anchors = telling.map { "<span class=\"anchor\" id=\"\($0.name)\"></span>" as Markup }
    return """
      <nav aria-label="\(label)"><ul>
      <li><a href="#all">All (\(count))</a></li>
      \(links)</ul></nav>
      \(anchors)
      """
  }

  /// Returns the rules of the style by which a choice hides the other parts.
  static func rules(_ names: [Markup]) -> Markup {
    let rules = names.map { name -> Markup in
      "#\(name):target~.kept .part:not(.\(name)){display:none}\n"
    }
    return """
      .anchor{scroll-margin-top:8rem}
      .sticky th[scope=row]{position:sticky;left:0;background:var(--paper)}
      table .badge,table time,td.short{white-space:nowrap}
      .sticky td:last-child{min-width:18em}
      @media print{.kept table,.kept table *{font-size:8pt}.kept.table,.kept .table{overflow:visible}\
      .kept th,.kept td{padding-right:8pt}table time,td.short{white-space:normal}\
      .sticky th[scope=row]{position:static}.sticky td:last-child{min-width:0}}
      caption{text-align:left;color:var(--dim);font-size:.875rem;padding-bottom:6px}
      \(rules)
      """
  }
}

extension Markup {
  /// Returns a time of ISO 8601 in UTC as people read it.
  static func time(_ time: String) -> Markup {
    guard let readable = time.readableTime else { return "\(time.shownInLine)" }
    return "<time datetime=\"\(time)\">\(readable)</time>"
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  var capitalised: String { prefix(1).uppercased() + dropFirst() }

  /// A time of ISO 8601 in UTC, to the second, as people read it; `nil` if the text is none.
  var readableTime: String? {
    let parts = split(separator: "T")
    guard parts.count == 2, parts[1].last == "Z",
      unicodeScalars.allSatisfy({ "0123456789-:.TZ".unicodeScalars.contains($0) })
    else { return nil }
    return "\(parts[0]) \(parts[1].dropLast().prefix { $0 != "." }) UTC"
  }
}

extension Markup {
  /// Creates a call, or words where none names its store.
  init(_ call: CommandCall, completed: CommandCall?) {
    self = completed.map { "<code>\($0.text)</code>" } ?? "\(call.wordsForOneStore)"
  }
}
