import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'
import { writeRecord } from './told-history.ts'

const ID = '001-plan-log'
let seq = 0

/** The messages of a call and its result, in the record. */
function used(name: string, args: object, result = 'ok', more: object = {}): object[] {
  seq += 1
  const call = `toolu_l${seq}`
  const time = new Date(Date.now() - 60_000 + seq * 1000).toISOString()
  const of = { timestamp: time, client: 'claude', model: 'claude-opus-4-5' }
  return [
    {
      ...{ id: `c${seq}`, role: 'assistant', content: '', seq: 2 * seq, ...of },
      tool_calls: [{ id: call, name, arguments: args }],
    },
    { id: `r${seq}`, role: 'tool', content: result, seq: 2 * seq + 1, tool_call_id: call, ...of, ...more },
  ]
}

async function logged(): Promise<{ lab: Lab; sha: string }> {
  const lab = await workspaceLab()
  const content = 'export const one = 1\nexport const two = 2\n'
  mkdirSync(join(lab.root, 'src'))
  writeFileSync(join(lab.root, 'src/a.ts'), `export const by_hand = 0\n${content}`)
  lab.git('add', 'src')
  lab.git('commit', '--quiet', '-m', 'Numbers')
  const sha = lab.git('rev-parse', 'HEAD').trim()
  writeRecord(lab, ID, [
    ...used('Write', { file_path: join(lab.root, 'src/a.ts'), content }, 'created'),
    ...used('Edit', { file_path: '/elsewhere/b.ts', old_string: 'a', new_string: 'b' }),
    ...used('Edit', { file_path: join(lab.root, 'src/c.ts'), old_string: 'a', new_string: 'b' }, 'no', {
      is_error: true,
    }),
    ...used('Bash', { command: 'rm src/old.ts && sed -i s/a/b/ src/d.ts' }),
    ...used('Bash', { command: 'git commit -m x' }, `[trunk ${sha.slice(0, 7)}] Numbers\n 1 file changed`),
    ...used('Bash', { command: 'git commit -m y' }, '[trunk 0123abc] Gone by a rebase'),
    ...used('Bash', { command: 'cat notes' }, '[trunk 7654321] only text'),
  ])
  return { lab, sha }
}

// promise: the files that a conversation changed and the commits that were made in it
test('the log lists the files that a conversation changed and the commits that its own calls made', async () => {
  const { lab, sha } = await logged()
  const found = await lab.json(['log', ID, '--json'])
  expect(found).toMatchObject({
    id: ID,
    files: [
      { path: 'src/a.ts', action: 'created', outside: false },
      { path: '/elsewhere/b.ts', action: 'modified', outside: true },
      { path: 'src/old.ts', action: 'deleted', outside: false },
    ],
    commits: [
      { id: sha.slice(0, 7), sha, branch: 'trunk', subject: 'Numbers' },
      { id: '0123abc', sha: null, subject: 'Gone by a rebase' },
    ],
    saved: [],
  })
  const { stdout } = await lab.cortext(['log', ID])
  expect(stdout).toMatch(/created {2}src\/a\.ts\n.*modified \/elsewhere\/b\.ts {2}\(outside the workspace\)/)
  expect(stdout).toMatch(/0123abc Gone by a rebase .* not in this repository any more/)
  expect(stdout).toContain('Changes by shell commands are not known')
})

// promise: A stop's commit names its conversation in a trailer
test('the log finds the commits that saved a conversation by their trailer', async () => {
  const { lab } = await logged()
  const trailer = `Conversation: 2026-01-02/${ID}`
  lab.git('commit', '--quiet', '--allow-empty', '-m', `[conversation] plan: log\n\n${trailer}`)
  lab.git('commit', '--quiet', '--allow-empty', '-m', `${trailer} is only spoken of here`)
  lab.git('commit', '--quiet', '--allow-empty', '-m', `Another\n\n${trailer}-other`)
  const { saved } = await lab.json<{ saved: object[] }>(['log', ID, '--json'])
  expect(saved).toMatchObject([{ subject: '[conversation] plan: log' }])
})

