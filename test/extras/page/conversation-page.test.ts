import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX } from '../../../src/extras/page/html/bounds.ts'
import { conversationPage } from '../../../src/extras/page/html/conversation-page.ts'
import { countsOf, linesOf } from '../../../src/extras/page/html/diff.ts'
import { rewound, said, session, text } from '../../session/conversations.ts'
import { example, pageOfMessages } from './example.ts'
import { HOSTILE_TEXTS, hostileTalk } from './hostile.ts'

/** Elements that a page of ours consists of; a text of a record adds no other one. */
const OWN = new Set(
  'html head meta title link style body a header search input span button div p h1 h2 h3 h4 h5 h6 dl dt dd ul ol li main article time details summary pre code ins del table thead tbody tr th td blockquote strong em s hr br figure img aside section nav footer script'.split(
    ' ',
  ),
)

test('an import is dated by the talk that it brought', () => {
  const [started, ...talk] = example().messages
  const page = pageOfMessages([{ ...started!, timestamp: '2026-12-24T10:00:00Z' }, ...talk])
  expect(page).toMatch(/Started in Claude Code<\/span><span>21 Nov 2026/)
})

describe.each(Object.entries(HOSTILE_TEXTS))('%s', (_name, hostile) => {
  const page = pageOfMessages(hostileTalk(hostile), {
    path: 'conversations/2026-11-21/001-x',
    session: session({
      title: hostile.slice(0, 500),
      context_summary: hostile,
      conversation_type: hostile.slice(0, 100),
      tags: [hostile.slice(0, 100)],
    }),
    documents: [{ name: `${hostile.slice(0, 50)}.md`, text: hostile }],
  })

  // promise: No script, handler, style, frame,
  test('adds no element, no handler and no style of its own', () => {
    const { tags, attributes } = markupOf(page)
    expect([...tags].filter((tag) => !OWN.has(tag))).toEqual([])
    expect(
      [...attributes].filter((name) => /^on|^style$|^srcdoc$|^action$|^formaction$|^ping$/.test(name)),
    ).toEqual([])
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page.match(/<style/g)).toHaveLength(1)
  })

  // promise: A page is one HTML file that needs no network.
  // promise: A page loads nothing and sends nothing.
  // promise: A link in it leads to `http:`, `https:` or `mailto:`, tells no referrer, and shows its target
  // promise: It is the one way out of a page
  test('links only to a place in the page, a web page or a mail address, and loads nothing', () => {
    for (const [, target] of page.matchAll(/<[^>]* href="([^"]*)"/g))
      expect(target).toMatch(/^(#[\w-]+|https?:\/\/|mailto:|data:,$)/)
    for (const [, source] of page.matchAll(/<[^>]* src="([^"]*)"/g))
      expect(source).toMatch(/^data:image\/png;/)
  })

  test('changes no writing direction, and adds no control character', () => {
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  })
})

// promise: Its policy names the hashes of its one script and one style
test('the policy contains the hashes of the script and the style in the page', () => {
  const page = conversationPage(example())
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
    .exec(page)![1]!
    .replaceAll('&#39;', "'")
  const hash = (element: string) =>
    createHash('sha256')
      .update(page.slice(page.indexOf(`<${element}>`) + element.length + 2, page.indexOf(`</${element}>`)))
      .digest('base64')
  expect(policy).toContain(`script-src 'sha256-${hash('script')}'`)
  expect(policy).toContain(`style-src 'sha256-${hash('style')}'`)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

test('law: any text is shown word for word, without characters that no page shows', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (any) => {
      const page = pageOfMessages([
        said('1', { role: 'tool', tool_call_id: 'x', tool_name: 'T', content: `|${any}|` }),
      ])
      const out = unescaped(/<pre class="out"[^>]*>([\s\S]*?)<\/pre>/.exec(page)![1]!)
      expect(out).toBe(
        `|${any}|`.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ''),
      )
    }),
  )
})

