import { expect, test } from 'vitest'
import { prepare } from '../../../src/conversation/segments/prepare.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'
import { said } from '../../session/conversations.ts'

test('the talk of a subagent whose call has an empty id is kept under a name that a file can have', async () => {
  const ws = openWorkspace((await workspaceLab({ git: 'none' })).environment)
  const { subagents } = prepare(ws, {
    messages: [],
    subagents: { '': [said('a')], c: [said('b')] },
    blobs: new Map(),
  })
  expect(Object.keys(subagents)).toEqual(['unnamed', 'c'])
})
