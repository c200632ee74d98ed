import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'
import { conversation, SAID } from './bad-world.ts'

const FORMS: Record<string, (path: string) => void> = {
  'a named pipe': (path) => execFileSync('mkfifo', [path]),
  'a folder': (path) => mkdirSync(path),
  'a file of zeros': (path) => writeFileSync(path, Buffer.alloc(1000)),
}

const VERBS = ['list', 'show 001 --messages', 'resume 001 --dry-run', 'save 001', 'search more', 'doctor']

test.each(Object.entries(FORMS))(
  "%s in the place of any file or folder of this machine's side stops no program, is named, and costs no turn",
  async (_, put) => {
    const lab = await workspaceLab()
    const { claude } = await conversation(lab)
    await lab.json(['save', '001', '--json'])
    await claude.turn('more')
    // The index keeps only files that have not changed for two seconds.
    await setTimeout(2100)
    await lab.cortext(['list'])
    const local = join(lab.root, '.git', 'cortext')
    writeFileSync(join(local, 'log'), '')
    const places = placesIn(local)
    expect(places).toEqual(
      expect.arrayContaining(['log', 'index.json', 'bindings', 'metadata', 'unkept.json']),
    )
    for (const place of places.map((name) => join(local, name))) {
      renameSync(place, `${place}-kept`)
      put(place)
      for (const verb of VERBS) {
        const { code, stdout, stderr } = await lab.cortext(verb.split(' '))
        if (code !== 0) expect({ place, verb, code, stdout, stderr }).toMatchObject({ code: 1 })
        if (code !== 0 && verb !== 'doctor') expect(stderr, `${verb}: ${place}`).toContain(local)
      }
      expect(await claude.hook('Stop', { stop_hook_active: false }), place).toMatchObject({
        code: 0,
        stderr: '',
      })
      rmSync(place, { recursive: true, force: true })
      renameSync(`${place}-kept`, place)
    }
    await lab.json(['save', '001', '--json'])
    expect(talk(await shown(lab, '001'))).toEqual([...SAID, 'user: more', 'assistant: answer to more'])
  },
  // Each of 25 places is tried with seven starts of the program.
  180_000,
)

/** The files and folders of the machine's side, of the copies of the pack only the first file. */
function placesIn(local: string): string[] {
  const pack = /^workspace\/.*\.md$/
  const names = readdirSync(local, { recursive: true, encoding: 'utf8' }).sort()
  return names.filter((name) => !pack.test(name) || name === names.find((other) => pack.test(other)))
}
