import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fg from 'fast-glob'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const { files: shipped, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const documents = fg.sync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'test/bench/*.md'], { cwd: ROOT })

describe('links', () => {
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)\s#]*)(#[^)]*)?\)/g)].map(([, path, anchor]) => ({
      document,
      target: path === '' ? document : join(dirname(document), path!),
      anchor,
    })),
  )

  test('each leads to a file, or a heading of it', () => {
    expect(links.length).toBeGreaterThan(15)
    for (const { document, target, anchor } of links) {
      expect(existsSync(join(ROOT, target)), `${document} → ${target}`).toBe(true)
      if (anchor !== undefined) expect(headings(target), `${document} → ${target}${anchor}`).toContain(anchor)
    }
  })

  test('what a shipped document links to is shipped, so that it is there on the page of the package too', () => {
    const inPackage = fg.sync(
      // npm ships these whatever `files` says.
      [
        'README.md',
        'LICENSE',
        'package.json',
        ...shipped.flatMap((path: string) => (/\.|\*/.test(path) ? path : `${path}/**`)),
      ],
      { cwd: ROOT },
    )
    expect(inPackage).toContain('docs/context.md')
    const missing = links
      .filter(({ document }) => inPackage.includes(document))
      .filter(({ target }) => !inPackage.some((path) => path === target || path.startsWith(`${target}/`)))
    expect(missing).toEqual([])
  })
})

describe('the map of the source (src/README.md)', () => {
  const clients = ['claude', 'codex', 'gemini', 'opencode']
  const inTree = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(new RegExp(`^clients/(${clients.join('|')})/`), 'clients/<client>/'))
  const inMap = [...read('src/README.md').matchAll(/^- `([^`]+\.ts)` /gm)].map(([, path]) => path!)

  test('names every file that is there, a file of several clients once', () => {
    expect(inTree.length).toBeGreaterThan(200)
    expect([...new Set(inTree)].filter((path) => !inMap.includes(path))).toEqual([])
  })

  test('names no file that is not there, and none twice', () => {
    expect(inMap.filter((path) => !inTree.includes(path))).toEqual([])
    expect(inMap).toHaveLength(new Set(inMap).size)
  })
})

describe('CONTRIBUTING.md', () => {
  const text = read('CONTRIBUTING.md')

  test('shows scripts and files that there are', () => {
    const run = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script!)
    expect(run.length).toBeGreaterThan(4)
    expect(run.filter((script) => !(script in scripts))).toEqual([])
    const paths = [...text.matchAll(/(?:src|test|scripts|docs|\.ci)\/[\w./-]*\w/g)].map(([path]) => path)
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

test('the dictionary has each word once, in one line', () => {
  const words = [...read('docs/dictionary.md').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .map(([, word]) => word!)
    .filter((word) => word !== 'word' && !/^-+$/.test(word))
  expect(words.length).toBeGreaterThan(50)
  expect(words).toHaveLength(new Set(words).size)
})

function read(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8')
}

/** As the pages of repositories make anchors of headings. */
function headings(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.+)$/gm)].map(
    ([, text]) =>
      `#${text!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')}`,
  )
}
