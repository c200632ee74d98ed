/** What an index has beside the look of every page. */
export const INDEX_STYLE = `
.index{max-width:56rem}
.index h1{margin-bottom:.4rem}
.index .search input{width:18rem}
.activity{margin:1.75rem 0 0}
.activity svg{display:block;width:100%;max-width:44rem;height:auto}
.activity text{fill:var(--quiet);font:9px var(--sans)}
.activity figcaption{font-size:.75rem;color:var(--quiet);margin-top:.5rem}
.l0{fill:var(--raised)}.l1{fill:light-dark(#f0cfb8,#4a3022)}.l2{fill:light-dark(#df9d70,#7d4c2e)}.l3{fill:light-dark(#c06a35,#b8703f)}.l4{fill:light-dark(#8a3f14,#eeb086)}
.filters{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;margin-top:1.5rem;font-size:.8125rem;color:var(--quiet)}
select{font:inherit;color:var(--ink);background:var(--raised);border:1px solid transparent;border-radius:8px;padding:.3rem .5rem;margin-left:.3rem;max-width:12rem}
.of-day{content-visibility:auto;contain-intrinsic-size:auto 14rem}
.cards{list-style:none;margin:0;padding:0}
.card{position:relative;padding:.9rem 1.1rem;margin:0 -1.1rem;border-radius:12px}
.of-day{margin:0 -1.2rem;padding:0 1.2rem}
.card:hover,.card:focus-within{background:var(--raised)}
.card a{font-weight:600;color:var(--ink);text-decoration:none}
.card a::after{content:"";position:absolute;inset:0;border-radius:12px}
.card p{margin:.2rem 0 0;font-size:.9375rem;color:var(--quiet)}
.card .line{display:flex;flex-wrap:wrap;gap:.15rem .9rem;font-size:.8125rem;margin-top:.4rem}
.card .kind{margin:0}
.card .tag{background:var(--raised);border-radius:99px;padding:0 .55rem}
.card:hover .tag{background:var(--paper)}
[hidden]{display:none!important}
@media(max-width:40rem){.activity text{display:none}.of-day{margin:0 -1.1rem;padding:0 1.1rem}.index .search input{width:100%}select{min-height:2.2rem}}
@media print{.filters{display:none}.of-day{content-visibility:visible}}
`
