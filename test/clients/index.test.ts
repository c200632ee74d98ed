import { describe, expect, it } from 'vitest'
import { clientOf, clients } from '../../src/clients/index.ts'

describe('the list of clients', () => {
  it('has each client under its own id', () => {
    for (const [id, client] of Object.entries(clients)) {
      expect(client.id).toBe(id)
      expect(clientOf(id)).toBe(client)
    }
  })

  it('names the known clients when there is none of that name', () => {
    for (const id of ['nobody', '', '__proto__', 'toString'])
      expect(() => clientOf(id)).toThrow(
        expect.objectContaining({ code: 'not-found', fix: expect.stringContaining('claude') }),
      )
  })
})
