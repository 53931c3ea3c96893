import TestSupport
import Testing

/// Reads a page, and expects of it what holds for all pages: it runs and loads nothing, every link
/// leads somewhere, and a reader without eyes finds the way.
func soundPage(
  _ text: String,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> MarkupTree {
  let page = try MarkupTree(text)
  var faults: [String] = []
  let identifiers = page.all.compactMap { $0.attributes["id"] }
  let known = Set(identifiers)
  if known.count < identifiers.count { faults.append("an identifier is there twice") }
  for element in page.all {
    if ["script", "iframe", "img", "form", "object"].contains(element.name) {
      faults.append("there is a \(element.name)")
    }
    for (name, value) in element.attributes {
      if name.hasPrefix("on") { faults.append("\(element.name) has \(name)") }
      if name == "href" || name == "src", value != "data:,",
        !value.hasPrefix("#") || !known.contains(String(value.dropFirst()))
      {
        faults.append("a link leads to \(value)")
      }
      if name == "aria-labelledby" || name == "aria-describedby" {
        for part in value.split(separator: " ") where !known.contains(String(part)) {
          faults.append("no label \(part)")
        }
      }
    }
    if element.name == "table" {
      if element.elements(named: "caption").count != 1 { faults.append("a table has no caption") }
      if element.elements(named: "th").contains(where: { $0.attributes["scope"] == nil }) {
        faults.append("a heading of a table has no scope")
      }
    }
    let isScrolled = (element.attributes["class"] ?? "").split(separator: " ").contains("table")
    if isScrolled, element.attributes["tabindex"] != "0" || element.attributes["aria-label"] == nil
    {
      faults.append("a part that scrolls cannot be reached by keys")
    }
  }
  for name in ["main", "header", "footer", "h1"] where page.elements(named: name).count != 1 {
    faults.append("there is not one \(name)")
  }
  let navigations = page.elements(named: "nav").map { $0.attributes["aria-label"] }
  if navigations.contains(nil) || Set(navigations).count < navigations.count {
    faults.append("parts of the navigation have no names of their own")
  }
  let levels = page.all.compactMap { element in
    element.name.count == 2 && element.name.hasPrefix("h")
      ? element.name.last?.wholeNumberValue : nil
  }
  for (level, next) in zip(levels, levels.dropFirst()) where next > level + 1 {
    faults.append("heading \(next) follows heading \(level)")
  }
  let policy = page.elements(named: "meta")
    .first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?.attributes["content"]
  if policy?.hasPrefix("default-src 'none'; style-src 'unsafe-inline'; ") != true {
    faults.append("the policy is \(policy ?? "none")")
  }
  let hidden = text.unicodeScalars.filter { scalar in
    scalar != "\n" && scalar != "\t"
      && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
  }
  if !hidden.isEmpty { faults.append("characters hide others: \(hidden.map(\.value))") }
  #expect(faults == [], sourceLocation: sourceLocation)
  return page
}
