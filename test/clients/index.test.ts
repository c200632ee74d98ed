import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientOf, clients, importOnly, readerList, readerOf } from '../../src/clients/index.ts'
import { filesBelow } from './fixtures.ts'

describe('the list of clients', () => {
  it('has each client under its own id', () => {
    for (const [id, client] of Object.entries(clients)) {
      expect(client.id).toBe(id)
      expect(clientOf(id)).toBe(client)
    }
  })

  it('has each import-only client under its own id, and only where sessions are read', () => {
    expect(readerList()).toEqual([...Object.values(clients), ...Object.values(importOnly)])
    for (const [id, reader] of Object.entries(importOnly)) {
      expect(readerOf(id)).toBe(reader)
      expect(Object.keys(reader).sort()).toEqual(['id', 'name', 'reading', 'sessions', 'tools'])
      expect(() => clientOf(id)).toThrow(`${reader.name} can only be imported from`)
    }
  })

  it.each(Object.keys(importOnly))('%s, which is import-only, has fewer than 200 lines in all', (id) => {
    const folder = join(import.meta.dirname, '../../src/clients', id)
    const files = filesBelow(folder).map((path) => readFileSync(join(folder, path), 'utf8'))
    expect(files.length).toBeGreaterThan(1)
    expect(files.join('').trimEnd().split('\n').length).toBeLessThan(200)
  })

  it('names the known clients when there is none of that name', () => {
    for (const id of ['nobody', '', '__proto__', 'toString'])
      expect(() => clientOf(id)).toThrow(
        expect.objectContaining({ code: 'not-found', fix: expect.stringContaining('claude') }),
      )
  })
})
