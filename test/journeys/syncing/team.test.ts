import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atTerminal, HAS_TERMINAL } from '../../helpers/at-terminal.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { spoken } from '../../helpers/history-lab.ts'
import { bytesAt, openMachines, say } from '../../helpers/machines.ts'
import { team } from '../../helpers/two-people.ts'
import { type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

interface Refused {
  error: { code: string; message: string; fix: string }
}

const refused = async (lab: Lab, ...args: string[]) => {
  const { code, stdout } = await lab.cortext(['sync', ...args, '--json'])
  expect(code, stdout).toBe(1)
  return (JSON.parse(stdout) as Refused).error
}

interface Finding {
  code: string
  message: string
  fix?: string
}

const findings = async (lab: Lab): Promise<Finding[]> => {
  const { sections } = JSON.parse((await lab.cortext(['doctor', '--json'])).stdout)
  return sections.flatMap((section: { findings: Finding[] }) => section.findings)
}

const found = async (lab: Lab, code: string) => (await findings(lab)).find((one) => one.code === code)

describe('the place that the settings of a project name', () => {
  // promise: a clone may only propose one
  // promise: with a line that names the place of a team
  // promise: a proposal, which each person confirms
  // promise: `init` and `doctor` name it.
  // promise: nothing is sent, fetched or looked for
  test('is used when the person has confirmed it on this machine, and not before', async () => {
    const { ann, bob, place } = await team()
    await say(ann, 'pears', 'a word of mine')
    const to = `cortext sync --to ${place}`
    for (const lab of [ann, bob]) {
      const init = await lab.cortext(['init', '--private', '--in', 'claude'])
      expect(init.stdout.replace(/\s+/g, ' ')).toContain(`name a place for its conversations, ${place}.`)
      expect(init.stdout).toContain(to)
      expect(await found(lab, 'place-suggested')).toMatchObject({
        message: expect.stringContaining(place),
        fix: to,
      })
      expect(await refused(lab)).toMatchObject({
        code: 'refused',
        message: expect.stringContaining(place),
        fix: to,
      })
      expect(await refused(lab, '--auto')).toMatchObject({ fix: to })
      expect(await refused(lab, '--dry-run')).toMatchObject({ fix: `cortext sync --dry-run --to ${place}` })
      await lab.cortext(['list'])
      await lab.cortext(['sync', '--background'])
    }
    expect(existsSync(place)).toBe(false)
    await ann.json(['sync', '--to', place, '--json'])
    expect(bytesAt(place)).toContain('a word of mine')
    expect(await found(ann, 'place-suggested')).toBeUndefined()
    await ann.json(['sync', '--json'])
    // What Ann has confirmed, Bob has not.
    expect(await refused(bob)).toMatchObject({ fix: to })
    const { taken } = await bob.json<{ taken: string[] }>(['sync', '--to', place, '--json'])
    expect(taken).toHaveLength(1)
    for (const lab of [ann, bob]) expect(lab.git('status', '--porcelain')).toBe('')
  })

  // promise: In a terminal `cortext sync` asks
  test.runIf(HAS_TERMINAL)('is asked about in a terminal, and a no sends nothing', async () => {
    const { ann, place, suggest } = await team()
    await say(ann, 'pears', 'a word of mine')
    const question = `Is ${place} to be the place?`
    const no = await atTerminal(ann, ['sync'], { question, answer: 'n\r' })
    expect(no).toMatchObject({ code: 130, screen: expect.stringContaining('Nothing was sent.') })
    expect(existsSync(place)).toBe(false)
    const yes = await atTerminal(ann, ['sync'], { question, answer: 'y\r' })
    expect(yes.code, yes.screen).toBe(0)
    expect(bytesAt(place)).toContain('a word of mine')
    const other = join(ann.home, 'other.git')
    suggest(ann, other)
    const changed = { question: `Is ${other} to be the place from now on?`, answer: 'y\r' }
    expect((await atTerminal(ann, ['sync'], changed)).screen).toContain(`No longer to ${place}.`)
    expect(bytesAt(other)).toContain('a word of mine')
    await ann.json(['sync', '--json'])
  })

  // promise: If the settings name another place later
  // promise: what syncs by itself stays with the one that you have confirmed
  test('is asked about again when it is another one, and the earlier one goes on by itself', async () => {
    const { ann, place, suggest } = await team()
    await ann.json(['sync', '--to', place, '--json'])
    const other = join(ann.home, 'other.git')
    suggest(ann, other)
    await say(ann, 'pears', 'said later')
    const [to, keep] = [`cortext sync --to ${other}`, `cortext sync --to ${place}`]
    const error = await refused(ann)
    expect(error.message).toContain(place)
    expect(error.message).toContain(other)
    expect(error.fix).toBe(`${to}\n  or, to keep the place: ${keep}`)
    expect(bytesAt(place)).not.toContain('said later')
    await ann.cortext(['sync', '--background'])
    expect(bytesAt(place)).toContain('said later')
    expect(existsSync(other)).toBe(false)
    for (const args of [['list'], []]) {
      const { stderr } = await ann.cortext(args)
      expect(stderr).toContain(to)
      expect(stderr).toContain(keep)
    }
    expect((await ann.cortext(['agent', 'list'])).stderr).not.toContain(other)
    expect((await found(ann, 'place-changed'))?.message).toContain(place)
    // To keep it settles it too, until the settings name a third one.
    await ann.json(['sync', '--to', place, '--json'])
    expect((await ann.cortext(['list'])).stderr).not.toContain(other)
    expect(await found(ann, 'place-changed')).toBeUndefined()
    await ann.json(['sync', '--json'])
    suggest(ann, join(ann.home, 'third.git'))
    await refused(ann)
    // A person who wants none is not asked again and again.
    await ann.json(['sync', '--stop', '--json'])
    expect((await ann.cortext(['list'])).stderr).not.toContain('third.git')
    expect((await findings(ann)).map(({ code }) => code)).not.toContain('place-suggested')
  })

  // promise: Your place for all workspaces stays
  test('does not replace the place of the person for all workspaces, and is mentioned beside it', async () => {
    const { bob, place } = await team()
    const { machines, place: own, remove } = await openMachines(1)
    onTestFinished(remove)
    // The same project on a server.
    bob.git('remote', 'set-url', 'origin', machines[0]!.git('remote', 'get-url', 'origin'))
    await machines[0]!.json(['sync', '--to', own, '--json'])
    // As on the machine of somebody who has named it in another project.
    const state = join(bob.home, '.local/state/cortext')
    await bob.json(['init', '--private', '--json'])
    writeFileSync(join(state, 'place.json'), JSON.stringify({ address: own }))
    const init = await bob.cortext(['init', '--private', '--in', 'claude'])
    expect(init.stdout).toContain(`To keep it: cortext sync --to ${own}`)
    await say(bob, 'plums', 'words of Bob')
    const { suggested_place: suggested, place: used } = await bob.json(['sync', '--json'])
    expect({ used, suggested }).toEqual({ used: own, suggested: place })
    expect((await bob.cortext(['sync'])).stderr).toContain(`cortext sync --to ${place}`)
    expect(existsSync(place)).toBe(false)
    await bob.json(['sync', '--to', place, '--json'])
    expect(bytesAt(place)).toContain('words of Bob')
    expect((await bob.cortext(['list'])).stderr).not.toContain(own)
  })

  // promise: is refused, and never printed
  test.each([
    ['a relative path', '../elsewhere'],
    ['a home', '~/conversations'],
    ['a password', 'https://me:hunter2@example.org/x.git'],
    ['an option', '--upload-pack=touch sprung'],
    ['a helper of git', 'ext::sh -c touch% sprung'],
    ['another protocol', 'ftp://example.org/x.git'],
    ['an escape sequence', '/tmp/x\u001b[2Jy'],
    ['a line break', '/tmp/x\nfix: sprung'],
    ['a letter that does not show', '/tmp/x\u200by'],
    ['much too long', `/tmp/${'x'.repeat(9000)}`],
    ['nothing', ''],
  ])('is refused where it is no address that a person could check: %s', async (_, text) => {
    const { ann, suggest } = await team()
    suggest(ann, text)
    const { message } = await refused(ann)
    expect(message).toContain('is refused')
    const outputs = await Promise.all(
      [['sync'], ['sync', '--dry-run'], ['list'], ['doctor'], ['init', '--private', '--in', 'claude']].map(
        (args) => ann.cortext(args),
      ),
    )
    if (text !== '')
      for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(text.slice(0, 60))
    expect(await found(ann, 'place-refused')).toBeDefined()
  })

  test('is not reached, resolved or made by anything before, not even by what runs by itself', async () => {
    const { ann, suggest } = await team()
    const sprung = join(ann.home, 'sprung')
    const ssh = join(ann.home, 'fake-ssh')
    writeFileSync(ssh, `#!/bin/sh\ntouch '${sprung}'\nexit 1\n`)
    chmodSync(ssh, 0o755)
    ann.env.GIT_SSH_COMMAND = ssh
    suggest(ann, 'git@example.org:team/conversations.git')
    const text =
      '{"visibility":"private","sync":{"auto":true,"place":"git@example.org:team/conversations.git"}}'
    writeFileSync(join(ann.root, '.workspace/config.json'), text)
    const { stop } = await spoken(ann, 'API', 'words')
    await stop()
    for (const args of [
      ['init', '--private', '--json'],
      ['list'],
      [],
      ['doctor'],
      ['sync'],
      ['sync', '--dry-run'],
      ['sync', '--background'],
    ])
      await ann.cortext(args)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(existsSync(sprung)).toBe(false)
    await ann.cortext(['sync', '--to', 'git@example.org:team/conversations.git'])
    expect(existsSync(sprung), 'or the test would prove nothing').toBe(true)
  })

  test('means nothing where git takes the conversations along', async () => {
    const { ann, place } = await team()
    await ann.json(['init', '--shared', '--json'])
    expect((await found(ann, 'place-suggested'))?.message).toBeUndefined()
    expect((await refused(ann)).message).not.toContain(place)
  })
})

describe('a team at one place', () => {
  /** A new session goes on with a conversation, and stops. Returns what the agent is given. */
  async function goOn(lab: Lab, id: string, prompt: string): Promise<string> {
    const claude = new ClaudeSession(lab)
    const ran = await claude.command('workspace.resume', id, () =>
      lab.cortext(['agent', 'resume', id], { env: claude.env }),
    )
    await claude.turn(prompt)
    await lab.json(['stop', '--json'], { env: claude.env })
    return `${ran!.stdout}${ran!.stderr}`
  }

  // promise: **A team** that wants its
  // promise: Messages name their authors from then on
  // promise: or in a private one that has a place
  test('a teammate goes on with what another has stopped, and both see who said what', async () => {
    const { ann, bob, place } = await team()
    await bob.json(['init', '--private', '--json'])
    const { stop: stopEarly } = await spoken(ann, 'Before', 'said before there was a place')
    await stopEarly()
    await ann.json(['sync', '--to', place, '--json'])
    const { path, stop } = await spoken(ann, 'API design', 'REST or GraphQL?')
    await stop()
    await ann.json(['sync', '--json'])
    await bob.json(['sync', '--to', place, '--json'])
    const given = await goOn(bob, path, 'Then REST it is')
    expect(given).toContain('begun and last said by Ann; now with Bob')
    expect(given).toContain('### User (Ann)')
    await bob.json(['sync', '--json'])
    await ann.json(['sync', '--json'])
    const both = await Promise.all([ann, bob].map((lab) => shown(lab, path)))
    expect(both[0]).toEqual(both[1])
    expect(talk(both[0]!)).toEqual(
      expect.arrayContaining(['user: REST or GraphQL?', 'user: Then REST it is']),
    )
    for (const lab of [ann, bob]) {
      const { stdout } = await lab.cortext(['show', path, '--messages'])
      expect(stdout).toContain('Whose: begun by Ann; last said by Bob')
      expect(stdout).toMatch(/user \(Ann\)[^─]*REST or GraphQL\?/)
      expect(stdout).toMatch(/user \(Bob\)[^─]*Then REST it is/)
      expect((await lab.cortext(['export', path])).stdout).toContain('## User Bob (')
    }
    expect(await goOn(ann, path, 'so be it')).toContain('begun by Ann; last said by Bob; now with Ann')
    // Of what was said before, nobody has to know who said it.
    const [before] = (await shown(ann, '1')).filter(({ role }) => role === 'user')
    expect(before).not.toHaveProperty('author')
  }, 180_000)

  // promise: whom your messages name
  test('nobody is named where there is no place, and one who has stopped stays the same person', async () => {
    const { ann, place } = await team()
    const alone = await spoken(ann, 'Alone', 'a word')
    await alone.stop()
    expect((await ann.cortext(['show', '1', '--messages'])).stdout).not.toContain('Ann')
    await ann.json(['sync', '--to', place, '--json'])
    const { path, stop } = await spoken(ann, 'Together', 'another word')
    await stop()
    await ann.json(['sync', '--stop', '--json'])
    expect(await goOn(ann, path, 'once more')).not.toContain('Ann')
    rmSync(place, { recursive: true })
  })

  test('"author": false names nobody there either', async () => {
    const { ann, place } = await team()
    writeFileSync(
      join(ann.root, '.workspace/config.json'),
      JSON.stringify({ visibility: 'private', author: false, sync: { place } }),
    )
    await ann.json(['sync', '--to', place, '--json'])
    const { stop } = await spoken(ann, 'Together', 'a word')
    await stop()
    expect((await ann.cortext(['show', '1', '--messages'])).stdout).not.toContain('Ann')
  })
})
