import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOOKS as CLAUDE_HOOKS } from '../../../src/clients/claude/facts.ts'
import { HOOKS } from '../../../src/clients/codex/facts.ts'
import { health } from '../../../src/clients/codex/health.ts'
import { codex } from '../../../src/clients/codex/index.ts'
import { hookHash, mainFolder } from '../../../src/clients/codex/trust.ts'
import { projectHooks } from '../../../src/clients/shared/setup/hook-entries.ts'
import { tempFolder } from '../../helpers/repository.ts'

const { add: addHooks, remove: removeHooks } = projectHooks(HOOKS)

type Hooks = Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>

/** A project with our hooks in it, and a home with what the person has told the client. */
function project() {
  const [home, folder] = [tempFolder(), realpathSync(tempFolder())]
  const settings = addHooks({})
  for (const path of [join(home, '.codex'), join(folder, '.codex'), join(folder, '.git')]) mkdirSync(path)
  writeFileSync(join(folder, '.codex/hooks.json'), JSON.stringify(settings))
  const file = join(folder, '.codex/hooks.json')
  const key = (event: string) => `${file}:${event}:0:0`
  const trusted = hookTables(file, settings.hooks as Hooks)
  const says = (toml: string, env = {}) => {
    writeFileSync(join(home, '.codex/config.toml'), toml)
    const environment = { cwd: folder, home, env, now: () => new Date(), interactive: false }
    return health(environment, folder).map(({ severity, code }) => `${severity} ${code}`)
  }
  const folderTrusted = `model = "x" # mine\n[projects."${folder}"]\ntrust_level = "trusted"\n\n`
  return { home, folder, key, trusted, folderTrusted, says }
}

/** What the client writes when the person trusts all hooks of a file. */
function hookTables(file: string, hooks: Hooks): string {
  const snake = (name: string) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()
  return Object.entries(hooks)
    .map(([name, [group]]) => {
      const hash = hookHash(snake(name), group!.matcher, group!.hooks[0]!)
      return `[hooks.state.${JSON.stringify(`${file}:${snake(name)}:0:0`)}]\ntrusted_hash = "${hash}"\n`
    })
    .join('\n')
}

