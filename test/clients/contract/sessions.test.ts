import { isAbsolute, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients, importOnly } from '../../../src/clients/index.ts'
import { transcriptOf } from '../../../src/conversation/own-transcript.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'
import { everyClient, everyReader } from './every-client.ts'

describe('the clients', () => {
  it('have an id of their own, under which they are in the list', () => {
    expect(everyClient.map(({ id }) => id)).toEqual(Object.keys(clients))
    expect(everyReader.map(({ id }) => id)).toEqual([...Object.keys(clients), ...Object.keys(importOnly)])
  })
})

const nowhere = () => placeOf(tempFolder(), { HOME: tempFolder() })

describe.each(everyReader)('the sessions of $id', (client) => {
  it('are none where the client never ran, or the folder is gone', () => {
    const environment = nowhere()
    expect(client.sessions.locate(environment, environment.cwd)).toEqual([])
    expect(client.sessions.locate(environment, join(environment.cwd, 'gone'))).toEqual([])
    expect(client.tools.mcpServers?.(environment, environment.cwd) ?? []).toEqual([])
  })

  it('have a transcript below the home, and side files next to it, before either exists', () => {
    const environment = nowhere()
    const id = '11111111-2222-4333-8444-555555555555'
    const transcript = client.sessions.transcriptPath(environment, environment.cwd, id)
    const { sideFolder, outputsFolder } = client.sessions
    const beside = [sideFolder?.(transcript, id) ?? [], outputsFolder?.(transcript, id) ?? []].flat()
    for (const path of [transcript, ...beside]) {
      expect(isAbsolute(path)).toBe(true)
      expect(relative(environment.home, path)).not.toMatch(/^\.\./)
    }
    expect(beside).not.toContain(transcript)
  })

  it.each(['../x', 'a/b', '..', '', 'a\0b', '/etc/passwd'])(
    'refuse the id %j, which is not a plain name',
    (id) => {
      const environment = nowhere()
      expect(() => client.sessions.transcriptPath(environment, environment.cwd, id)).toThrow(
        expect.objectContaining({ code: 'unsafe-path' }),
      )
    },
  )

  it('are read at their own path, also when no hook but a binding names it', () => {
    const environment = nowhere()
    const id = 'a1111111-2222-4333-8444-555555555555'
    const transcript = client.sessions.transcriptPath(environment, environment.cwd, id)
    const binding = { client: client.id, native_id: id, transcript }
    expect(transcriptOf({ environment }, binding)).toBe(transcript)
  })

  it('are not read where a binding gives them the id of another one', () => {
    const environment = nowhere()
    const id = 'a1111111-2222-4333-8444-555555555555'
    const transcript = client.sessions.transcriptPath(environment, environment.cwd, id)
    for (const native_id of ['b1111111-2222-4333-8444-555555555555', '5555', '']) {
      const binding = { client: client.id, native_id, transcript }
      const isAnywhere = client.sessions.folders === undefined
      expect(transcriptOf({ environment }, binding)).toBe(isAnywhere ? transcript : '')
    }
  })
})

describe.each(everyClient)('the sessions of $id, which cortext starts,', (client) => {
  it('are none where the client never ran', () => {
    const environment = nowhere()
    expect(
      client.sessions.hasSession(environment, environment.cwd, '11111111-2222-4333-8444-555555555555'),
    ).toBe(false)
    expect(client.sessions.currentSession?.({})).toBeUndefined()
  })

  it('are known to the shell by a variable, or else to the hooks by the process', () => {
    expect(client.sessions.currentSession !== undefined).toBe(client.hooks.shellsNameSession)
  })

  it('were seen in versions that are named, oldest first', () => {
    expect(client.tested.length).toBeGreaterThan(0)
    const sorted = [...client.tested].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    expect(client.tested).toEqual(sorted)
    expect(client.install).toMatch(/^\S.*\S$/)
    expect(client.tools.shellOutput.bytes).toBeGreaterThan(0)
  })
})
