/// The style of pictures: the same rules in a file of their own and in a page.
package enum DiagramStyle {
  /// The colours, for light and dark; marks never stand for themselves alone, they have signs as well.
  package static let colours: Markup = """
    :root{color-scheme:light dark;--paper:#fff;--sheet:#fff;--ink:#1c2127;--dim:#57606a;\
    --rule:#d3d9e0;--line:#7a8490;--head:#f1f4f7;\
    --added:#0f6b2f;--added-back:#e2f5e8;--removed:#a3182b;--removed-back:#fdeaec;\
    --renamed:#0b57b0;--renamed-back:#e3effd;--changed:#7a4d00;--changed-back:#fdf2d3}
    @media (prefers-color-scheme:dark){:root{--paper:#0f1318;--sheet:#161b22;--ink:#e6eaf0;\
    --dim:#9da7b3;--rule:#323a44;--line:#77828f;--head:#1f262e;\
    --added:#6ddc8c;--added-back:#12311f;--removed:#ff9aa2;--removed-back:#3c171c;\
    --renamed:#86bcff;--renamed-back:#122c4d;--changed:#ecbf5a;--changed-back:#352808}}

    """

  /// The uses of the colors.
  package static let rules: Markup = """
    .diagram{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
    .diagram text{fill:var(--ink)}
    .diagram .paper{fill:var(--paper)}
    .diagram .sheet{fill:var(--sheet)}
    .diagram .head{fill:var(--head)}
    .diagram .frame{fill:none;stroke:var(--rule)}
    .diagram .rule{fill:none;stroke:var(--rule)}
    .diagram .name{font-size:13px;font-weight:700}
    .diagram .aside .name{font-weight:400;fill:var(--dim)}
    .diagram .kind{font-style:italic;fill:var(--dim)}
    .diagram .detail{fill:var(--dim)}
    .diagram .end{text-anchor:end}
    .diagram .sign{font-weight:700}
    .diagram .mid{text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:5px}
    .diagram .line path,.diagram .line circle{fill:none;stroke:var(--line);stroke-width:1.25}
    .diagram .line circle,.diagram .line .open{fill:var(--paper)}
    .diagram .line .full{fill:var(--line)}
    .diagram .added .head,.diagram .added .band{fill:var(--added-back)}
    .diagram .removed .head,.diagram .removed .band{fill:var(--removed-back)}
    .diagram .renamed .head,.diagram .renamed .band{fill:var(--renamed-back)}
    .diagram .changed .band{fill:var(--changed-back)}
    .diagram .added .sign,.diagram .added.box .name{fill:var(--added)}
    .diagram .removed .sign,.diagram .removed.box .name{fill:var(--removed)}
    .diagram .renamed .sign,.diagram .renamed.box .name{fill:var(--renamed)}
    .diagram .changed .sign{fill:var(--changed)}
    .diagram .frame.added,.diagram .line.added path,.diagram .line.added circle{stroke:var(--added)}
    .diagram .frame.removed,.diagram .line.removed path,.diagram .line.removed circle\
    {stroke:var(--removed);stroke-dasharray:5 3}
    .diagram .frame.renamed,.diagram .line.renamed path,.diagram .line.renamed circle\
    {stroke:var(--renamed)}
    .diagram .frame.changed,.diagram .line.changed path,.diagram .line.changed circle\
    {stroke:var(--changed)}

    """
}
