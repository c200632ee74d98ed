import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ensureLocalFolder, journalPath } from '../../../../src/store/layout.ts'
import { copyNewBytes, listGenerations, readJournal } from '../../../../src/store/machine/journal/journal.ts'
import { program, run, syncsOf, tempFolder } from '../../sandbox.ts'

function places() {
  const folder = tempFolder()
  const local = join(folder, 'local')
  const journal = journalPath(local, 'claude', 'abc')
  ensureLocalFolder(local, dirname(journal))
  return { folder, transcript: join(folder, 'transcript.jsonl'), journal }
}

describe('the journal is the transcript', () => {
  test('E-22: new bytes are appended, the size is the cursor', () => {
    const at = places()
    writeFileSync(at.transcript, '{"a":1}\n{"b"')
    expect(copyNewBytes(at)).toEqual({ generation: 'abc.jsonl', size: 12, copied: 12, restarted: false })
    appendFileSync(at.transcript, ':2}\n')
    expect(copyNewBytes(at)).toEqual({ generation: 'abc.jsonl', size: 16, copied: 4, restarted: false })
    expect(copyNewBytes(at)).toEqual({ generation: 'abc.jsonl', size: 16, copied: 0, restarted: false })
    expect(readFileSync(at.journal, 'utf8')).toBe('{"a":1}\n{"b":2}\n')
  })

  test('E-22: what was copied is on the disk, and so is the name of a new generation', async () => {
    const folder = tempFolder()
    const transcript = join(folder, 'transcript.jsonl')
    const copy = `
      import { copyNewBytes } from './store/machine/journal/journal.ts'
      const folder = process.argv[2]
      copyNewBytes({ transcript: folder + '/transcript.jsonl', journal: folder + '/abc.jsonl' })`
    writeFileSync(transcript, '{"a":1}\n')
    expect(await syncsOf(folder, copy)).toEqual(['synced abc.jsonl', 'synced .'])
    appendFileSync(transcript, '{"b":2}\n')
    expect(await syncsOf(folder, copy)).toEqual(['synced abc.jsonl'])
    writeFileSync(transcript, '{"rewritten":true}\n')
    expect(await syncsOf(folder, copy)).toEqual(['synced abc~1.jsonl', 'synced .'])
  })

  // promise: what only this machine knows: raw copies of what was said, copies of documents, caches
  // promise: a raw copy of what every recorded session said, copies of your documents and prompts,
  // promise: It is an unredacted copy of the client's own transcript, and it stays there after a stop
  test('law: after any appends, rewrites and copies, the newest generation equals the transcript', () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('append' as const),
          text: fc.string({ minLength: 1, maxLength: 9000 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('rewrite' as const), text: fc.string({ minLength: 1 }) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), text: fc.constant('') }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('copy' as const), text: fc.constant('') }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const at = places()
        writeFileSync(at.transcript, 'x')
        const history: string[] = []
        for (const { do: what, text } of steps) {
          if (what === 'append') appendFileSync(at.transcript, text)
          if (what === 'rewrite') writeFileSync(at.transcript, `${Math.random()}${text}`)
          if (what === 'cut') truncateSync(at.transcript, Math.ceil(statSync(at.transcript).size / 2))
          if (what === 'copy') {
            const { generation } = copyNewBytes(at)
            const content = readFileSync(at.transcript, 'latin1')
            expect(readFileSync(join(dirname(at.journal), generation), 'latin1')).toBe(content)
            history.push(content)
          }
        }
        // Nothing that was ever copied is lost: it is the beginning of some generation.
        const kept = listGenerations(at.journal).map(({ path }) => readFileSync(path, 'latin1'))
        for (const content of history) expect(kept.some((text) => text.startsWith(content))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('hooks that run at the same moment, while the client writes, need no lock', async () => {
    const at = places()
    const copier = program(
      at.folder,
      `import { copyNewBytes } from './store/machine/journal/journal.ts'
       const [transcript, journal] = process.argv.slice(2)
       for (let i = 0; i < 300; i++) if (copyNewBytes({ transcript, journal }).restarted) throw new Error('restarted')`,
    )
    writeFileSync(at.transcript, `${'first line '.repeat(300_000)}\n`)
    let writing = true
    const hooks = Promise.all([1, 2, 3, 4].map(() => run(copier, [at.transcript, at.journal]))).finally(
      () => {
        writing = false
      },
    )
    while (writing) {
      appendFileSync(at.transcript, `${Math.random()} `.repeat(500))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect((await hooks).map(({ stderr }) => stderr).join('')).toBe('')
    copyNewBytes(at)
    expect(readFileSync(at.journal).equals(readFileSync(at.transcript))).toBe(true)
    expect(listGenerations(at.journal)).toHaveLength(1)
  })

  // promise: While you talk, what
  test('E-20: only this user can read a journal', () => {
    const at = places()
    writeFileSync(at.transcript, 'x')
    copyNewBytes(at)
    expect(statSync(at.journal).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(at.journal)).mode & 0o777).toBe(0o700)
  })
})

describe('a transcript that the client rewrote', () => {
  test.each([
    ['shorter', 'new'],
    ['as long', 'old line 2\n'],
    ['longer', 'new line 1\nand more\n'],
  ])('%s: the old journal stays, under its name', (_, rewritten) => {
    const at = places()
    writeFileSync(at.transcript, 'old line 1\n')
    copyNewBytes(at)
    writeFileSync(at.transcript, rewritten)
    const { size, restarted, generation } = copyNewBytes(at)
    expect({ size, restarted, generation }).toEqual({
      size: rewritten.length,
      restarted: true,
      generation: 'abc~1.jsonl',
    })
    appendFileSync(at.transcript, 'x')
    expect(copyNewBytes(at)).toEqual({
      generation: 'abc~1.jsonl',
      size: size + 1,
      copied: 1,
      restarted: false,
    })
    expect(readFileSync(at.journal, 'utf8')).toBe('old line 1\n')
    expect(listGenerations(at.journal).map(({ name }) => name)).toEqual(['abc.jsonl', 'abc~1.jsonl'])
  })

  test('a transcript that is empty for a moment does not count as rewritten', () => {
    const at = places()
    writeFileSync(at.transcript, 'line\n')
    copyNewBytes(at)
    writeFileSync(at.transcript, '')
    expect(copyNewBytes(at)).toMatchObject({ copied: 0, restarted: false, size: 5 })
  })
})

describe('what is not a transcript', () => {
  test('a missing transcript, and a missing folder, give nothing to copy', () => {
    const at = places()
    expect(copyNewBytes(at)).toEqual({ generation: 'abc.jsonl', size: 0, copied: 0, restarted: false })
    expect(copyNewBytes({ ...at, transcript: join(at.transcript, 'no/such') }).copied).toBe(0)
    expect(existsSync(at.journal)).toBe(false)
    expect(readJournal(at.journal)).toHaveLength(0)
  })

  test('a named pipe does not block the client', () => {
    const at = places()
    execFileSync('mkfifo', [at.transcript])
    expect(copyNewBytes(at).copied).toBe(0)
  })

  test('a symlink in the place of the journal is not written through', () => {
    const at = places()
    const victim = join(at.folder, 'victim')
    writeFileSync(victim, '')
    symlinkSync(victim, at.journal)
    writeFileSync(at.transcript, 'x')
    expect(() => copyNewBytes(at)).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
    expect(readFileSync(victim, 'utf8')).toBe('')
  })

  test('S4-P1-15: ids are not paths, and no id collides with a generation of another', () => {
    const folder = tempFolder()
    const local = join(folder, 'local')
    for (const id of ['../../../etc/passwd', '..', '.hidden', 'a/b', 'a~1', 'é', 'x'.repeat(5000)]) {
      const journal = journalPath(local, 'claude', id)
      expect(dirname(journal)).toBe(join(local, 'journal/claude'))
      mkdirSync(dirname(journal), { recursive: true })
      writeFileSync(join(folder, 't'), id)
      copyNewBytes({ transcript: join(folder, 't'), journal })
    }
    const names = readdirSync(join(local, 'journal/claude'))
    expect(names).toHaveLength(7)
    expect(names.filter((name) => name.startsWith('.') || name.includes('~'))).toEqual([])
  })
})
