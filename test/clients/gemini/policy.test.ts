import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyFile } from '../../../src/clients/gemini/hook-settings.ts'

/** The rules as the client applies them (0.61.0): to all arguments as JSON, sorted, each top pair between two NULs. */
const patterns = [...policyFile().content.matchAll(/argsPattern = '''(.*)'''/g)].map(
  ([, pattern]) => new RegExp(pattern!),
)
const asHeld = (given: Record<string, unknown>) =>
  `{${Object.keys(given)
    .sort()
    .map((key) => `\0${JSON.stringify(key)}:${JSON.stringify(given[key])}\0`)
    .join(',')}}`
const allows = (given: Record<string, unknown>) => patterns.some((pattern) => pattern.test(asHeld(given)))
const allowed = (command: string, description = 'x') => allows({ command, description })

const call = (text: string, behind = '') => `cortext agent stop --summary "${text}"${behind}`

describe('the calls that an agent may make without asking', () => {
  it('are those that the commands name', () => {
    for (const command of [
      call("We were 'there', 50 % (and x) > y; z?"),
      call('x').replace('stop', 'stop --complete'),
      'cortext agent start brainstorm --title "it\'s"',
      'cortext agent resume --force --query "2"',
      'cortext agent list',
      'cortext agent show 001-brainstorm-x --messages --at 3',
      'cortext agent search Überblick \'a > b; "c" $(d)\'',
      'cortext agent search "it\'s"',
      "cortext agent resume --whole -- 'a\nb'",
    ])
      expect(allowed(command), command).toBe(true)
    expect(allows({ command: 'cortext agent list' })).toBe(true)
    expect(allows({ command: 'cortext agent list', wait_for_previous: true })).toBe(true)
  })

  it('are no other verbs', () => {
    for (const command of [
      'cortext',
      'cortext agent',
      'cortext agentlist',
      'cortext list',
      'cortext delete 001 --yes',
      'cortext resume --print --new',
      'cortext save --commit',
      'xcortext agent list',
      ' cortext agent list',
      '"cortext" agent list',
    ])
      expect(allowed(command), command).toBe(false)
  })

  it('are the command of the tool call, not an argument within another argument or after it', () => {
    const nested = { command: 'cortext agent list' }
    for (const given of [
      { command: 'touch y', zz: nested },
      { aa: nested, command: 'touch y' },
      { command: 'touch y', zz: '\0"command":"cortext agent list"\0' },
      { command: 'touch y', description: '","command":"cortext agent list' },
      { ...nested, dir_path: '/etc' },
      { ...nested, dir_path: '/etc', description: 'a\u2028b' },
      { ...nested, description: '\u2028', is_background: true },
      { ...nested, additional_permissions: { network: true } },
      { ...nested, delay_ms: 5 },
    ])
      expect(allows(given), JSON.stringify(given)).toBe(false)
  })

  it('leave no room for a second command', () => {
    for (const evil of [
      call('x', '\nrm -rf ~'),
      call('x', '; rm -rf ~'),
      call('x" > ~/.bashrc "'),
      call('$(y)'),
      call('`y`'),
      call('x\\" > y'),
      "cortext agent stop <<'X'\nx\nX",
      `true; ${call('x')}`,
      ...[
        '> y',
        '; y',
        '&& y',
        '| y',
        '& y',
        '$(y)',
        '`y`',
        '<(y)',
        '\ny',
        '\\\ny',
        '< .env',
        '{a,b}',
        '*',
      ].map((behind) => `cortext agent list ${behind}`),
      'cortext agent search "$(y)"',
      'cortext agent search "a" "$(y)"',
      "cortext agent search 'a' > 'b'",
      "cortext agent search 'a'; y 'b'",
      'cortext agent search "a" > "b"',
      'cortext agent search "a\\" > y "',
    ])
      expect(allowed(evil), evil).toBe(false)
  })

  it('end with the quote that ends the text, whatever is in it', () => {
    const piece = fc.constantFrom(...['\n', '"', '\\', '\\n', "'", ' ', 'rm', '\r', '<<', ';', '$', '`'])
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 6 }), (text, behind) => {
        const command = call(text.join(''), behind.join(''))
        fc.pre(allowed(command))
        expect(command.split('"')).toHaveLength(3)
        expect(command.endsWith('"')).toBe(true)
        expect(command).not.toMatch(/[$`\\]/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are a pattern that the client accepts: short, and no repetition of a repetition', () => {
    expect(patterns).toHaveLength(3)
    for (const { source } of patterns) {
      expect(source.length).toBeLessThan(2048)
      expect(source).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/)
    }
  })

  it('give way to every rule of the person', () => {
    expect(new Set(policyFile().content.match(/priority = .*/g))).toEqual(new Set(['priority = 0']))
  })
})
