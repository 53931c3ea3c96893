import Subprocess
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.serialized, .timeLimit(.minutes(30)))
struct PageBrowserTests {
  @Test(
    .enabled(if: Browser.name != nil, "no Chromium is on the PATH"),
    arguments: ["changes", "large", "wide", "hostile"],
    [false, true]
  )
  func `nothing overflows, overlaps or pales at any width`(name: String, isDark: Bool) async throws
  {
    let page = try await Self.page(named: name)

    let complaints = try await Browser.complaints(about: page, isDark: isDark)

    #expect(complaints == [])
  }

  @Test(.enabled(if: Browser.name != nil, "no Chromium is on the PATH"))
  func `the check finds what is wrong`() async throws {
    let page = """
      <html><head><style>body{color:#999;background:#fff;margin:0}</style></head><body>\
      <div style="width:900px">wide</div><svg class="diagram"><g class="row">\
      <text x="0" y="10">long long</text><text x="5" y="10">over</text></g></svg>\
      <script>console.log(1)</script></body></html>
      """

    let complaints = try await Browser.complaints(about: page, isDark: false)

    for kind in ["wider", "contrast", "overlaps", "script"] {
      #expect(complaints.contains { $0.contains(kind) }, "\(kind): \(complaints)")
    }
  }

  private static func page(named name: String) async throws -> String {
    switch name {
    case "large":
      let entities = (0..<60).map { index in
        let next = "{ to: Entity\((index * 7 + 1) % 60) }"
        return "  Entity\(index):\n    attributes: { name: string, note\(index): \"string?\" }\n"
          + "    relationships: { next: \(next) }\n"
      }
      let first = "remodel: 1\nentities:\n\(entities.joined())"
      let second = entities.enumerated()
        .map { $0 % 3 == 0 ? $1 : $1.replacing("name: string", with: "name: \"string?\"") }
      return try await PlanPageTests.page(first, "remodel: 1\nentities:\n\(second.joined())")
    case "wide":
      let name = String(repeating: "Wide", count: 12)
      func version(_ type: String) -> String {
        """
        remodel: 1
        entities:
          \(name):
            attributes: { \(name)Attribute: \(type), WWWWWWWWWWWWWWWWWWWWWWWW: "string?", 日本語日本語日本語: uuid }
            relationships: { \(name)Other: { to: Other, inverse: back } }
          Other:
            attributes: { iiiiiiiiiiiiiiiiiiiiiiiiii: "numeric(1000,900)?" }
            relationships: { back: { toMany: \(name), inverse: \(name)Other } }
        """
      }
      return try await PlanPageTests.page(version("integer32"), version("integer64"))
    case "hostile":
      func version(_ type: String) -> String {
        """
        remodel: 1
        entities:
          "<script>document.title=1</script>":
            attributes: { "\\" onload=\\"document.title=1": \(type), "</style><img src=x>": string }
        """
      }
      return try await PlanPageTests.page(version("integer32"), version("integer64"))
    default:
      return try await PlanPageTests.page(Version.first, Version.withAuthor)
    }
  }
}

/// A browser without a window.
enum Browser {
  static let name: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return ["chromium", "chromium-browser", "google-chrome"].first { name in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }()

