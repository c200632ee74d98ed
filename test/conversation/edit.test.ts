import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { create } from '../../src/conversation/create.ts'
import { editConversation } from '../../src/conversation/edit.ts'
import { publish } from '../../src/conversation/publish.ts'
import { openWorkspace } from '../../src/workspace/open.ts'
import { sessionFile, workspaceLab } from '../helpers/workspace-lab.ts'

// Put together here, so that no scanner takes this file for a leak.
const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`

async function started() {
  const lab = await workspaceLab()
  const ws = openWorkspace(lab.environment)
  const { path } = await create(ws, { type: 'plan', title: 'T' })
  return { lab, ws, path, read: () => readFileSync(sessionFile(lab, path), 'utf8') }
}

test.each([
  ['a title', { title: `New ${secret}` }],
  ['a summary', { summary: `uses ${secret}` }],
  ['a tag', { tag: ['work', secret] }],
])('E-20 a secret in a later %s is not saved', async (_, change) => {
  const { ws, path, read } = await started()
  await editConversation(ws, path, change, false)
  await publish(ws, path)
  expect(read()).toContain('[REDACTED:github-token:')
  expect(read()).not.toContain(secret)
})

test('X-6 archiving again keeps the first date, and other changes keep it too', async () => {
  const { ws, path } = await started()
  const at = (iso: string) => ({ ...ws, environment: { ...ws.environment, now: () => new Date(iso) } })
  const first = '2026-11-21T10:30:00.000Z'
  await editConversation(at(first), path, { archived: true }, false)
  const later = at('2026-11-22T10:30:00Z')
  expect(await editConversation(later, path, { archived: true }, false)).toMatchObject({ archived_at: first })
  expect(await editConversation(later, path, { title: 'U' }, false)).toMatchObject({ archived_at: first })
  expect(await editConversation(later, path, { archived: false }, false)).not.toHaveProperty('archived_at')
})
