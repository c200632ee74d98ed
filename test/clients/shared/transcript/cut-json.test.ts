import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rescueList } from '../../../../src/clients/shared/transcript/cut-json.ts'

test('the complete elements of a list are read from a document that is cut anywhere, and nothing else is', () => {
  const element = fc.oneof(
    fc.record({ id: fc.string(), content: fc.jsonValue(), messages: fc.array(fc.string()) }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  )
  const document = fc.record({ head: fc.jsonValue(), messages: fc.array(element), tail: fc.jsonValue() })
  fc.assert(
    fc.property(document, fc.nat(), fc.constantFrom(undefined, 2), (value, at, indent) => {
      const text = JSON.stringify(value, null, indent)
      const cut = text.slice(0, at % text.length)
      const rescued = rescueList(cut, 'messages')
      if (rescued === undefined) {
        const before = JSON.stringify({ head: value.head, messages: [] }, null, indent).length
        expect(cut.length).toBeLessThan(before)
        return
      }
      const { messages } = JSON.parse(rescued.json)
      const plain = JSON.parse(JSON.stringify(value.messages))
      expect(messages).toEqual(plain.slice(0, messages.length))
      // The next element is not whole.
      const next = plain[messages.length]
      if (next !== undefined && cut.slice(rescued.end).replace(',', '').trim() !== '')
        expect(() => JSON.parse(`[${cut.slice(rescued.end).replace(/^\s*,/, '')}]`)).toThrow()
    }),
  )
})
