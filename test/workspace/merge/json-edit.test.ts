import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'
import { editJson, parseCommented } from '../../../src/workspace/merge/json-edit.ts'

const COMMENTED = `{
  // How it looks
  "ui": { "theme": "dark" }, // the dark one
  /* What may be run,
     and by whom */
  "hooks": {
    "AfterAgent": [
      // Mine
      { "hooks": [{ "type": "command", "command": "true // no comment" }] }
    ]
  },
  "general": {
    "vimMode": true // yes
  } // the last one
}
`

/** With what stands before them on their line, but for a comma. */
const commentsIn = (text: string) =>
  text.match(/^.*(\/\/|\/\*).*/gm)?.map((line) => line.replace(/,\r?$/, ''))

describe('settings with comments', () => {
  it.each([
    ['two spaces', COMMENTED],
    ['tabs', COMMENTED.replaceAll('  ', '\t')],
    ['CRLF', COMMENTED.replaceAll('\n', '\r\n')],
    ['a BOM', `\uFEFF${COMMENTED}`],
    ['a line', '// mine\n{"hooks": {"AfterAgent": [{}]}, "ui": 1}\n'],
    ['no entry', '{\n  // nothing yet\n}\n'],
  ])('are given our entries with every comment in its place, and back to the byte: %s', (_, text) => {
    const before = parseCommented(text, 'settings.json')
    const after = gemini.settings!.add(before)
    const edited = editJson(text, before, after)
    expect(parseCommented(edited, 'settings.json')).toEqual(after)
    expect(commentsIn(edited)).toEqual(commentsIn(text))
    const ends = text.includes('\r\n') ? /(?<!\r)\n/ : /\r/
    expect(edited).not.toMatch(ends)
    expect(editJson(edited, after, gemini.settings!.remove(after))).toBe(text)
  })

  it('can be changed into any other settings', () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(settings, settings, fc.constantFrom(undefined, 1), (before, after, indent) => {
        // The library does not read it as a key.
        fc.pre(!JSON.stringify([before, after]).includes('__proto__'))
        const text = `// mine\n${JSON.stringify(before, undefined, indent)}`
        const edited = editJson(text, JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)))
        expect(edited.startsWith('// mine\n')).toBe(true)
        expect(parseCommented(edited, 'x')).toEqual(JSON.parse(JSON.stringify(after)))
      }),
    )
  })

  it.each(['{ "a": 1, // x\n }', '{ // x', '// x\n[]', '// x'])(
    'that do not parse are refused with the name of the file: %j',
    (text) => {
      expect(() => parseCommented(text, 'settings.json')).toThrow(
        expect.objectContaining({ code: 'corrupt', message: expect.stringContaining('settings.json') }),
      )
    },
  )
})
