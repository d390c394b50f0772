/**
 * Colours of page and pictures. Text has a contrast of at least 4.5 to the background, what only is drawn at least 3; the series
 * can also be told apart by their order and by the table behind each picture.
 */
const LIGHT = `
  --page: #ffffff; --soft: #f5f7f9; --line: #d9dfe5; --ink: #1a2027; --muted: #56616d;
  --s1: #1f6fb2; --s2: #b35c00; --s3: #2b8a3e; --s4: #7a4fbf; --s5: #c2255c; --s6: #0b7285; --s7: #6b7680;
  --good: #237a34; --warn: #9a5b00; --bad: #c92a2a; --band: #1f6fb226;`;
const DARK = `
  --page: #11161c; --soft: #1a212a; --line: #313b46; --ink: #e6ebf0; --muted: #a0acb8;
  --s1: #6cb2f0; --s2: #f0a04b; --s3: #69c97e; --s4: #b79bf0; --s5: #f283ab; --s6: #4dc4d6; --s7: #9aa5b0;
  --good: #69c97e; --warn: #f0b23f; --bad: #ff8787; --band: #6cb2f026;`;

/** How many series have a colour of their own: classes `s1` to `s7`, `f1` to `f7` for surfaces. */
export const SERIES_COLOURS = 7;

const series = Array.from({ length: SERIES_COLOURS }, (_, i) => i + 1)
  .map((n) => `.s${n}{stroke:var(--s${n})}.f${n}{fill:var(--s${n})}.k${n}{background:var(--s${n})}`)
  .join("");

/** Of pictures, inside a page or alone. */
export const PICTURE_STYLE = `
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;fill:var(--muted)}
svg text.ink{fill:var(--ink)}svg text.strong{fill:var(--ink);font-weight:600}svg text.halo{paint-order:stroke;stroke:var(--page);stroke-width:4px;stroke-linejoin:round}
svg .grid{stroke:var(--line);stroke-width:1}svg .leader{stroke:var(--muted);stroke-width:1;stroke-dasharray:2 3}svg .axis{stroke:var(--muted);stroke-width:1}
svg .curve{fill:none;stroke-width:1.75;stroke-linejoin:round}svg .surface{opacity:.16}
svg .lane{fill:var(--soft)}svg .mark{fill:none;stroke:var(--ink);stroke-width:1.3}svg .moved,svg .timeout{fill:var(--page)}
svg .quarantined{stroke:var(--bad);stroke-width:2}svg .silence{stroke:var(--muted);stroke-width:1;stroke-dasharray:3 3}
svg .break{stroke:var(--line);stroke-width:2;stroke-dasharray:2 4}svg .edge{stroke:var(--bad);stroke-width:1.5}svg text.small{font-size:11px;font-style:italic}
svg .gone{fill:var(--line);opacity:.55}svg .dot{stroke:var(--page);stroke-width:2}
${series}`;

const PAGE_STYLE = `
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:960px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .3em;overflow-wrap:anywhere}
.date{white-space:nowrap}h2{font-size:1.2rem;margin:2.2em 0 .5em}h3{font-size:1rem;margin:1.6em 0 .4em}
p{margin:.5em 0}code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em;overflow-wrap:anywhere}
.muted,figcaption p,footer{color:var(--muted)}.small{font-size:.875rem}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
figure{margin:1.4em 0 2em}figcaption{margin-bottom:.6em}figcaption strong{display:block}figcaption p{margin:.1em 0 0;font-size:.875rem}
.legend{display:flex;flex-wrap:wrap;gap:.2em 1.1em;margin:.4em 0;padding:0;list-style:none;font-size:.875rem}
.legend i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
figure svg{display:block;width:100%;height:auto;overflow:visible}
.narrow{display:none;max-width:460px}
@media screen and (max-width:719px){.wide{display:none}.narrow{display:block}main{padding:20px 14px 36px}h1{font-size:1.35rem}}
.scroll{overflow-x:auto}
.pairs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(400px,100%),1fr));gap:0 44px}.pairs>*{min-width:0}
@media screen and (max-width:719px){.stacked thead{display:none}.stacked tr{display:block;padding:.6em 0;border-bottom:1px solid var(--line)}
.stacked td,.stacked td.number,.stacked td.bar{display:flex;justify-content:space-between;gap:1.2em;width:100%;border:0;padding:.1em 0;text-align:right;white-space:normal}
.stacked td::before{content:attr(data-of);color:var(--muted);text-align:left;flex:none}.stacked td:first-child{font-weight:600}.stacked td:first-child::before{content:none}
.stacked td.bar{padding:.35em 0}.stacked td.bar::before{content:none}.stacked td.prose{display:block;text-align:left}.stacked td.prose::before{content:none}}
table{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{padding:.35em .9em .35em 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--muted)}td.id{overflow-wrap:anywhere;min-width:7em}td code{white-space:nowrap}th:last-child,td:last-child{padding-right:0}
th.number,td.number{text-align:right}td.number{white-space:nowrap}th{vertical-align:bottom}td.bar{width:32%;min-width:50px;vertical-align:middle}
td.bar svg{display:block;width:100%;height:.85em}
details{margin:.6em 0;font-size:.875rem}summary{cursor:pointer;color:var(--muted)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;margin:1em 0}
.tiles div{background:var(--soft);border-radius:8px;padding:.7em .9em}
.tiles dt,.tiles b{display:block}.tiles b{overflow-wrap:anywhere;font-size:1.35rem;line-height:1.25;font-variant-numeric:tabular-nums}
.tiles span{font-size:.8125rem;color:var(--muted);display:block}
footer{margin-top:3em;padding-top:1em;border-top:1px solid var(--line);font-size:.8125rem}
@media print{body{font-size:10pt}main{max-width:none;padding:0}table{font-size:8pt}details table{font-size:7pt}.scroll{overflow:visible}
details th{overflow-wrap:anywhere}th,td{padding:.2em .6em .2em 0}tr,svg,.tiles div{break-inside:avoid}h2,h3,figcaption,.legend,summary,p.small{break-after:avoid}
.tiles{grid-template-columns:repeat(auto-fit,minmax(110px,1fr))}details::details-content{content-visibility:visible;display:block}}`;

const rules = (light: string, dark: string): string =>
  `:root{color-scheme:light dark;${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;

/** For a page. */
export const pageStyle = (): string => `${rules(LIGHT, DARK)}${PICTURE_STYLE}${PAGE_STYLE}`;

/** For a picture that is a file of its own. */
export const pictureStyle = (): string => `${rules(LIGHT, DARK)}svg{background:var(--page)}${PICTURE_STYLE}`;
