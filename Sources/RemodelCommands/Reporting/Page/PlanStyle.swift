import RemodelKit

/// The rules for the parts that only the page of a plan has.
enum PlanStyle {
  static let sheet: Markup = "\(text)\(summary)\(changes)"

  private static let text: Markup = """
    body{max-width:1120px;font-size:15px}
    h2{font-size:1.25rem;margin-top:48px}
    h3{margin:0}
    h3.step{margin:28px 0 4px}
    header{padding-top:24px}
    .place{margin-top:2px;font-size:.875rem}
    .place,.cause{color:var(--dim)}
    .eyebrow b,.place b{color:var(--ink);font-weight:600}
    nav ul{font-size:.875rem}
    summary{width:fit-content}
    .statement:target,.statement div:target{outline:2px solid var(--accent);outline-offset:6px;\
    border-radius:3px}
    #losses .note{color:var(--stop)}
    .note h3{margin-bottom:4px}
    .retained{padding-left:1.2em}
    .locks{margin:6px 0}
    .waits{margin-bottom:12px}
    .waits table{width:100%}
    div+div>pre{margin-top:6px}
    .command{margin:4px 0 14px;user-select:all;-webkit-user-select:all}
    @media (max-width:640px){.waits :is(table,tbody,tr,th,td){display:block}.waits thead{position:absolute;\
    width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.waits tbody tr{padding:8px 0}\
    .waits :is(th,td){padding:1px 0}\
    .waits td::before{content:attr(data-term) ": ";color:var(--dim)}}
    @media print{body{font-size:10pt}header{padding:0}h2{margin-top:24pt}\
    .lines li,.statement .head{break-inside:avoid}}

    """

  private static let summary: Markup = """
    .verdict{margin-top:16px;padding:12px 16px}
    .verdict:has(+.lines){border-radius:10px 10px 0 0}
    .verdict .mark,.verdict .answer{font-size:1.2rem}
    .lines{padding:0;list-style:none;border:1px solid var(--rule);border-top:0;\
    border-radius:0 0 10px 10px;overflow:hidden}
    .lines li+li{border-top:1px solid var(--rule)}
    .lines a{display:grid;grid-template-columns:14.5rem 1fr;gap:0 16px;padding:8px 16px 8px 13px;\
    color:inherit;text-decoration:none;border-left:3px solid transparent}
    .lines a:hover .term{text-decoration:underline}
    .lines a:focus-visible{outline-offset:-2px}
    .lines .term{font-weight:600}
    .lines .facts>span{display:block}
    .lines .fine .facts,.lines .rest{color:var(--dim)}
    .lines .stop a{border-color:var(--stop)}
    .lines .care a{border-color:var(--care)}
    .lines .stop .term,.lines .stop .facts>span:not(.rest){color:var(--stop)}
    .lines .care .term{color:var(--care)}
    .figures{display:flex;flex-wrap:wrap;gap:2px 28px;margin-top:12px;font-size:.875rem}
    .figures,.about,.impact{padding:0;list-style:none}.about>li,.impact li{display:flex;gap:.5em}
    .what{color:var(--dim)}
    .about{display:grid;gap:6px;font-size:.9375rem}
    .about .what{flex:0 0 6rem}
    .about div{min-width:0}
    @media (max-width:640px){.lines a{grid-template-columns:1fr;padding-top:7px;padding-bottom:7px}\
    .verdict{padding:10px 13px}header{padding-top:14px}.figures{gap:2px 18px}\
    body{font-size:14.5px}}

    """

  private static let changes: Markup = """
    .intent{border:1px solid var(--rule);border-left-width:3px;border-radius:8px;\
    padding:12px 16px;margin:12px 0;min-width:0}
    .intent.added{border-left-color:var(--added)}
    .intent.removed{border-left-color:var(--removed)}
    .intent .rows{color:var(--dim);font-weight:400;margin-left:.75em}
    .changes{columns:auto;font-size:inherit;margin:6px 0}
    .changes li{padding:1px 0}
    .changes>.added>.sign{color:var(--added)}
    .changes>.removed>.sign{color:var(--removed)}
    .changes>.renamed>.sign{color:var(--renamed)}
    .changes>.changed>.sign{color:var(--changed)}
    .label{display:inline-block;margin-left:.25em;padding:0 8px;border-radius:99px;font-size:.8125rem;\
    text-decoration:none}
    ins.label{color:var(--added);background:var(--added-back)}
    del.label{color:var(--removed);background:var(--removed-back)}
    .statements{font-size:.9375rem}
    .phase{margin-top:20px;font-weight:600}
    .statement{margin:16px 0 0;min-width:0}
    .statement+.statement{border-top:1px solid var(--rule);padding-top:14px}
    .statement .head{display:flex;flex-wrap:wrap;gap:4px 16px;justify-content:space-between;\
    align-items:baseline;margin-bottom:6px}
    .statement h4,.statement h5{min-width:0;flex:1 1 320px;font-size:.9375rem}
    .statement .number{color:var(--dim);font-weight:400;font-variant-numeric:tabular-nums;\
    margin-right:4px}
    .impact{display:flex;flex-wrap:wrap;gap:6px 28px;margin-top:8px;font-size:.875rem}

    """
}
