import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, filesBelow, type Lab, saved, sessionFile, workspaceLab } from '../../helpers/workspace-lab.ts'

/** A title that a shell would obey, and a terminal too. */
const HOSTILE =
  'a"b\'c `touch PWNED` $(touch PWNED) ${x:-$(touch PWNED)}; touch PWNED\u001b]0;x\u0007\r\ntouch PWNED'

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

/** Two conversations with hostile titles, and one whose id is hostile too; `cortext` is on the PATH. */
async function hostileLab(): Promise<{ lab: Lab; env: Record<string, string> }> {
  const lab = await workspaceLab()
  const paths: string[] = []
  for (const title of ['One', 'Two', 'Three']) paths.push((await saved(lab, 'plan', title)).path)
  for (const [place, path] of paths.entries()) {
    const file = sessionFile(lab, path)
    const session = JSON.parse(readFileSync(file, 'utf8'))
    const id = place === 2 ? '003-$(touch PWNED)' : session.conversation_id
    writeFileSync(file, JSON.stringify({ ...session, title: HOSTILE, conversation_id: id }))
  }
  const bin = join(lab.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'cortext'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  chmodSync(join(bin, 'cortext'), 0o755)
  return { lab, env: { ...lab.env, PATH: `${bin}:${lab.env.PATH}`, TERM: 'xterm', CORTEXT_TEST: '1' } }
}

function run(shell: string, args: string[], { lab, env }: { lab: Lab; env: Record<string, string> }): string {
  return execFileSync(shell, args, { cwd: lab.root, env, encoding: 'utf8', timeout: 60_000 })
}

function untouched(lab: Lab): void {
  expect(existsSync(join(lab.root, 'PWNED'))).toBe(false)
  expect(Object.keys(filesBelow(lab.home)).filter((path) => path.endsWith('PWNED'))).toEqual([])
}

test('a Tab changes no file, and offers verbs where there is no workspace', async () => {
  const { lab } = await hostileLab()
  const before = { ...filesBelow(lab.root), ...filesBelow(lab.home) }
  const ids = await lab.cortext(['__complete', 'bash', 'show', ''])
  expect(ids).toMatchObject({ code: 0, stderr: '' })
  expect(ids.stdout).toContain('001-plan-one\t')
  expect({ ...filesBelow(lab.root), ...filesBelow(lab.home) }).toEqual(before)
  const nowhere = await workspaceLab({ git: 'none', init: 'none' })
  expect(await nowhere.cortext(['__complete', 'bash', 'show', ''])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  expect((await nowhere.cortext(['__complete', 'bash', 'expo'])).stdout).toMatch(/^export\t/)
})

describe('titles and ids of a record do nothing in a real shell', () => {
  // promise: An id that a shell would have to quote is not offered.
  test.each([
    ['a Tab that inserts', '9', ['002-plan-two', '001-plan-one']],
    ['a Tab that goes through the words', '37', ['002-plan-two', '001-plan-one']],
  ])('bash: %s offers words alone', async (_, type, words) => {
    const world = await hostileLab()
    const script = `eval "$(cortext completion bash)"; COMP_WORDS=(cortext show ''); COMP_CWORD=2; COMP_TYPE=${type}; _cortext; printf '%s\\n' "\${COMPREPLY[@]}"`
    const offered = run('bash', ['--norc', '-c', script], world).trimEnd().split('\n')
    expect(offered.toSorted()).toEqual(words.toSorted())
    untouched(world.lab)
  })

  // promise: a script that lets bash,
  test('bash: a list of words shows the titles, on one line each', async () => {
    const world = await hostileLab()
    const script = `eval "$(cortext completion bash)"; COMP_WORDS=(cortext show 002); COMP_CWORD=2; COMP_TYPE=63; _cortext; printf '%s\\n' "\${COMPREPLY[@]}"`
    const shown = run('bash', ['--norc', '-c', script], world)
    expect(shown).toMatch(/^002-plan-two {2}\(a"b'c `touch PWNED` \$\(touch PWNED\).*\)\n$/)
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    untouched(world.lab)
  })

  // promise: a script that lets bash,
  test.skipIf(!has('fish'))('fish: `complete -C` offers the ids with their titles', async () => {
    const world = await hostileLab()
    const offered = run(
      'fish',
      ['--no-config', '-c', `cortext completion fish | source; complete -C 'cortext show '`],
      world,
    )
    expect(
      offered
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0])
        .toSorted(),
    ).toEqual(['001-plan-one', '002-plan-two'])
    expect(offered).toContain('002-plan-two\ta"b')
    expect(
      run(
        'fish',
        ['--no-config', '-c', `cortext completion fish | source; complete -C 'cortext export --format '`],
        world,
      ),
    ).toContain('atif')
    untouched(world.lab)
  })

  // promise: a script that lets bash, zsh or fish complete verbs, options, ids with their titles, types
  // promise: Completion in a shell shows titles and never evaluates or inserts them.
  test.skipIf(!has('zsh'))(
    'zsh: a pressed Tab lists the ids and titles, and inserts only the words',
    async () => {
      const world = await hostileLab()
      const driver = join(world.lab.home, 'driver.zsh')
      writeFileSync(driver, ZSH)
      const screen = run('zsh', ['-f', driver], world)
      expect(screen).toContain('002-plan-two')
      expect(screen).toMatch(/-- a"b'c `touch PWNED`/)
      expect(screen).toContain('RAN<show><002-plan-two>')
      untouched(world.lab)
    },
  )
})

/** Types into a zsh behind a terminal: lists, completes one word, and runs the line with a `cortext` that only prints. */
const ZSH = `
zmodload zsh/zpty
zpty z zsh -f -i
wait_for() {
  local line all= n=0
  while (( n++ < 400 )); do
    if zpty -rt z line; then all+=$line; [[ $all == *$1* ]] && break; else sleep 0.05; fi
  done
  print -r -- "$all"
}
zpty -w z 'PS1=; stty columns 200; LISTMAX=0; autoload -Uz compinit; compinit -u -D; eval "$(cortext completion zsh)"; print REA""DY'
wait_for READY
zpty -w -n z $'cortext show 00\\t'
wait_for '001-plan-one  --'
zpty -w -n z $'2\\t'
wait_for 'two'
zpty -w -n z $'\\C-acortext() { print "RAN<$1><$2>" }; \\n'
wait_for 'RAN<'
zpty -d z
`
