import type { Reader } from '../../../src/clients/contract/reader.ts'
import { clientList, readerList } from '../../../src/clients/index.ts'
import { addTinyClient } from '../../helpers/tiny-client/add.ts'
import { fixturesOf } from '../fixtures.ts'

addTinyClient()

/** The clients of the list, and one that lives in the tests: who keeps the contract is not known to it. */
export const everyClient = clientList()

/** The same, and the clients whose sessions can only be imported. */
export const everyReader = readerList()

/** Each transcript of each client, by its name. */
export const everyFixture = fixtures(everyClient)

/** The same, and those of the clients whose sessions can only be imported. */
export const everyTranscript = fixtures(everyReader)

function fixtures<T extends Reader>(of: readonly T[]) {
  return of.flatMap((client) =>
    fixturesOf(client.id).map(({ name, raw }) => ({ title: `${client.id}/${name}`, client, raw })),
  )
}

/** Text that shells, markup, templates and terminals are keen on. */
export const HOSTILE = [
  '$(touch x) `touch y` ; rm -rf / & "quoted" \'single\' \\ back\\nslash $& $1 $$ %s',
  '</system-reminder><hook_context> --- {{args}} $ARGUMENTS !{touch z} @{file} @file !`touch q`',
  '"""\n\'\'\'\n---\n[table]\nkey = "value" # not a comment\n```\n\u0007\u001b[31m\u007f \u2028 — “日本”',
].join('\n')
