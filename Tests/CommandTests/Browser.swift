import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    let harness = harness.replacing("HAS_AXE", with: axe == nil ? "false" : "true")
    try Data(harness.utf8).write(to: folder.appending(path: "harness.html"))
    if let axe {
      try Data(contentsOf: axe).write(to: folder.appending(path: "axe.min.js"))
      try Data(Self.checkedByAxe(page).utf8).write(to: folder.appending(path: "axe.html"))
    }
    return try await lines(of: "harness.html", in: folder, name, isDark: isDark)
  }

  /// The program that knows what makes pages hard to use; `nil` where it is not installed.
  static let axe: URL? = {
    let environment = ProcessInfo.processInfo.environment
    let path =
      environment["REMODEL_TESTS_AXE"]
      ?? "\(environment["HOME"] ?? "/root")/.cache/remodel-tests/axe.min.js"
    return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
  }()

  /// The page's own policy allows no scripts, so the copy for axe has none.
  private static func checkedByAxe(_ page: String) -> String {
    page.replacing("Content-Security-Policy", with: "x-policy")
      .replacing("</body>", with: "<script src=\"axe.min.js\"></script></body>")
  }

  /// Returns what a page says about another when its scripts have run.
  static func lines(
    of file: String,
    in folder: URL,
    _ name: String,
    isDark: Bool
  ) async throws -> [String] {
    let result = try await run(
      .name(name),
      arguments: Arguments(
        options(folder, isDark: isDark) + [
          "--window-size=1600,1200", "--enable-logging=stderr", "--virtual-time-budget=30000",
          "--timeout=60000", "--dump-dom", "file://\(folder.path)/\(file)",
        ]
      ),
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

  static func options(_ folder: URL, isDark: Bool) -> [String] {
    [
      "--no-sandbox", "--headless=new", "--disable-gpu", "--allow-file-access-from-files",
      "--user-data-dir=\(folder.path)/profile",
      "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
    ]
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
    function decisions(frame, width, height) {
      const doc = frame.contentDocument;
      for (const e of doc.querySelectorAll('h1, .place, .verdict, .lines > li')) {
        const bottom = e.getBoundingClientRect().bottom;
        if (bottom > height) say0(width, 'below the first screen: ' + e.className + ' ' + e.textContent.slice(0, 40) + ' at ' + bottom);
      }
    }
    function say0(width, text) { found.add(width + ': ' + text); }
    async function load(file, width, height) {
      const frame = document.createElement('iframe');
      frame.style.cssText = 'border:0;height:' + height + 'px;width:' + width + 'px';
      const loaded = new Promise(done => frame.onload = done);
      frame.src = file;
      document.body.append(frame);
      await loaded;
      return frame;
    }
    async function show(width, height) {
      const frame = await load('page.html', width, height);
      decisions(frame, width, height);
      measure(frame, width);
      for (const d of frame.contentDocument.querySelectorAll('details')) d.open = true;
      measure(frame, width);
      frame.remove();
    }
    async function check(width, height) {
      const frame = await load('axe.html', width, height);
      const axe = frame.contentWindow.axe;
      // Whatever is to be seen while they are closed is there as well.
      for (const d of frame.contentDocument.querySelectorAll('details')) d.open = true;
      const result = await axe.run(frame.contentDocument);
      for (const v of result.violations) for (const node of v.nodes.slice(0, 3)) {
        say0(width, 'axe: ' + v.id + ': ' + v.help + ': ' + node.target);
      }
      frame.remove();
    }
    const hasAxe = HAS_AXE;
    (async () => {
      try {
        for (const [width, height] of [[390, 844], [1280, 720], [1600, 900]]) {
          await show(width, height);
          if (hasAxe && width !== 1600) await check(width, height);
        }
      } catch (e) { found.add('the check failed: ' + e); }
      document.getElementById('result').textContent = [...found].join('\n');
    })();
    </script></body></html>
    """#
}

extension String {
  func range(of text: String, in range: Range<Index>? = nil) -> Range<Index>? {
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