// promise: No script, handler, style, frame, form, SVG or other element of a conversation is in a page
test('law: whatever a message contains, its page has only the elements of cortext and one script', () => {
  fc.assert(
    fc.property(text, text, (said1, said2) => {
      const page = pageOfMessages(hostileTalk(`${said1}\n\n${said2}`))
      expect([...markupOf(page).tags].filter((tag) => !OWN.has(tag))).toEqual([])
      expect(page.match(/<script/g)).toHaveLength(1)
    }),
    { numRuns: 40 },
  )
})

describe('the content of a page', () => {
  const page = conversationPage(example())

  test('messages have the numbers of `show --at`, as links', () => {
    const numbers = [...page.matchAll(/<article id="m-(\d+)"/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(page).toContain('<a class="number" href="#m-6"')
  })

  // promise: A page is one HTML
  test('a message that was taken back is grey and says so; later ones are not', () => {
    expect(classOf(page, 4)).toContain('back')
    expect(classOf(page, 5)).toContain('back')
    expect(page).toContain('aria-label="Message 5, Claude Code, taken back"')
    expect(classOf(page, 6)).not.toContain('back')
  })

  test('messages before a conversation began anew do not count as taken back', () => {
    const anew = said('e', { role: 'system', content: '', event: 'cleared', anew: true })
    const both = pageOfMessages([said('1'), said('2'), rewound('1'), said('3'), anew, said('4')])
    expect([1, 2, 3, 4].map((number) => classOf(both, number).includes('back'))).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  // promise: A page is one HTML
  test('a call is one line, with its result inside, and says that it failed or was refused', () => {
    const bash = /<details class="call failed">[\s\S]*?<\/details>/.exec(page)![0]
    expect(bash).toContain('<span class="tool">Bash</span>')
    expect(bash).toContain('npm test -- token --reporter=dot')
    expect(bash).toContain('revoked is not iterable')
    expect(page).toContain('<details class="call refused">')
  })

  test('in a hunk, lines of two more signs are what was removed and added, not the head of a file', () => {
    const patch = [
      ...['--- a/x.sql', '+++ b/x.sql', '@@ -1,2 +1,2 @@', '--- old', '+++ i', ' same'],
      ...['--- a/y.sql', '+++ b/y.sql', '@@ -1 +1 @@', '-a', '+b'],
    ].join('\n')
    const lines = linesOf({ patch })
    expect(lines.map(({ sign }) => sign).join('')).toBe('@@@-+ @@@-+')
    expect(lines[3]).toEqual({ sign: '-', text: '-- old' })
    expect(countsOf(lines)).toEqual({ added: 2, removed: 2 })
  })

  test('an edit is a diff in which each line has its sign', () => {
    expect(page).toContain('<span class="added">+2</span> <span class="removed">−2</span>')
    expect(page).toMatch(
      /<del><span class="sign">−<\/span><span dir="auto"> {2}const list = await readRevoked\(\)/,
    )
    expect(page).toMatch(
      /<ins><span class="sign">\+<\/span><span dir="auto"> {2}return !tokens\.has\(token\)/,
    )
    expect(page).toMatch(/<div><span class="sign"> <\/span><span dir="auto">}/)
  })

  test('events are marks, messages name author and client, and the document is beside the talk', () => {
    for (const words of ['Started in Claude Code', 'Rewound', 'Context compacted', 'Resumed in Gemini CLI'])
      expect(page).toContain(words)
    expect(page).toMatch(/<span class="who" dir="auto">Bob<\/span><span class="by" dir="auto">in Gemini CLI/)
    expect(page).toContain('aria-label="Document debug.md"')
    expect(page).toContain('☑ Keep a <code dir="auto">Set</code>')
  })

  test('thinking is folded', () => {
    expect(page).toMatch(/<details class="thinking"><summary>Thinking<\/summary>/)
    expect(page).not.toContain('<details open')
  })
})

describe('images', () => {
  const withImage = (bytes: Uint8Array, media_type = 'image/png') =>
    pageOfMessages(
      [said('1', { attachments: [{ media_type, sha256: 'a', bytes: bytes.length, name: 'pic' }] })],
      {
        read: (_sha256, most) => (bytes.length <= most ? bytes : undefined),
      },
    )
  const png = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1')

  // promise: Only pictures whose bytes are
  test('a raster image is in the page itself', () => {
    expect(withImage(png)).toContain(
      `<img src="data:image/png;base64,${png.toString('base64')}" alt="Attached image: pic"`,
    )
  })

  // promise: Only pictures whose bytes are of a raster format are shown
  test.each([
    ['image/svg+xml', '<svg onload="x"/>'],
    ['image/png', '<svg onload="x"/>'],
    ['image/png', '<html><script>x</script>'],
    ['text/html', '\x89PNG\r\n\x1a\n'],
  ])('an attachment with the type %s and the bytes %j is named, not shown', (type, content) => {
    const page = withImage(Buffer.from(content, 'latin1'), type)
    expect(page).not.toContain('<img')
    expect(page).toContain('>Attached</span>')
  })

  test('an image that is too large is named, and all images of a page have a limit', () => {
    expect(withImage(Buffer.concat([png, Buffer.alloc(MAX.image)]))).not.toContain('<img')
    const bytes = Buffer.concat([png, Buffer.alloc(MAX.image - png.length)])
    const file = { media_type: 'image/png', sha256: 'a', bytes: bytes.length }
    const page = pageOfMessages([said('1', { attachments: Array(20).fill(file) })], {
      read: (_sha256, most) => (bytes.length <= most ? bytes : undefined),
    })
    expect(page.match(/<img/g)).toHaveLength(Math.floor(MAX.images / MAX.image))
  })
})

describe('sizes', () => {
  test('a long result keeps its beginning and end and says how much is missing', () => {
    const page = pageOfMessages([
      said('1', { role: 'tool', tool_call_id: 'x', content: `HEAD${'x'.repeat(100_000)}TAIL` }),
    ])
    expect(page).toContain('HEADxxx')
    expect(page).toContain('xxxTAIL')
    expect(page).toContain('80,008 characters left out')
  })

  test('the length of a page has a limit, however many results there are', () => {
    const results = Array.from({ length: 3000 }, (_, n) =>
      said(`${n}`, { role: 'tool', tool_call_id: `${n}`, content: 'x'.repeat(20_000) }),
    )
    expect(pageOfMessages(results).length).toBeLessThan(MAX.results + 3000 * 2500)
  })
})

function classOf(page: string, number: number): string {
  return new RegExp(`<article id="m-${number}" class="([^"]*)"`).exec(page)![1]!
}

/** The tags and attributes of a page whose quotes are all closed, by the rules of HTML for what lies between `<` and `>`. */
function markupOf(page: string): { tags: Set<string>; attributes: Set<string> } {
  const markup = page.replace(/(<(script|style)>)[\s\S]*?(<\/\2>)/g, '$1$3')
  const tags = new Set<string>()
  const attributes = new Set<string>()
  for (const [, tag, rest] of markup.matchAll(/<\/?([a-z][^\s/>]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*>/gi)) {
    tags.add(tag!.toLowerCase())
    for (const [, name] of rest!.matchAll(/\s([^\s=>"]+)(?:="[^"]*")?/g)) attributes.add(name!.toLowerCase())
  }
  // Every `<` of the page begins one of these, so nothing else can be read as markup.
  const left = markup
    .replace(/<\/?([a-z][^\s/>]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*>/gi, '')
    .replace('<!doctype html>', '')
  expect(left).not.toContain('<')
  return { tags, attributes }
}

function unescaped(markup: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return markup.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name]!)
}
