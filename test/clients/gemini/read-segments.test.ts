import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accounted, gathered, lineStarts } from '../readings.ts'
import { read, SAMPLES, sample } from './transcript.ts'

it('a session that is read in segments loses nothing and has nothing twice, whichever lines divide it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SAMPLES), fc.array(fc.nat(), { maxLength: 5 }), (name, cuts) => {
      const bytes = sample(name)
      const starts = lineStarts(bytes)
      const ends = [0, ...cuts.map((cut) => starts[cut % starts.length]!), bytes.length].sort((a, b) => a - b)
      const segments = ends.slice(1).map((to, index) => read(bytes, { from: ends[index]!, to }))
      expect(gathered(segments)).toEqual(read(bytes).messages)
      expect(segments.reduce((sum, { report }) => sum + accounted(report), 0)).toBe(bytes.length)
    }),
  )
})
