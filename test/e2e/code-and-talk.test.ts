import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bash, read, tool } from './reply.ts'
import { openWorkspaceLab, STOP_BODY, stopWith } from './workspace-lab.ts'

it('lines that the real client wrote name the conversation, its own commit too; those by hand and by sed name none', async () => {
  await using lab = await openWorkspaceLab()
  const file = join(lab.project, 'limits.ts')
  writeFileSync(file, 'export const lower = 1\nexport const upper = 9\n')
  lab.git('add', 'limits.ts')
  lab.git('commit', '--quiet', '--message', 'by hand')
  const change = { file_path: file, old_string: 'upper = 9', new_string: 'upper = 10\nexport const step = 2' }
  lab.model.when('Topic:', 'Welcome.')
  lab.model.when('raise the upper limit', read(file), tool('Edit', change), 'Raised.')
  lab.model.when(
    'commit it',
    bash("git commit --quiet --all --message 'x' --dry-run; git commit --all --message 'Raise it'"),
    'Committed.',
  )
  lab.model.when('use sed', bash("sed -i 's/lower = 1/lower = 0/' limits.ts"), 'Done with sed.')
  lab.model.when(
    'another file',
    tool('Write', { file_path: join(lab.project, 'more.ts'), content: 'export const more = 3\n' }),
    'Written.',
  )
  lab.model.when(STOP_BODY, bash(stopWith('Limits were raised.')), 'Saved.')

  const terminal = await lab.interactive(['--allowedTools=Bash,Read,Edit,Write'])
  for (const [typed, answer] of [
    ['/workspace.brainstorm limits', 'Welcome.'],
    ['raise the upper limit', 'Raised.'],
    ['commit it', 'Committed.'],
    ['use sed', 'Done with sed.'],
    ['another file', 'Written.'],
    ['/workspace.stop-conversation', 'Saved.'],
  ] as const) {
    await terminal.submit(typed)
    await terminal.waitFor(answer)
  }
  await lab.leave(terminal)
  expect(readFileSync(file, 'utf8')).toBe(
    'export const lower = 0\nexport const upper = 10\nexport const step = 2\n',
  )
  const [folder] = lab.conversations()
  const id = folder!.split('/').at(-1)!
  const why = async (place: string) => JSON.parse((await lab.cortext(['why', place, '--json'])).stdout)

  for (const line of [2, 3]) {
    const found = await why(`limits.ts:${line}`)
    expect(found.wrote).toMatchObject({ id, asked: 'raise the upper limit' })
    expect(found.commit).toMatchObject({ subject: 'Raise it', conversations: [{ id, how: 'made in it' }] })
    const shown = await lab.cortext(['show', found.wrote.id, '--at', found.wrote.at])
    expect(shown.stdout).toContain('raise the upper limit')
  }
  expect(await why('limits.ts:1')).toMatchObject({ wrote: null, commit: null })
  expect((await why('more.ts:1')).wrote).toMatchObject({ id, asked: 'another file' })
  const log = JSON.parse((await lab.cortext(['log', id, '--json'])).stdout)
  expect(log).toMatchObject({
    files: [
      { path: 'limits.ts', action: 'modified' },
      { path: 'more.ts', action: 'created' },
    ],
    commits: [{ subject: 'Raise it', sha: expect.stringMatching(/^[0-9a-f]{40}$/) }],
    saved: [{ sha: lab.git('rev-parse', 'HEAD') }],
  })
  expect(lab.git('log', '-1', '--format=%(trailers:key=Conversation,valueonly)').trim()).toBe(
    folder!.split('/').slice(-2).join('/'),
  )
})
