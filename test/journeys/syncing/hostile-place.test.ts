import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMachines, say } from '../../helpers/machines.ts'
import { filesBelow, type Lab } from '../../helpers/workspace-lab.ts'

const CONVERSATION = 'conversations/2026-11-21/001-chat-x'
const session = (more = {}) =>
  JSON.stringify({
    conversation_id: '001-chat-x',
    conversation_type: 'chat',
    title: 'x',
    status: 'paused',
    created_at: '2026-11-21T00:00:00Z',
    last_active: '2026-11-21T00:00:00Z',
    origin: 'a1a1a1a1a1a1',
    ...more,
  })

/** What a stranger puts into the branch of the project: files by path, and links by path. */
const FORMS: Record<string, { files?: Record<string, string>; links?: Record<string, string> }> = {
  'a conversation that is a link': { links: { [CONVERSATION]: '../../../outside' } },
  'a record that is a link': {
    files: { [`${CONVERSATION}/x.md`]: 'x' },
    links: { [`${CONVERSATION}/.session`]: '../../../../outside' },
  },
  'a session.json that is a link': {
    links: { [`${CONVERSATION}/.session/session.json`]: '../../../../outside/session.json' },
  },
  'a conversation outside of the folders of types': {
    files: { 'src/x/.session/session.json': session(), 'src/x/a.ts': 'x' },
  },
  'a conversation at the top': { files: { '.session/session.json': session(), 'package.json': '{}' } },
  'a hidden file in a conversation': {
    files: {
      [`${CONVERSATION}/.session/session.json`]: session(),
      [`${CONVERSATION}/.envrc`]: 'x',
      [`${CONVERSATION}/.vscode/tasks.json`]: '{}',
    },
  },
  'attributes and ignores': {
    files: {
      [`${CONVERSATION}/.session/session.json`]: session(),
      [`${CONVERSATION}/.gitattributes`]: '* filter=x',
    },
  },
  'local state': {
    files: { '.workspace/local/x/place.json': '{}', '.workspace/config.json': '{"redact":false}' },
  },
  'settings of clients': {
    files: { '.claude/settings.json': '{"hooks":{}}', 'CLAUDE.md': 'x', 'AGENTS.md': 'x' },
  },
  'an id of a path': {
    files: {
      [`${CONVERSATION}/.session/session.json`]: session({
        origin: '../../../x',
        conversation_id: '../../x',
      }),
    },
  },
  'a session.json that is no JSON': { files: { [`${CONVERSATION}/.session/session.json`]: '{"a":' } },
  'a session.json that is deep': {
    files: { [`${CONVERSATION}/.session/session.json`]: '['.repeat(100_000) },
  },
  'a newer version': { files: { [`${CONVERSATION}/.session/session.json`]: session({ version: '99.0' }) } },
  'lines that are no messages': {
    files: {
      [`${CONVERSATION}/.session/session.json`]: session(),
      [`${CONVERSATION}/.session/messages.jsonl`]: 'x\n{}\n[]\n\u0000\n',
    },
  },
  'a title that a terminal obeys': {
    files: { [`${CONVERSATION}/.session/session.json`]: session({ title: '\u001b[31mred\u0007' }) },
  },
  'marks of what nobody has deleted': {
    files: { '.workspace/gone.json': '{"deleted":["x",1,null],"redacted":[1,2]}' },
  },
  'a type with a folder outside': {
    files: {
      '.workspace/registry.json':
        '{"types":{"x":{"folder":"../x","command":"workspace.x"},"y":{"folder":".git/hooks"}}}',
    },
  },
  'many conversations with one origin': {
    files: Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `conversations/2026-11-21/${100 + n}-chat-x/.session/session.json`,
        session(),
      ]),
    ),
  },
}

// promise: a file comes only into the folder of a conversation
test.each(Object.keys(FORMS))(
  '%s at the place touches nothing outside of conversations, and runs nothing',
  async (name) => {
    const { machines, place, remove } = await openMachines(1)
    onTestFinished(remove)
    const lab = machines[0]!
    await say(lab, 'mine', 'my words')
    await lab.json(['sync', '--to', place, '--json'])
    const outside = join(dirname(lab.root), 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'session.json'), session())
    putAtPlace(lab, place, FORMS[name]!)
    const before = around(lab)
    const { code, stderr, stdout } = await lab.cortext(['sync'])
    expect([0, 1], stderr).toContain(code)
    expect(stdout + stderr).not.toMatch(/[\u0007\u001b]|\bat .*\.js:/)
    expect(around(lab)).toEqual(before)
    expect(lab.git('status', '--porcelain')).toBe('')
    for (const path of Object.keys(filesBelow(join(lab.root, 'conversations'))))
      expect(path).not.toMatch(/(?:^|\/)\.(?!session\/)|\.git/i)
    expect(existsSync(join(lab.root, 'src'))).toBe(false)
    expect((await lab.cortext(['list', '--all'])).stdout).toContain('mine')
    expect((await lab.cortext(['sync'])).code).toBe(code)
  },
)

/** Everything around the conversations and the settings of the workspace. */
function around(lab: Lab): Record<string, string> {
  const files = Object.entries(filesBelow(dirname(lab.root)))
  const ours =
    /^project\/(?:conversations\/|\.workspace\/|\.git\/cortext\/)|^home\/(?:\.local\/|place\.git\/)/
  return Object.fromEntries(files.filter(([path]) => !ours.test(path)))
}

/** Commits files and links on top of the branch at the place. Git itself makes the tree, so that no path is refused. */
function putAtPlace(lab: Lab, place: string, { files = {}, links = {} }: (typeof FORMS)[string]): void {
  const git = (args: string[], input = '') =>
    execFileSync('git', ['--git-dir', place, ...args], {
      env: lab.env,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    }).trim()
  const branch = git(['for-each-ref', '--format=%(refname)']).split('\n')[0]!
  const folder = join(lab.home, 'stranger')
  mkdirSync(folder)
  const at = (...args: string[]) =>
    execFileSync('git', ['--git-dir', place, '--work-tree', folder, ...args], {
      cwd: folder,
      env: { ...lab.env, GIT_INDEX_FILE: join(lab.home, 'index') },
      stdio: 'ignore',
    })
  at('read-tree', branch)
  at('checkout-index', '--all')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    symlinkSync(target, join(folder, path))
  }
  at('add', '--all', '--force')
  const tree = execFileSync('git', ['--git-dir', place, 'write-tree'], {
    env: { ...lab.env, GIT_INDEX_FILE: join(lab.home, 'index') },
    encoding: 'utf8',
  }).trim()
  const commit = git(['commit-tree', tree, '-p', branch, '-m', 'from a stranger'])
  git(['update-ref', branch, commit])
  expect(readFileSync(join(place, 'HEAD'), 'utf8')).not.toBe('')
}
