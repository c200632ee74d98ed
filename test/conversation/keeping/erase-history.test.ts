import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fileNameOf } from '../../../src/store/layout.ts'
import { everything, historyOf, inHistory, spoken } from '../../helpers/history-lab.ts'
import { filesBelow, type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

// promise: `cortext delete` takes the conversation out of every commit there
test('after a delete no object, pack or file has a word of it, also where its folder had another name', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const { path, stop } = await spoken(lab, 'Zebras', 'striped zebras')
  await stop()
  const other = await spoken(lab, 'Pears', 'which pears')
  await other.stop()
  const moved = join(lab.root, dirname(path), '001-plan-okapis')
  renameSync(join(lab.root, path), moved)
  await lab.json(['list', '--json'])
  await lab.json(['edit', '001', '--title', 'Okapis', '--json'])
  const names = inHistory(lab, 'ls-tree', '-r', '--name-only', 'main')
  expect(names).toContain('okapis')
  expect(names).not.toContain('zebras')
  expect(everything(lab)).toMatch(/zebras/i)
  await lab.json(['delete', '001', '--yes', '--json'])
  expect(everything(lab)).not.toMatch(/zebra|okapi/i)
  expect(inHistory(lab, 'log', '--format=%s')).toContain('plan: Pears')
  expect(inHistory(lab, 'fsck', '--strict')).toBe('')
  await lab.json(['delete', '002', '--yes', '--json'])
  expect(everything(lab)).not.toMatch(/pears/i)
})

/** A private workspace with a conversation that was saved twice, by a program without rules, with a secret in it. */
async function leaky() {
  const lab = await workspaceLab({ init: 'private' })
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
  writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "private", "redact": false }\n')
  const { path, claude, stop } = await spoken(lab, 'Pears', `my token is ${secret}`)
  appendFileSync(join(lab.root, path, 'plan.md'), `quince ${secret}\n`)
  await lab.json(['edit', '001', '--title', `Pears ${secret}`, '--json'])
  await lab.json(['save', '001', '--json'])
  writeFileSync(join(lab.root, path, 'plan.md'), 'apricot\n')
  await claude.turn('and figs')
  await stop()
  writeFileSync(join(lab.root, '.workspace/config.json'), '{ "visibility": "private" }\n')
  return { lab, path, secret }
}

const objectsIn = (lab: Lab) => inHistory(lab, 'cat-file', '--batch-all-objects', '--batch')

// promise: and `cortext redact --apply` replaces a secret in all of them
// promise: looks again at what was saved before a rule existed, and with `--apply` replaces it in the files, and in the history of a private workspace
test('a redaction replaces the secret in every version of every file and in the messages of commits, and no version is lost', async () => {
  const { lab, path, secret } = await leaky()
  const texts = () =>
    inHistory(lab, 'rev-list', '--reverse', 'main')
      .trim()
      .split('\n')
      .map((commit) => [
        inHistory(lab, 'show', '--no-patch', '--format=%an %ae %at%n%B', commit),
        ...inHistory(lab, 'ls-tree', '-r', '--name-only', commit)
          .trim()
          .split('\n')
          .map((file) => `${file} ${inHistory(lab, 'show', `${commit}:${file}`)}`),
      ])
  const before = texts()
  expect(JSON.stringify(before)).toContain(secret)
  // What programs have left that were killed just now.
  const put = (name: string) => writeFileSync(join(lab.root, '.git/cortext', name), secret)
  put(`metadata/.${fileNameOf(path)}.json.fedcba9876543210.cortext-tmp`)
  put('.index.json.fedcba9876543210.cortext-tmp')
  expect(await lab.json(['redact', '001', '--apply', '--json'])).toMatchObject({
    versions: expect.any(Number),
  })
  expect(objectsIn(lab)).not.toContain(secret)
  const ours = Object.entries(filesBelow(join(lab.root, '.git/cortext')))
  // The raw copy of the client's transcript stays as it is.
  expect(ours.filter(([name, text]) => !name.startsWith('journal/') && text.includes(secret))).toEqual([])
  const token = /\[REDACTED:github-token:\w+\]/.exec(objectsIn(lab))![0]
  const after = texts()
  expect(after.slice(0, before.length)).toEqual(
    before.map((commit) => commit.map((text) => text.replaceAll(secret, token))),
  )
  expect(inHistory(lab, 'log', '-p', '--format=', '--', `${path}/plan.md`)).toContain(`+quince ${token}`)
  expect(inHistory(lab, 'fsck', '--strict')).toBe('')
})

test('a secret that only earlier versions have is replaced there, and it is said', async () => {
  const { lab, path, secret } = await leaky()
  const messages = join(lab.root, path, '.session/messages.jsonl')
  writeFileSync(messages, readFileSync(messages, 'utf8').replaceAll(secret, 'gone'))
  await lab.json(['edit', '001', '--title', 'Pears', '--json'])
  const { stdout } = await lab.cortext(['redact', '001', '--apply'])
  expect(stdout).toContain('Replaced in 5 earlier versions')
  expect(objectsIn(lab)).not.toContain(secret)
})

// promise: with `--keep-history` both leave earlier commits as they are
// promise: In a private one, `--keep-history` leaves earlier commits
test('with --keep-history a deletion and a redaction are commits like others', async () => {
  const { lab, path, secret } = await leaky()
  const log = () => inHistory(lab, 'rev-list', '--reverse', 'main').trim().split('\n')
  const before = log()
  const redacted = await lab.cortext(['redact', '001', '--apply', '--keep-history'])
  expect(redacted.stderr).toContain('Git history and what was pushed are not')
  expect(readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'utf8')).not.toContain(secret)
  expect(inHistory(lab, 'show', `main:${path}/.session/messages.jsonl`)).not.toContain(secret)
  expect(inHistory(lab, 'log', '-p')).toContain(secret)
  const { stdout } = await lab.cortext(['delete', '001', '--keep-history', '--yes'])
  expect(stdout).toContain('What the history of this workspace has of it stays there')
  expect(inHistory(lab, 'ls-tree', '-r', '--name-only', 'main')).not.toContain('pears')
  expect(log().slice(0, before.length)).toEqual(before)
  expect(inHistory(lab, 'log', '-1', '--format=%s', 'main')).toBe('[conversation] deleted\n')
  expect((await lab.cortext(['list'])).stdout).not.toContain('Pears')
  expect((await lab.cortext(['redact', '001', '--keep-history'])).code).toBe(2)
})

test('doctor says when the history cannot be read, and a deletion does not pretend', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const { stop } = await spoken(lab, 'Pears', 'which pears')
  await stop()
  expect((await lab.cortext(['doctor'])).stdout).toContain(
    'the history of this workspace is in a repository of its own',
  )
  writeFileSync(join(historyOf(lab), 'refs/heads/main'), `${'0'.repeat(39)}1\n`)
  expect((await lab.cortext(['doctor'])).stdout).toMatch(
    /PROBLEM +the history of this workspace cannot be read/,
  )
  expect((await lab.cortext(['delete', '001', '--yes'])).code).toBe(1)
  expect((await lab.cortext(['list'])).stdout).toContain('Pears')
})
