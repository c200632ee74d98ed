import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { ownTranscript } from '../../../src/clients/opencode/data-folder.ts'
import { opencode } from '../../../src/clients/opencode/index.ts'
import { tempFolder } from '../../helpers/repository.ts'

it('the folder in which OpenCode goes on with a session is that of its first record', () => {
  const home = tempFolder()
  const environment = { cwd: home, home, env: {}, now: () => new Date(), interactive: false }
  const folderOf = (id: string) => opencode.sessions.folderOf?.(environment, id)
  const transcript = ownTranscript(environment, 'ses_a')
  mkdirSync(dirname(transcript), { recursive: true })
  const record = { type: 'session', id: 'ses_a', info: { id: 'ses_a', directory: '/home/dev/proj' }, mcp: [] }
  writeFileSync(transcript, `${JSON.stringify(record)}\n`)
  expect(['ses_a', 'ses_b', '../ses_a'].map(folderOf)).toEqual(['/home/dev/proj', undefined, undefined])
})
