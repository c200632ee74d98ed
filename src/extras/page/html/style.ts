/**
 * The look of a page. Colours are pairs, light and dark, and each text has a contrast of 4.5 or more. Fonts are those of
 * the system. Biome does not format it; keep a rule a line.
 */
export const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fcfbf9,#161719);--raised:light-dark(#f4f2ed,#1f2023);--sunk:light-dark(#f6f5f1,#1b1c1f);--line:light-dark(#e5e1d9,#303237);--ink:light-dark(#22211f,#e7e5e0);--quiet:light-dark(#66625a,#a5a19a);--accent:light-dark(#9a4a1f,#e8a075);--link:light-dark(#1f5a92,#8bbcf0);--added:light-dark(#e3f3e4,#173322);--added-ink:light-dark(#1b6330,#8fd6a4);--removed:light-dark(#fbe7e4,#3d1f1f);--removed-ink:light-dark(#9c2b22,#f2a29a);--found:light-dark(#ffe08a,#6b5200);--shade:light-dark(rgb(60 50 30/.07),rgb(0 0 0/.4));--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",sans-serif;--mono:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;--bar:3.5rem}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*,::before,::after{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:16px/1.62 var(--sans);-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:calc(var(--bar) + 1rem);overflow-wrap:anywhere}
body{margin:0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
main:focus,aside:focus{outline:none}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
.skip{position:fixed;z-index:9;left:1rem;top:-4rem;padding:.5rem 1rem;background:var(--paper);border:1px solid var(--line);border-radius:8px}
.skip:focus{top:.6rem}
button{font:inherit;font-size:.8125rem;color:var(--quiet);background:none;border:1px solid transparent;border-radius:7px;padding:.25rem .55rem;min-height:2rem;cursor:pointer}
button:hover,button[aria-pressed=true]{color:var(--ink);background:var(--raised)}
.bar{position:sticky;top:0;z-index:5;background:color-mix(in srgb,var(--paper) 94%,transparent);backdrop-filter:blur(8px);border-bottom:1px solid var(--line)}
.bar-inside{display:flex;align-items:center;gap:.5rem;height:var(--bar);max-width:80rem;margin:0 auto;padding:0 2rem}
.bar-title{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;color:var(--ink);font-weight:600;font-size:.875rem;text-decoration:none}
.all{font-size:.875rem;text-decoration:none;padding-right:.5rem}
.search{display:flex;align-items:center;gap:.25rem;background:var(--raised);border:1px solid transparent;border-radius:9px;padding-right:.25rem}
.search:focus-within{border-color:var(--link);background:var(--paper)}
.search input{font:inherit;font-size:.875rem;color:inherit;width:13rem;border:0;background:none;padding:.3rem .7rem;min-height:2rem;outline:none;appearance:none}
.search input::placeholder{color:var(--quiet);opacity:1}
.search input::-webkit-search-cancel-button{display:none}
#count{font-size:.75rem;color:var(--quiet);white-space:nowrap;font-variant-numeric:tabular-nums}
#count:not(:empty){padding-right:.4rem}
.search button{padding:.1rem .45rem;min-height:1.6rem}
.page{max-width:50rem;margin:0 auto;padding:3rem 2rem 5rem}
.two{display:grid;max-width:80rem;grid-template-columns:minmax(0,1fr) minmax(17rem,23rem);column-gap:4rem;grid-template-areas:"head aside" "talk aside";grid-template-rows:auto 1fr}
.two .head{grid-area:head}
.two main{grid-area:talk;min-width:0}
.two aside{grid-area:aside;position:sticky;top:calc(var(--bar) + 2rem);max-height:calc(100vh - var(--bar) - 4rem);overflow:auto;scrollbar-width:thin;padding-left:2rem;border-left:1px solid var(--line)}
.head{padding-bottom:1.5rem}
.kind{margin:0 0 .5rem;color:var(--accent);font-size:.8125rem;font-weight:600;letter-spacing:.02em}
.status{margin-left:.4rem;padding:.1rem .5rem;border:1px solid var(--line);border-radius:99px;color:var(--quiet);font-weight:500;font-size:.75rem;letter-spacing:0}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.018em;font-weight:650;margin:0 0 1rem;text-wrap:balance}
.summary{font-size:1.0625rem;color:var(--quiet);margin:0 0 1.4rem;max-width:44rem}
.facts{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:0;font-size:.875rem}
.facts div{min-width:0}
.facts dt{color:var(--quiet);font-size:.75rem}
.facts dd{margin:0}
.tags{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;padding:0;margin:1rem 0 0}
.tags li{font-size:.75rem;padding:.1rem .6rem;border-radius:99px;background:var(--raised)}
.jump{display:none}
.day{display:flex;align-items:center;gap:1rem;margin:2.5rem 0 1.5rem;font-size:.8125rem;font-weight:500;color:var(--quiet)}
.day::after{content:"";flex:1;border-top:1px solid var(--line)}
.part{content-visibility:auto;contain-intrinsic-size:auto calc(var(--height)*1px);margin:0 -1.25rem;padding:0 1.25rem}
article{position:relative;margin:0 -1rem;padding:.7rem 1rem;scroll-margin-top:calc(var(--bar) + 1rem)}
article.user{background:var(--raised);border-radius:14px;margin-top:1.75rem;margin-bottom:1rem;padding:.9rem 1.25rem 1rem}
article:target{box-shadow:0 0 0 2px var(--link);border-radius:14px}
article.hit{box-shadow:0 0 0 2px var(--accent);border-radius:14px}
article header{display:flex;align-items:baseline;gap:.6rem;font-size:.8125rem;line-height:1.5;margin-bottom:.3rem}
.who{font-weight:650;color:var(--ink)}
.user .who{color:var(--accent)}
.by{color:var(--quiet);min-width:0}
.end{margin-left:auto;display:flex;align-items:baseline;gap:.7rem;color:var(--quiet);white-space:nowrap;font-variant-numeric:tabular-nums}
.number{color:var(--quiet);text-decoration:none}
.number:hover{color:var(--link);text-decoration:underline}
article .copy{padding:0 .4rem;min-height:1.5rem;margin:-.2rem 0;opacity:0;background:var(--paper)}
article:hover .copy,article .copy:focus-visible{opacity:1}
@media(hover:none){article .copy{opacity:1;background:none}}
.goes-on{padding-top:.1rem}
.goes-on .who,.goes-on .by{display:none}
.goes-on header{position:absolute;right:1rem;top:.1rem;margin:0;opacity:0}
.goes-on:hover header,.goes-on:focus-within header,.goes-on:target header{opacity:1;background:var(--paper);z-index:1;border-radius:6px;padding-left:.5rem}
.back .said,.back .calls,.back header .who{color:var(--quiet)}
article.back{background:repeating-linear-gradient(135deg,transparent 0 9px,var(--sunk) 9px 18px);border-radius:14px;margin-top:.5rem;margin-bottom:.5rem}
article.back .said{text-decoration:line-through;text-decoration-color:var(--line);text-decoration-thickness:1px}
.said>:first-child,.inside>:first-child,.said blockquote>:first-child{margin-top:0}
.said>:last-child,.said blockquote>:last-child{margin-bottom:0}
.said p,.said ul,.said ol,.said blockquote,.said pre,.wide{margin:.75em 0}
.said ul,.said ol{padding-left:1.5em}
.said li{margin:.25em 0}
.said li::marker{color:var(--quiet)}
.said .task{list-style:none;margin-left:-1.35em}
.said h3,.said h4,.said h5,.said h6{line-height:1.3;margin:1.5em 0 .5em;font-weight:650;letter-spacing:-.008em}
.said h3{font-size:1.25rem}.said h4{font-size:1.1rem}.said h5,.said h6{font-size:1rem}
.said blockquote{margin-left:0;padding-left:1rem;border-left:3px solid var(--line);color:var(--quiet)}
.said hr{border:0;border-top:1px solid var(--line);margin:1.5em 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:start;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;font-size:.8125rem;color:var(--quiet)}
.right{text-align:right}.center{text-align:center}
.typed{white-space:pre-wrap}
code,pre,.diff,.tool,.what{font-family:var(--mono);font-size:.84375rem;font-variant-ligatures:none}
:not(pre)>code{background:var(--raised);border-radius:5px;padding:.12em .35em;font-size:.875em}
.user :not(pre)>code{background:var(--paper)}
pre{margin:0;line-height:1.55;tab-size:4}
.code{position:relative;background:var(--sunk);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem;overflow-x:auto;overflow-wrap:normal;scrollbar-width:thin}
.user .code{background:var(--paper)}
.holds-code{position:relative}
.holds-code>.copy{position:absolute;top:.4rem;right:.4rem;background:var(--paper);border-color:var(--line);min-height:1.6rem;padding:0 .5rem}
figure{margin:.75rem 0}
img{display:block;max-width:100%;max-height:36rem;width:auto;height:auto;border-radius:10px;border:1px solid var(--line)}
.file,.left{font-size:.8125rem;color:var(--quiet);margin:.5rem 0}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.calls{margin:.6rem 0 .2rem}
.call,.thinking{margin:0 -.6rem}
.call>summary,.thinking>summary{display:flex;align-items:baseline;gap:.6rem;padding:.28rem .6rem;border-radius:8px;font-size:.84375rem;min-width:0}
.call>summary::before,.thinking>summary::before,details.mark>summary::before{content:"";flex:none;width:.4em;height:.4em;border:solid var(--quiet);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);align-self:center;transition:transform .12s}
[open]>summary::before{transform:rotate(45deg)!important}
@media(prefers-reduced-motion:reduce){*,::before{transition:none!important}}
.call>summary:hover,.thinking>summary:hover,.call[open]>summary{background:var(--raised)}
.tool{font-weight:600;white-space:nowrap;max-width:50%;overflow:hidden;text-overflow:ellipsis;flex:none}
.what{color:var(--quiet);min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.counts{white-space:nowrap;font-size:.75rem;font-variant-numeric:tabular-nums}
.added{color:var(--added-ink)}.removed{color:var(--removed-ink)}
.state{flex:none;margin-left:auto;font-size:.75rem;font-weight:600;color:var(--removed-ink)}
.inside{padding:.5rem .6rem 1rem 1.6rem}
.thinking>summary{color:var(--quiet)}
.thinking .inside{color:var(--quiet);font-size:.9375rem}
.name{font-size:.75rem;font-weight:600;color:var(--quiet);margin:.8rem 0 .3rem}
.out{white-space:pre-wrap;background:var(--sunk);border:1px solid var(--line);border-radius:10px;padding:.7rem .9rem}
.diff{border:1px solid var(--line);border-radius:10px;overflow:hidden;padding:.35rem 0;margin:.2rem 0 .8rem;line-height:1.55;background:var(--sunk)}
.diff>div,.diff>ins,.diff>del{display:flex;text-decoration:none;padding:0 .9rem 0 0;white-space:pre-wrap}
.diff .sign{flex:none;width:1.9rem;text-align:center;color:var(--quiet);user-select:none}
.diff>ins{background:var(--added);box-shadow:inset 3px 0 var(--added-ink)}.diff>ins .sign{color:var(--added-ink)}
.diff>del{background:var(--removed);box-shadow:inset 3px 0 var(--removed-ink)}.diff>del .sign{color:var(--removed-ink)}
.diff .at{color:var(--quiet);padding-left:.9rem}
.diff .left{padding:0 .9rem}
.mark{margin:1.1rem 0;font-size:.8125rem;color:var(--quiet)}
p.mark,.mark>summary{display:flex;align-items:baseline;gap:.7rem}
.mark .words{min-width:0}
.mark time{white-space:nowrap;font-variant-numeric:tabular-nums}
p.mark::before{content:"";flex:none;width:.4rem;height:.4rem;border-radius:50%;background:var(--line);align-self:center}
details.mark .inside{font-size:.9375rem}
aside h2{font-size:.8125rem;font-weight:600;color:var(--quiet);margin:0 0 .8rem}
.document{padding-bottom:2rem}
.document .said{font-size:.9375rem}
.document .said h3{font-size:1.15rem}.document .said h4{font-size:1rem}.document .said h5{font-size:.9375rem}
.turns ol{list-style:none;margin:0;padding:0;font-size:.875rem;line-height:1.45}
.turns .whole{content-visibility:auto;contain-intrinsic-size:auto 187rem}
.turns a{display:block;padding:.3rem .6rem;margin:0 -.6rem;border-radius:7px;color:var(--quiet);text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.turns a:hover,.turns a[aria-current]{color:var(--ink);background:var(--raised)}
.turns .back a{text-decoration:line-through}
.empty{color:var(--quiet)}
.foot{border-top:1px solid var(--line);padding:1.5rem 2rem 3rem;font-size:.8125rem;color:var(--quiet);text-align:center}
::highlight(found){background:var(--found);color:var(--ink)}
.hljs-comment,.hljs-quote,.hljs-meta{color:light-dark(#6a675f,#9a968d)}
.hljs-keyword,.hljs-selector-tag,.hljs-name,.hljs-tag .hljs-name{color:light-dark(#8b2f6b,#e3a0cf)}
.hljs-string,.hljs-regexp,.hljs-symbol,.hljs-link{color:light-dark(#2a6a3c,#9cd0a5)}
.hljs-number,.hljs-literal,.hljs-attr,.hljs-attribute,.hljs-variable.constant_{color:light-dark(#8a4b0f,#e6b47a)}
.hljs-title,.hljs-section,.hljs-built_in,.hljs-type{color:light-dark(#1f5a92,#8bbcf0)}
.hljs-addition{background:var(--added);color:var(--added-ink)}.hljs-deletion{background:var(--removed);color:var(--removed-ink)}
.hljs-emphasis{font-style:italic}.hljs-strong{font-weight:600}
@media(max-width:60rem){.two{display:block}.two aside{position:static;max-height:none;overflow:visible;border-left:0;border-top:1px solid var(--line);padding:2rem 0 0;margin-top:3rem}.jump{display:block;margin:1.25rem 0 0;font-size:.875rem}.page{max-width:50rem}}
@media(max-width:40rem){.part{margin:0 -1.1rem;padding:0 1.1rem;contain-intrinsic-size:auto calc(var(--height)*1.7px)}:root{--bar:3.25rem}html{font-size:16px}.page{padding:1.75rem 1.1rem 3rem}.bar-inside{padding:0 .6rem 0 1.1rem;gap:.15rem}.bar-title{display:none}.search{flex:1;min-width:0}.search input{width:100%;min-width:0;font-size:1rem}h1{font-size:1.55rem}.summary{font-size:1rem}article{margin-left:-.6rem;margin-right:-.6rem;padding-left:.6rem;padding-right:.6rem}article.user{padding:.8rem .9rem}.by{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.call>summary{gap:.45rem}.inside{padding-left:.6rem}.end{gap:.45rem}article .copy{font-size:.75rem}.goes-on header{position:static;opacity:1;margin-bottom:.1rem}.facts{gap:.5rem 1.4rem}}
@media print{:root{color-scheme:light}html{font-size:10.5pt;background:none}.bar,.skip,.copy,.jump,.turns,.number{display:none!important}.page,.two{display:block;max-width:none;padding:0}.two aside{position:static;max-height:none;overflow:visible;border:0;padding:1.5rem 0 0;margin:0;break-before:page}.part{content-visibility:visible}article{margin:0;padding:.5rem 0;box-shadow:none!important}article.user{padding:.6rem .8rem;border:1px solid #ddd}article header,h1,h2,h3,summary{break-after:avoid}.code,.out{white-space:pre-wrap;overflow:visible}pre,figure,.diff{break-inside:avoid-page}a{color:inherit}}
`