  /// Shows a page at three widths and returns its faults.
  static func complaints(about page: String, isDark: Bool) async throws -> [String] {
    guard let name else { return ["no browser"] }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(page.utf8).write(to: folder.appending(path: "page.html"))
    try Data(harness.utf8).write(to: folder.appending(path: "harness.html"))
    let result = try await run(
      .name(name),
      arguments: [
        "--no-sandbox", "--headless=new", "--disable-gpu", "--allow-file-access-from-files",
        "--user-data-dir=\(folder.path)/profile", "--window-size=1600,1200",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
        "--enable-logging=stderr", "--virtual-time-budget=15000", "--timeout=60000",
        "--dump-dom", "file://\(folder.path)/harness.html",
      ],
      output: .string(limit: 1 << 22),
      error: .string(limit: 1 << 22)
    )
    let output = result.standardOutput
    guard let start = output.range(of: "<pre id=\"result\">"),
      let end = output.range(of: "</pre>", in: start.upperBound..<output.endIndex)
    else { return ["the browser said nothing: \(result.standardError.suffix(400))"] }
    let console = result.standardError.split(separator: "\n").filter { $0.contains("CONSOLE") }
    return output[start.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
      + console.map { "the console says: \($0)" }
  }

  /// A page that shows another at three widths and measures it.
  private static let harness = #"""
    <!DOCTYPE html><html><body><pre id="result">not measured
    </pre><script>
    const found = new Set();
    function parse(color) { const m = color.match(/[\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; }
    function luminance(c) {
      const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
      return .2126 * r + .7152 * g + .0722 * b;
    }
    function contrast(a, b) {
      const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + .05) / (y + .05);
    }
    function backdrop(element, view) {
      for (let e = element; e; e = e.parentElement) {
        const c = parse(view.getComputedStyle(e).backgroundColor); if (c[3] > 0) return c;
      }
      return view.matchMedia('(prefers-color-scheme:dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    }
    function measure(frame, width) {
      const doc = frame.contentDocument, view = frame.contentWindow, root = doc.documentElement;
      const say = text => found.add(width + ': ' + text);
      if (root.scrollWidth > root.clientWidth) say('the page is wider than the window: ' + root.scrollWidth);
      if (view.performance.getEntriesByType('resource').length) say('something was fetched');
      if (doc.scripts.length || doc.title === '1') say('a script is there');
      if (doc.images.length) say('an image is there');
      for (const e of doc.body.querySelectorAll('*')) {
        if (e.closest('svg') || e.closest('.hidden') || e.closest('.skip')) continue;
        const box = e.getBoundingClientRect();
        const inside = e.closest('pre') || e.closest('.scroll') || e.closest('.table') && !e.matches('.table');
        if (!inside && box.right > root.clientWidth + 1) say('wider than the window: ' + e.tagName + '.' + e.className);
        const words = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (words && box.width) {
          const ratio = contrast(parse(view.getComputedStyle(e).color), backdrop(e, view));
          if (ratio < 4.5) say('contrast ' + ratio.toFixed(2) + ': ' + e.tagName + '.' + e.className);
        }
      }
      for (const svg of doc.querySelectorAll('svg.diagram')) {
        const back = {};
        for (const frameBox of svg.querySelectorAll('.sheet')) {
          const box = frameBox.getBBox();
          for (const text of frameBox.parentElement.querySelectorAll('text')) {
            const t = text.getBBox();
            if (t.x + t.width > box.x + box.width) say('a name leaves its box: ' + text.textContent);
          }
        }
        for (const row of svg.querySelectorAll('.row')) {
          const texts = [...row.querySelectorAll('text:not(.sign)')].map(t => t.getBBox());
          if (texts.length === 2 && texts[0].x + texts[0].width > texts[1].x) say('a text overlaps another: ' + row.textContent);
          const band = row.querySelector('.band');
          for (const text of row.querySelectorAll('text')) {
            const behind = band ? parse(view.getComputedStyle(band).fill) : null;
            if (!behind) continue;
            const ratio = contrast(parse(view.getComputedStyle(text).fill), behind);
            if (ratio < 4.5) say('contrast ' + ratio.toFixed(2) + ' in a picture: ' + row.getAttribute('class') + ' ' + text.getAttribute('class'));
          }
        }
        for (const box of svg.querySelectorAll('.box')) {
          const behind = parse(view.getComputedStyle(box.querySelector('.head')).fill);
          for (const text of box.querySelectorAll('text')) {
            const ratio = contrast(parse(view.getComputedStyle(text).fill), behind);
            if (ratio < 4.5) say('contrast ' + ratio.toFixed(2) + ' in a picture: ' + box.getAttribute('class') + ' ' + text.getAttribute('class'));
          }
        }
      }
    }
    async function show(width) {
      const frame = document.createElement('iframe');
      frame.style.cssText = 'border:0;height:900px;width:' + width + 'px';
      const loaded = new Promise(done => frame.onload = done);
      frame.src = 'page.html';
      document.body.append(frame);
      await loaded;
      measure(frame, width);
      for (const d of frame.contentDocument.querySelectorAll('details')) d.open = true;
      measure(frame, width);
    }
    (async () => {
      try { for (const width of [360, 820, 1440]) await show(width); } catch (e) { found.add('the check failed: ' + e); }
      document.getElementById('result').textContent = [...found].join('\n');
    })();
    </script></body></html>
    """#
}

extension String {
  fileprivate func range(of text: String, in range: Range<Index>? = nil) -> Range<Index>? {
    var start = range?.lowerBound ?? startIndex
    let end = range?.upperBound ?? endIndex
    while start < end {
      if self[start..<end].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
