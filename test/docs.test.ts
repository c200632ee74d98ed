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
      const link = `the link in ${document} to ${target}`
      expect(existsSync(join(ROOT, target)), `${link}: no such file`).toBe(true)
      if (anchor !== undefined)
        expect(headings(target), `${link}${anchor}: no such heading`).toContain(anchor)
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
    const ours = /^(?:CONTRIBUTING|src\/.*|docs\/decisions)\.md$/
    expect(
      inPackage.filter((path) => ours.test(path)),
      'pages that only we need',
    ).toEqual([])
    const missing = links
      .filter(({ document }) => inPackage.includes(document))
      .filter(({ target }) => !inPackage.some((path) => path === target || path.startsWith(`${target}/`)))
    expect(missing, 'add what is linked to `files` in package.json, or take the link out').toEqual([])
  })
})

describe('the map of the source (src/README.md)', () => {
  const map = read('src/README.md')

  test('names only files and folders that there are', () => {
    const paths = [...map.matchAll(/`((?:<?[\w.-]+>?\/)*(?:<?[\w.-]+>?\/|[\w.-]+\.(?:ts|mjs)))`/g)].map(
      ([, path]) => path!,
    )
    expect(paths.length).toBeGreaterThan(40)
    const missing = paths.filter((path) => path !== '.session/' && !isThere(path))
    expect(missing, 'moved or renamed: name the new place in src/README.md').toEqual([])
  })

  test('names every room', () => {
    const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `\`${name}/\``)
    expect(rooms.length).toBeGreaterThan(10)
    expect(
      rooms.filter((room) => !map.includes(room)),
      'a new room: add a line to the table of rooms in src/README.md',
    ).toEqual([])
  })

  /** Below src/ or the root. `<client>` is any client. */
  function isThere(path: string): boolean {
    const pattern = path.replace('<client>', '*').replace(/\/$/, '')
    return fg.sync([`src/${pattern}`, pattern], { cwd: ROOT, onlyFiles: false }).length > 0
  }
})

describe('CONTRIBUTING.md', () => {
  const text = read('CONTRIBUTING.md')

  test('shows scripts and files that there are', () => {
    const run = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script!)
    expect(run.length).toBeGreaterThan(4)
    expect(
      run.filter((script) => !(script in scripts)),
      'CONTRIBUTING.md shows scripts that package.json does not have',
    ).toEqual([])
    const paths = [...text.matchAll(/(?:src|test|scripts|docs|\.ci)\/[\w./-]*\w/g)].map(([path]) => path)
    expect(paths.length).toBeGreaterThan(15)
    expect(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      'CONTRIBUTING.md names files that are not there',
    ).toEqual([])
  })
})

test('the dictionary has each word once, in one line', () => {
  const words = [...read('docs/dictionary.md').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .map(([, word]) => word!)
    .filter((word) => word !== 'word' && !/^-+$/.test(word))
  expect(words.length).toBeGreaterThan(50)
  expect(
    words.filter((word, at) => words.indexOf(word) !== at),
    'docs/dictionary.md has these twice',
  ).toEqual([])
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
