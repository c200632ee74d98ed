import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyFile } from '../../../src/clients/gemini/policy.ts'

/** The forms with a text, as the client applies them: to the call as JSON, its keys sorted (0.61.0). */
const patterns = [...policyFile().content.matchAll(/commandRegex = '''(.*)'''/g)].map(
  ([, regex]) => new RegExp(`"command":"${regex}`),
)
const allowed = (command: string, description = 'x') =>
  patterns.some((pattern) => pattern.test(JSON.stringify({ command, description })))

const call = (text: string, behind = '') =>
  `cortext stop --summary-stdin <<'CORTEXT_SUMMARY'\n${text}\nCORTEXT_SUMMARY${behind}`

describe('the calls that an agent may make without asking', () => {
  it('are those that the commands name', () => {
    expect(allowed(call('We were "there", $(id) and `x` > y'))).toBe(true)
    expect(allowed(call('two lines\nof it'))).toBe(true)
    expect(allowed("cortext start brainstorm --title-stdin <<'CORTEXT_TITLE'\nit's\nCORTEXT_TITLE")).toBe(
      true,
    )
    expect(allowed("cortext resume --here --force --query-stdin <<'CORTEXT_QUERY'\n2\nCORTEXT_QUERY")).toBe(
      true,
    )
  })

  it('name no verb that deletes, imports, edits or uninstalls', () => {
    const { content } = policyFile()
    for (const verb of [
      'delete',
      'import',
      'edit',
      'uninstall',
      'init',
      'config',
      'doctor',
      '"cortext"',
      '"cortext resume"',
    ])
      expect(content).not.toContain(verb)
  })

  it('throw nothing away: a stop is allowed only in forms that refuse --discard', () => {
    const prefixes: string[] = JSON.parse(/commandPrefix = (.*)/.exec(policyFile().content)?.[1] ?? '')
    const stops = prefixes.filter((prefix) => prefix.startsWith('cortext stop'))
    expect(stops.map((prefix) => prefix.slice('cortext stop '.length))).toEqual([
      '--summary-stdin',
      '--complete',
      '--no-commit',
    ])
  })

  it('leave no room for a second command', () => {
    for (const evil of [
      call('x', '\nrm -rf ~'),
      call('x', '; rm -rf ~'),
      call("x\nCORTEXT_SUMMARY\nrm -rf ~ <<'CORTEXT_SUMMARY'"),
      call('x').replace('<<', '> ~/.bashrc <<'),
      call('x').replace("'CORTEXT_SUMMARY'", 'CORTEXT_SUMMARY'),
      `true; ${call('x')}`,
    ])
      expect(allowed(evil), evil).toBe(false)
  })

  it('end with the word that ends the text, whatever is in it', () => {
    const piece = fc.constantFrom(
      '\n',
      'CORTEXT_SUMMARY',
      'rm',
      '"',
      '\\',
      '\\n',
      "'",
      ' ',
      'C',
      '\r',
      '<<',
      ';',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 6 }), (text, behind) => {
        const command = call(text.join(''), behind.join(''))
        fc.pre(allowed(command, `\n${command}`))
        const lines = command.split('\n')
        expect(lines.indexOf('CORTEXT_SUMMARY')).toBe(lines.length - 1)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are a pattern that the client accepts: short, and no repetition of a repetition', () => {
    for (const { source } of patterns) {
      expect(source.length).toBeLessThan(2048)
      expect(source).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/)
    }
  })
})
