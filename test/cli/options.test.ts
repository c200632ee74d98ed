import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { addVerbs } from '../../src/cli/verbs.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'

/** Calls that say two things that cannot both be done, or one that means nothing where it is said. */
const REFUSED = `
  --last --resume x
  --continue --resume x
  --new --last
  --new --resume x
  --new --json
  --json --last
  --json --resume x
  --json list
  --last list
  --new start plan
  init --shared --private
  init --add-type x --shared
  init --add-type x --private
  init --add-type x --in claude
  init --add-type x --mcp
  init --add-type x --no-mcp
  init --add-type x --skill
  init folder --add-type x
  start plan words --title-stdin
  stop --summary x --summary-stdin
  stop --discard --complete
  stop --discard --summary x
  stop --discard --summary-stdin
  resume --list --new
  resume --list --last
  resume --list --in claude
  resume --list --mode native
  resume --list --query-stdin
  resume --list --print
  resume --list --dry-run
  resume --list --budget 9
  resume --list --full
  resume --list --strategy talk
  resume --list --about x
  resume --list --force
  resume --list --yes
  resume --list --verbose
  resume --list words
  resume --new --last
  resume --new --mode handoff
  resume --new --query-stdin
  resume --new --print
  resume --new --dry-run
  resume --new --budget 9
  resume --new --full
  resume --new --strategy talk
  resume --new --about x
  resume --new --force
  resume --new --yes
  resume --new --everywhere
  resume --new --verbose
  resume --new --archived
  resume --new --json
  resume --new words
  resume --last words
  resume --last --query-stdin
  resume --query-stdin words
  resume --print --dry-run
  resume --archived
  resume --json
  resume words --json
  resume --last --json
  resume --budget 9 --full
  resume --strategy talk --about x
  resume --mode native --budget 9
  resume --mode native --full
  resume --mode native --strategy talk
  resume --mode native --about x
  list --archived --all
  log 1 --format text --json
  log 1 --format agent-trace --json
  context 1 --budget 9 --full
  context 1 --strategy talk --about x
  context 1 --strategy talk --compare
  context 1 --about x --compare
  context 1 --model m
  context 1 --window 9
  context 1 --system f
  context 1 --tools f
  context --key k --full
  context --key k --about x
  context --key k --compare
  context --key k --summarize-with claude
  context --key k --model m --window 9
  context --key k --system f
  context --key k --tools f
  import claude --all --file f
  import claude --all --title t
  import claude --all id
  import claude id --into 1 --type plan
  import claude id --into 1 --title t
  export 1 --for pr --format html
  export 1 --for pr --format json
  edit 1 --title t --title-stdin
  edit 1 --archive --unarchive
  edit 1 --force
  edit 1 --force --title t
  prune 1 --keep 3 --before 4
  prune 1 --restore --keep 3
  prune 1 --restore --before 4
  agent resume words --query x
  agent resume words --part 2
  agent resume --part 2 --whole
  agent resume --part 2 --force
  agent resume --part 2 --query x
  agent resume --part 2 --query x`

/** Calls with several options that are done as they say. */
const DONE = `
  --json --not-saved
  init folder --shared --in claude --mcp --skill --verbose --json
  init --add-type x --verbose --json
  start plan words --from-beginning --json
  stop 1 --complete --summary x --no-commit --json
  stop --discard --no-commit --json
  resume --list --archived --everywhere --json
  resume --new --in claude
  --new --in claude
  resume words --in claude --mode handoff --budget 9 --about x --force --yes --verbose
  resume words --mode native --in claude
  resume --last --everywhere --print --json
  resume words --full --strategy talk --dry-run --json
  list --type plan --status paused --in claude --since 2026-01-01 --archived --long --everywhere --json
  list --all --long
  show --key k --messages --at 3 --json
  context 1 --full --about x --summarize-with claude --json
  context 1 --compare --budget 9 --summarize-with claude
  context --key k --budget 9 --strategy talk --model m --system f --tools f --json
  import claude --all --type plan --verbose --json
  import claude --file f --title t
  import claude id --into 1 --json
  export 1 --for pr --format markdown --from 2 --to 3 --output f --json
  export 1 --for pr
  edit 1 --status active --force --title t --tag a --untag b --archive --clear --json
  prune 1 --keep 3 --yes --json
  prune --key k --restore --yes --json
  agent stop --complete --summary x --no-commit
  agent resume words --force --whole
  agent resume --query x --force --whole
  agent resume --part 2`

const calls = (table: string) => table.trim().split(/\n */)

describe('options that make no sense together', () => {
  test.each(calls(REFUSED))('are refused: cortext %s', async (call) => {
    await expect(parsed(call)).rejects.toMatchObject({
      code: expect.stringMatching(/^(usage|commander\.conflictingOption)$/),
    })
  })

  test.each(calls(DONE))('are refused only in these combinations: cortext %s', async (call) => {
    expect(await parsed(call)).toBe(1)
  })

  test('give exit code 2, and name the options and the help of the verb', async () => {
    const lab = await workspaceLab()
    const run = (call: string) => lab.cortext(call.split(' '))
    expect(await run('resume --list --new')).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: option '--list' cannot be used with option '-n, --new'\nfix: cortext resume --help\n`,
    })
    expect((await run('resume --archived')).stderr).toBe(
      'error: option --archived needs --list\nfix: cortext resume --help\n',
    )
    expect((await run('sync --no-seal')).stderr).toBe(
      'error: option --no-seal needs --to\nfix: cortext sync --help\n',
    )
    expect((await run('resume 1 --full --mode native')).stderr).toBe(
      'error: option --full cannot be used with --mode native\nfix: cortext resume --help\n',
    )
    expect((await run('agent resume 1 --query x')).stderr).toBe(
      'error: option --query cannot be used with "1"\nfix: cortext agent resume --help\n',
    )
    expect((await run('--last list')).stderr).toBe(
      'error: option --last comes before the verb "list"\nfix: cortext list --help\n',
    )
    const asJson = await run('--json list')
    expect([asJson.code, JSON.parse(asJson.stdout).error.code]).toEqual([2, 'usage'])
    await lab.json(['start', 'plan', 'T', '--json'])
    expect((await run('edit 1 --tag a --untag b a')).stderr).toBe(
      'error: the tag "a" cannot be added and removed\nfix: cortext edit --help\n',
    )
  })
})

/** Parses a call and counts the actions that it leads to; none of them is run. */
async function parsed(call: string): Promise<number> {
  const program = new Command('cortext')
  addVerbs(program, { cwd: '/', home: '/', env: {}, now: () => new Date(), interactive: false })
  let count = 0
  const quiet = (command: Command) => {
    command.exitOverride().configureOutput({ writeErr: () => undefined })
    command.action(() => {
      count += 1
    })
    command.commands.forEach(quiet)
  }
  quiet(program.enablePositionalOptions())
  await program.parseAsync(call.split(' '), { from: 'user' })
  return count
}
