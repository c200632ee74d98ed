import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookLanguages } from '../../src/clients/hook-languages.ts'
import { tempFolder } from '../helpers/repository.ts'
import { putProgram, WRONG_CORTEXTS } from '../helpers/stand-ins.ts'
import { type Entry, entriesOf, everywhereHooked } from './hook-facts.ts'

describe.each(everywhereHooked())('the hooks of $client.name in the settings of $where', (one) => {
  const { client, more } = one
  const call = ['hook', client.id, ...more]
  const entries = entriesOf(one)
  const lines = entries.filter(([, { args }]) => args === undefined)

  // promise: each hook is one call that you can read in the client's settings.
  it('are short enough to read: at most 120 characters', () => {
    expect(entries.length).toBeGreaterThan(0)
    for (const [, { command, args = [] }] of entries) {
      expect([command, ...args].join(' ').length).toBeLessThanOrEqual(120)
      if (args.length > 0) expect([command, ...args]).toEqual(['cortext', ...call])
      else expect(command).toMatch(new RegExp(`^cortext ${call.join(' ')}(?![\\w-])`))
    }
  })

  // promise: the client goes on;
  it('have a time limit where cortext hangs', () => {
    for (const [event, { timeout }] of entries) {
      const seconds = timeout === undefined ? undefined : timeout >= 1000 ? timeout / 1000 : timeout
      // Without one, a session that ends is not held up at all (docs/clients/claude-code.md).
      if (event === 'SessionEnd') expect(seconds ?? 0).toBeLessThanOrEqual(5)
      else expect(seconds).toBeLessThanOrEqual(20)
    }
  })

  // promise: It runs the `cortext` that your PATH finds, and another program of that name could say
  it('pass on every answer that ours gives, word for word, and all of their input', async () => {
    const language = hookLanguages[client.id as keyof typeof hookLanguages]
    const text = `it's "q" \\n $(id) \`x\` %s {"a":1}\nand ünï`
    const event = { kind: 'turn-start', nativeId: 'n', transcript: '', cwd: '' } as const
    for (const answer of [language.messageFor(event, text), language.contextFor(event, text)]) {
      const folder = tempFolder()
      const path = putProgram(
        join(folder, 'bin'),
        'cortext',
        `cat > '${folder}/input'; echo "$*" > '${folder}/arguments'; cat <<'ANSWER'\n${answer}\nANSWER`,
      )
      for (const [name, hook] of entries) {
        expect((await run(hook, path)).stdout, name).toBe(`${answer}\n`)
        expect(readFileSync(`${folder}/input`, 'utf8')).toBe('{"payload":1}')
        expect(readFileSync(`${folder}/arguments`, 'utf8')).toBe(`${call.join(' ')}\n`)
      }
    }
  })

  // promise: the client goes on;
  it.each(Object.entries(WRONG_CORTEXTS))(
    'that are lines for a shell exit 0, and only the first one of a session shows what is wrong, with %s',
    async (_what, script) => {
      const path = putProgram(join(tempFolder(), 'bin'), 'cortext', script)
      for (const [event, hook] of lines.filter(([event]) => event !== 'SessionStart')) {
        const { code, stderr } = await run(hook, path)
        expect({ code, event }).toEqual({ code: 0, event })
        // Only bash itself can still say something: that a signal has ended its child.
        if (hook.env !== undefined) expect(stderr).toMatch(/^(bash: .* Segmentation fault .*\n)?$/)
      }
    },
  )

  // promise: Your client works as before
  it('that are lines for a shell do so without cortext too', async () => {
    for (const [event, hook] of lines.filter(([event]) => event !== 'SessionStart')) {
      const { code, stdout, stderr } = await run(hook, join(tempFolder(), 'nothing'))
      // `{}` is an answer that says nothing.
      expect({ code, event, said: stdout.replace(/^\{\}\n$/, '') }).toEqual({ code: 0, event, said: '' })
      if (hook.env !== undefined) expect(stderr).toBe('')
    }
  })
})

async function run({ command, args, env = {} }: Entry, path: string) {
  const [program, given] = args === undefined ? ['bash', ['-c', command]] : [join(path, command), args]
  const home = tempFolder()
  const child = spawn(program, given, {
    env: { ...env, HOME: home, PATH: `${path}:/usr/bin:/bin` },
    cwd: home,
  })
  const done = { code: -1, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    done.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    done.stderr += chunk
  })
  // Some of them end without reading.
  child.stdin.on('error', () => undefined)
  child.stdin.end('{"payload":1}')
  const [code] = await once(child, 'close')
  return { ...done, code }
}