describe('what the person has trusted in Codex CLI', () => {
  it('is nothing at first', () => {
    const { says, folderTrusted } = project()
    expect(says('')).toEqual(['problem untrusted-folder'])
    expect(says('not toml [ at all\n"""')).toEqual(['problem untrusted-folder'])
    expect(says(folderTrusted)).toEqual(['problem hooks-untrusted'])
    expect(says(folderTrusted.replace('"trusted"', '"untrusted"'))).toEqual(['problem untrusted-folder'])
  })

  it('a submodule is no linked worktree: its hooks are its own', () => {
    const top = realpathSync(tempFolder())
    mkdirSync(join(top, 'sub'))
    writeFileSync(join(top, 'sub/.git'), 'gitdir: ../.git/modules/sub\n')
    expect(mainFolder(join(top, 'sub'))).toBe(join(top, 'sub'))
  })

  it('holds for linked worktrees, in which the hooks of the main work tree run', () => {
    const { home, folder, trusted, folderTrusted } = project()
    const worktree = realpathSync(tempFolder())
    mkdirSync(join(worktree, '.codex'))
    writeFileSync(join(worktree, '.git'), `gitdir: ${folder}/.git/worktrees/other\n`)
    writeFileSync(join(worktree, '.codex/hooks.json'), readFileSync(join(folder, '.codex/hooks.json')))
    const environment = { cwd: worktree, home, env: {}, now: () => new Date(), interactive: false }
    const says = (toml: string) => {
      writeFileSync(join(home, '.codex/config.toml'), toml)
      return health(environment, worktree).map(({ severity, code }) => `${severity} ${code}`)
    }
    expect(says(trusted)).toEqual(['problem untrusted-folder'])
    expect(says(folderTrusted)).toEqual(['problem hooks-untrusted'])
    expect(says(folderTrusted + trusted)).toEqual(['ok hooks-trusted'])
    rmSync(join(folder, '.codex'), { recursive: true })
    expect(says(folderTrusted + trusted)).toEqual(['problem hooks-of-main'])
  })

  it('is asked of the person’s own hooks where the project has none, also in a folder that is not trusted', () => {
    const { home, folder, says, folderTrusted } = project()
    const file = join(realpathSync(home), '.codex/hooks.json')
    writeFileSync(file, JSON.stringify(codex.personal!.settings!.add({})))
    expect(says('')).toEqual(['problem untrusted-folder'])
    rmSync(join(folder, '.codex/hooks.json'))
    expect(says('')).toEqual(['problem hooks-untrusted'])
    expect(says(folderTrusted)).toEqual(['problem hooks-untrusted'])
    const trusted = hookTables(file, JSON.parse(readFileSync(file, 'utf8')).hooks)
    expect(says(trusted)).toEqual(['ok hooks-trusted'])
  })

  it('is what the person has looked at, as it was then', () => {
    const { says, folderTrusted, trusted, key } = project()
    expect(says(folderTrusted + trusted)).toEqual(['ok hooks-trusted'])
    expect(says(folderTrusted + trusted.replace(/sha256:.{8}/, 'sha256:00000000'))).toEqual([
      'problem hooks-changed',
    ])
    expect(says(folderTrusted + trusted.split('\n\n').slice(1).join('\n\n'))).toEqual([
      'problem hooks-untrusted',
    ])
    const off = trusted.replace(`${key('stop')}"]`, `${key('stop')}"]\nenabled = false`)
    expect(says(folderTrusted + off)).toEqual(['problem hooks-disabled'])
    expect(says(`${folderTrusted}${trusted}[features]\nhooks = false\n`)).toEqual(['problem hooks-disabled'])
  })

  it('is read from where the client has its files', () => {
    const { home, says, folderTrusted, trusted } = project()
    const other = join(home, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'config.toml'), folderTrusted + trusted)
    expect(says('', { CODEX_HOME: other })).toEqual(['ok hooks-trusted'])
  })

  it('has the hash that the client has computed of the same entry (0.169.0)', () => {
    const hooks = addHooks({}).hooks as Hooks
    const hashOf = (event: string, name: string) =>
      hookHash(event, hooks[name]![0]!.matcher, hooks[name]![0]!.hooks[0]!)
    // The client does not know our notes, so its hash is without them.
    const withNotes = (addHooks({ hooks: { Stop: [] } }).hooks as Hooks).Stop![0]!.hooks[0]
    expect(withNotes).toHaveProperty('cortext')
    expect(hookHash('stop', undefined, withNotes!)).toBe(hashOf('stop', 'Stop'))
    // Whoever has to change these makes every person be asked again whether they trust our hooks.
    expect(hashOf('session_start', 'SessionStart')).toBe(
      'sha256:c47e8f4406b413cc3fd97dd2ca016a844fcbc3acdc633871157e8713c4f2c572',
    )
    expect(hashOf('user_prompt_submit', 'UserPromptSubmit')).toBe(
      'sha256:31e74266897ab3c8003f8dc0a2a6092974d18c370de129f4a0772339b0d488d2',
    )
    expect(hashOf('stop', 'Stop')).toBe(
      'sha256:8e43470ab3df1fb4f19a0f2f4c7be34cfd91c98f63f27b3aeac54cf03165a704',
    )
    expect(hashOf('session_end', 'SessionEnd')).toBe(
      'sha256:528ed566003cdd5faea6f5f869ffc4af007ea0fb572cf9892687d8fbaf43e281',
    )
  })
})

describe('our hooks in the file of Codex CLI', () => {
  it('have matchers without look-around, and every event at most 20 s', () => {
    const groups = Object.values(addHooks({}).hooks as Hooks).flat()
    expect(groups).toHaveLength(4)
    for (const { matcher = '', hooks } of groups) {
      expect(matcher).not.toContain('(?')
      expect(hooks[0]!.timeout).toBeLessThanOrEqual(20)
    }
  })

  it('replace the copies that its import has made of ours for another client, and leave what is not ours', () => {
    const theirs = { hooks: [{ type: 'command', command: 'touch ran' }] }
    const before = { hooks: { Stop: [theirs] } }
    const copied = projectHooks(CLAUDE_HOOKS).add(before)
    expect(addHooks(copied)).toEqual(addHooks(before))
    expect(removeHooks(copied)).toEqual(before)
  })
})