test('Agent Trace 0.1 lists the lines of HEAD that the conversation wrote, in the form of its published schema', async () => {
  const { lab, sha } = await logged()
  const head = lab.git('rev-parse', 'HEAD').trim()
  const trace = await lab.json(['log', ID, '--format', 'agent-trace'])
  expect(trace).toEqual({
    version: expect.stringMatching(/^[0-9]+\.[0-9]+$/),
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    vcs: { type: 'git', revision: head },
    tool: { name: 'cortext' },
    files: [
      {
        path: 'src/a.ts',
        conversations: [
          {
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
            ranges: [{ start_line: 2, end_line: 3 }],
          },
        ],
      },
    ],
    metadata: { cortext: { conversation: `conversations/2026-01-02/${ID}`, commits: [sha] } },
  })
  // What is not committed is at no place of the revision.
  writeFileSync(join(lab.root, 'src/a.ts'), 'export const two = 2\n')
  expect(await lab.json(['log', ID, '--format', 'agent-trace'])).toMatchObject({
    files: (trace as { files: object }).files,
  })
})

test('a foreign repository runs nothing: no filter, text conversion, signature check or hook', async () => {
  const { lab } = await logged()
  const ran = join(lab.home, 'ran')
  const program = join(lab.home, 'evil')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`)
  chmodSync(program, 0o755)
  for (const [key, value] of [
    ['diff.evil.textconv', program],
    ['diff.evil.command', program],
    ['diff.external', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['gpg.program', program],
    ['log.showSignature', 'true'],
    ['core.fsmonitor', program],
    ['core.pager', program],
    ['blame.ignoreRevsFile', '/nowhere'],
    ['core.sshCommand', program],
  ] as const)
    lab.git('config', key, value)
  writeFileSync(join(lab.root, '.gitattributes'), '* diff=evil filter=evil\n')
  signed(lab)
  expect(existsSync(ran)).toBe(false)
  const asked = [
    ['why', 'src/a.ts:2', '--json'],
    ['why', 'src/a.ts', '--json'],
    ['log', ID, '--json'],
    ['log', ID, '--format', 'agent-trace'],
  ]
  for (const args of asked) {
    await lab.json(args)
    expect({ args, ran: existsSync(ran) }).toEqual({ args, ran: false })
  }
  expect(await lab.json(asked[0]!)).toMatchObject({ wrote: { id: ID } })
})

/** Puts a commit with a signature on top, which a careless log would have checked. */
function signed(lab: Lab): void {
  const text = lab
    .git('cat-file', 'commit', 'HEAD')
    .replace(/\n\n/, '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n')
  const made = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: lab.root,
    env: lab.env,
    input: text,
  })
  lab.git('update-ref', 'HEAD', made.toString().trim())
}

test('a record that names links, folders and impossible paths does no harm', async () => {
  const { lab } = await logged()
  symlinkSync('/etc/passwd', join(lab.root, 'link'))
  symlinkSync('/etc', join(lab.root, 'links'))
  const paths = ['link', 'links/passwd', 'src', 'a\0b', '../../etc/passwd', '-x', ':(top)a', '__proto__']
  writeRecord(
    lab,
    ID,
    paths.flatMap((path) => used('Write', { file_path: path, content: 'root:x:0:0:root' })),
  )
  expect(await lab.json(['log', ID, '--format', 'agent-trace'])).toMatchObject({ files: [] })
  expect(await lab.json<{ files: unknown[] }>(['log', ID, '--json'])).toMatchObject({
    files: { length: paths.length },
  })
  const { code, stdout, stderr } = await lab.cortext(['why', 'link:1'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('link')
})

test('text of a record and of a commit cannot control the terminal', async () => {
  const lab = await workspaceLab()
  const evil = '\u001b[2J\u202eevil\u0007'
  writeFileSync(join(lab.root, 'a.ts'), `const evil = '${evil}'\n`)
  lab.git('add', 'a.ts')
  lab.git('commit', '--quiet', '-m', `Subject ${evil}`)
  writeRecord(
    lab,
    ID,
    [
      {
        id: 'u1',
        role: 'user',
        content: `asked ${evil}`,
        timestamp: new Date(Date.now() - 90_000).toISOString(),
      },
      ...used('Write', { file_path: join(lab.root, 'a.ts'), content: `const evil = '${evil}'\n` }),
      ...used('Write', { file_path: `/${evil}`, content: 'x' }),
      ...used('Bash', { command: 'git commit' }, `[${'trunk'} 0123abc] ${evil}`),
    ],
    { title: evil },
  )
  for (const args of [
    ['why', 'a.ts'],
    ['why', 'a.ts:1'],
    ['log', ID],
    ['log', ID, '--json'],
    ['why', 'a.ts:1', '--json'],
  ]) {
    const { code, stdout, stderr } = await lab.cortext(args)
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
  expect((await lab.cortext(['why', 'a.ts:1'])).stdout).toContain('Written by')
})
