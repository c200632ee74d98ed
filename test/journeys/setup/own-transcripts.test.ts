import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientList, clientOf } from '../../../src/clients/index.ts'
import { removeOwnTranscripts } from '../../../src/journeys/setup/uninstall.ts'

function setUp() {
  const home = mkdtempSync(join(tmpdir(), 'cortext-transcripts-'))
  const environment = { cwd: home, home, env: {}, now: () => new Date(), interactive: false }
  const local = join(home, 'local')
  mkdirSync(join(local, 'bindings'), { recursive: true })
  const write = (path: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '{}\n')
    return path
  }
  return {
    folder: join(home, '.local', 'share', 'cortext'),
    transcript: (client: string, id: string) =>
      write(clientOf(client).sessions.transcriptPath(environment, home, id)),
    bind(client: string, nativeId: string, transcript: string) {
      const binding = { client, native_id: nativeId, transcript, root: home, segments: [] }
      writeFileSync(join(local, 'bindings', `${client}-${nativeId}.json`), JSON.stringify(binding))
    },
    write: (name: string) => write(join(home, name)),
    remove: () => removeOwnTranscripts(environment, { root: home, local, clients: clientList() }),
  }
}

describe('the transcripts that cortext wrote', () => {
  it('are removed with their folders, unless another workspace has some there', () => {
    const { bind, transcript, remove, folder } = setUp()
    const path = transcript('opencode', 'ses_a')
    bind('opencode', 'ses_a', path)
    expect(remove()).toEqual([path])
    expect(existsSync(folder)).toBe(false)
  })

  it('stay where they belong to another workspace, to a client, or to the person', () => {
    const { bind, transcript, remove, folder, write } = setUp()
    const kept = [transcript('claude', 'c'), write('mine.jsonl')]
    transcript('opencode', 'ses_other')
    bind('claude', 'c', kept[0]!)
    bind('opencode', 'ses_file', kept[1]!)
    expect(remove()).toEqual([])
    expect(readdirSync(join(folder, 'opencode'))).toEqual(['ses_other.jsonl'])
    for (const path of kept) expect(existsSync(path)).toBe(true)
  })
})
