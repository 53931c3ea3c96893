import RemodelKit

/// The style of pages: in light and dark, on a phone and on paper.
enum PageStyle {
  static let sheet: Markup =
    "\(DiagramStyle.colours)\(colours)\(text)\(summary)\(parts)\(DiagramStyle.rules)\(paper)"

  private static let colours: Markup = """
    :root{--back:#f6f8fa;--accent:#0b57b0;--code:#fafbfc;--stop:#a3182b;--stop-back:#fdeaec;\
    --care:#7a4d00;--care-back:#fdf2d3;--fine:#0f6b2f;--fine-back:#e2f5e8;\
    --keyword:#8b1a6b;--identifier:#0b57b0;--string:#0f6b2f;--number:#7a4d00}
    @media (prefers-color-scheme:dark){:root{--back:#0b0f14;--accent:#86bcff;--code:#11161c;\
    --stop:#ff9aa2;--stop-back:#3c171c;--care:#ecbf5a;--care-back:#352808;\
    --fine:#6ddc8c;--fine-back:#12311f;\
    --keyword:#e79ad0;--identifier:#86bcff;--string:#6ddc8c;--number:#ecbf5a}}

    """

  private static let text: Markup = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0 auto;max-width:1480px;padding:0 clamp(16px,3vw,48px) 48px;background:var(--paper);\
    color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;\
    overflow-wrap:anywhere}
    h1,h2,h3,h4,h5,p,ul,dl,figure,pre{margin:0}
    h1{font-size:clamp(1.5rem,4vw,2.1rem);line-height:1.2;letter-spacing:-.015em;font-weight:650}
    h1 span{color:var(--dim);font-weight:400}
    h2{font-size:1.35rem;line-height:1.3;letter-spacing:-.01em;font-weight:650;margin:56px 0 12px}
    h3{font-size:1rem;font-weight:650;margin:28px 0 10px}
    h4,h5{font-size:1rem;font-weight:600;line-height:1.4}
    a{color:var(--accent)}
    :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
    code,pre,.name,.lock{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",\
    monospace;font-size:.8125rem}
    .dim,.eyebrow{color:var(--dim)}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0}
    .skip{position:absolute;left:16px;top:-60px;padding:8px 12px;background:var(--paper)}
    .skip:focus{top:8px;z-index:1}
    header{padding:32px 0 0}
    .eyebrow{font-size:.8125rem;letter-spacing:.02em;margin-bottom:4px}
    nav ul{display:flex;flex-wrap:wrap;gap:4px 20px;padding:0;margin-top:16px;list-style:none;\
    font-size:.9375rem}
    section{scroll-margin-top:12px}
    summary{cursor:pointer;color:var(--accent)}
    footer{margin-top:64px;padding-top:16px;border-top:1px solid var(--rule);color:var(--dim);\
    font-size:.875rem}

    """

  private static let summary: Markup = """
    .verdict{margin-top:24px;padding:18px 20px;border-radius:10px;border:1px solid;display:grid;\
    grid-template-columns:auto 1fr;gap:2px 14px;align-items:baseline}
    .verdict .mark{font-size:1.35rem;font-weight:700;line-height:1.3}
    .verdict .answer{font-size:1.35rem;font-weight:650;line-height:1.3;letter-spacing:-.01em}
    .verdict .answer::first-letter,.verdict .why::first-letter{text-transform:uppercase}
    .verdict ul,.verdict .why{grid-column:2;color:var(--ink);margin-top:4px}
    .verdict ul{padding-left:1.1em}
    .verdict.fine{color:var(--fine);background:var(--fine-back)}
    .verdict.care{color:var(--care);background:var(--care-back)}
    .verdict.stop{color:var(--stop);background:var(--stop-back)}
    .verdict.plain{color:var(--ink);background:var(--head);border-color:var(--rule)}
    .more{display:grid;grid-template-columns:minmax(120px,auto) 1fr;gap:8px 20px;margin-top:20px;\
    font-size:.9375rem}
    .more dt{color:var(--dim)}
    .more dd{margin:0;min-width:0}
    @media (max-width:560px){th,td{padding-right:12px!important}.verdict{padding:14px 14px}.more{grid-template-columns:1fr;gap:0}.more dd{margin-bottom:10px}}

    """

  private static let parts: Markup = """
    .chips{display:flex;flex-wrap:wrap;gap:6px;padding:0;list-style:none}
    .chip,.badge{display:inline-block;padding:1px 8px;border-radius:99px;font-size:.8125rem;\
    line-height:1.5;white-space:nowrap;border:1px solid;color:var(--care);background:var(--care-back)}
    .chip.grave,.badge.stop{color:var(--stop);background:var(--stop-back)}
    .badge.fine{color:var(--fine);background:var(--fine-back)}
    .badge.unknown{color:var(--dim);background:var(--head)}
    .lock{white-space:nowrap;color:var(--dim)}
    .lock.writers{color:var(--care);font-weight:600}
    .lock.readers{color:var(--stop);font-weight:600}
    .legend{display:flex;flex-wrap:wrap;gap:4px 18px;padding:0;margin:8px 0 12px;list-style:none;\
    font-size:.875rem}
    .legend span,.changes .sign{display:inline-block;width:1.1em;font-weight:700;text-align:center}
    .added .sign,.legend .added span{color:var(--added)}
    .removed .sign,.legend .removed span{color:var(--removed)}
    .renamed .sign,.legend .renamed span{color:var(--renamed)}
    .changed .sign,.legend .changed span{color:var(--changed)}
    .changes,.locks{padding:0;list-style:none;font-size:.9375rem;columns:2 420px;column-gap:40px}
    .changes li,.locks li{break-inside:avoid;padding:2px 0}
    .changes li{display:flex;gap:.5em}
    .changes .sign{flex:none}
    .pair{display:grid;gap:20px;grid-template-columns:minmax(0,1fr)}
    @media (min-width:1100px){.pair:not(.wide){grid-template-columns:repeat(2,minmax(0,1fr))}}
    figure{min-width:0;margin:12px 0}
    figcaption{font-weight:600;font-size:.9375rem;margin-bottom:6px}
    .scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:10px;background:var(--paper)}
    .scroll svg{display:block;height:auto;width:100%;max-width:var(--width);\
    min-width:calc(var(--width)*.72);margin:0 auto}
    .plain{padding:0;list-style:none}
    .note{border-left:3px solid var(--rule);padding:2px 0 2px 14px;margin:12px 0}
    .note.stop{border-color:var(--stop)}
    .note.fine{border-color:var(--fine)}
    .note.warning{border-color:var(--care)}
    .note h3{margin:0 0 4px}
    .note ul{padding-left:1.2em}
    .note.warning{font-size:.9375rem;margin:8px 0}
    .note details{font-size:.875rem;margin-top:2px}
    .statement{margin:0 0 22px;min-width:0}
    .statement .head{display:flex;flex-wrap:wrap;gap:4px 16px;justify-content:space-between;\
    align-items:baseline;margin-bottom:6px}
    .statement h5{min-width:0;flex:1 1 320px}
    .group{border-top:1px solid var(--rule);padding-top:12px;margin-top:20px}
    .group>h4{color:var(--dim);font-size:.875rem;font-weight:500;margin-bottom:10px}
    .table{overflow-x:auto;overflow-wrap:break-word}
    table{border-collapse:collapse;font-size:.9375rem}
    th,td{text-align:left;padding:4px 24px 4px 0;vertical-align:top;font-weight:400}
    thead th{color:var(--dim);font-size:.8125rem}
    tbody tr{border-top:1px solid var(--rule)}
    .number{color:var(--dim);font-weight:400;font-variant-numeric:tabular-nums;margin-right:4px}
    pre{white-space:pre-wrap;background:var(--code);border:1px solid var(--rule);\
    border-radius:8px;padding:10px 14px;line-height:1.55;tab-size:2}
    pre b{font-weight:600;color:var(--keyword)}
    pre i{font-style:normal;color:var(--identifier)}
    pre .string{color:var(--string)}
    pre .number{color:var(--number);margin:0}
    pre .comment{color:var(--dim);font-style:italic}
    .impact{display:flex;flex-wrap:wrap;gap:6px 28px;margin-top:8px;font-size:.875rem}
    .impact dd{margin:0}

    """

  private static let paper: Markup = """
    @media print{:root{color-scheme:light;--paper:#fff;--sheet:#fff;--ink:#000;--dim:#444;\
    --rule:#bbb;--line:#666;--head:#f1f4f7;--back:#fff;--accent:#000;--code:#fff;\
    --added:#0f6b2f;--added-back:#e2f5e8;--removed:#a3182b;--removed-back:#fdeaec;\
    --renamed:#0b57b0;--renamed-back:#e3effd;--changed:#7a4d00;--changed-back:#fdf2d3;\
    --stop:#a3182b;--stop-back:#fdeaec;--care:#7a4d00;--care-back:#fdf2d3;\
    --fine:#0f6b2f;--fine-back:#e2f5e8;\
    --keyword:#8b1a6b;--identifier:#0b57b0;--string:#0f6b2f;--number:#7a4d00}
    body{font-size:10.5pt;max-width:none;padding:0;print-color-adjust:exact;\
    -webkit-print-color-adjust:exact}
    nav,.skip{display:none}
    header{padding:0}
    .pair{grid-template-columns:minmax(0,1fr)!important}
    .scroll{overflow:visible;border:0}
    .scroll svg{min-width:0;max-width:min(100%,var(--width));max-height:20cm}
    h2,h3,h4,h5{break-after:avoid}
    .statement,.note,.verdict,figure{break-inside:avoid}
    details::details-content{content-visibility:visible;display:block;height:auto}
    summary{list-style:none}
    @page{size:A4;margin:16mm 14mm}}

    """
}
