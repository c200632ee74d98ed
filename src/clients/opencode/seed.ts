import { crypto } from '../../crypto.ts'
import type { Handoff } from '../contract/launch.ts'
import { commandBody } from './pack.ts'

/**
 * When a seed says that it was made. The terminal UI sorts by the digits of the time in milliseconds, so it must have
 * as many of them as today's. A session that was not touched since is one in which nothing was said.
 */
export const SEED_TIME = 1_000_000_000_000

/** By this the reader leaves the seed out, and the plugin knows the session. */
const MARK = { cortext: { seed: true } }

/**
 * Names no agent that OpenCode knows: so it takes over neither agent nor model from the seed, but begins with those
 * that a new session would have (1.18.33). The next prompt names its own.
 */
const NOBODY = 'cortext'
const MODEL = 'handoff'

/**
 * A session as `opencode import` takes it: the command as it was typed, shown; its body, the block and the history,
 * sent; and the recap. With a title of its own, OpenCode does not ask a model for one.
 */
export function seedOf({ nativeId, cwd, command, args, context, recap }: Handoff) {
  const [user, assistant] = [seedId('msg', 1, nativeId), seedId('msg', 2, nativeId)]
  const typed = `/${command.name}${args === '' ? '' : ` ${args}`}`
  const asked = [
    { text: typed, ignored: true },
    { text: commandBody(command, args), synthetic: true },
    { text: context, synthetic: true },
  ]
  const part = (messageID: string, number: number, fields: object) => {
    return { id: seedId('prt', number, nativeId), sessionID: nativeId, messageID, type: 'text', ...fields }
  }
  const base = { sessionID: nativeId, agent: NOBODY, time: { created: SEED_TIME } }
  return {
    info: {
      id: nativeId,
      slug: nativeId.replaceAll('_', '-'),
      title: args || command.name,
      version: NOBODY,
      metadata: MARK,
      time: { created: SEED_TIME, updated: SEED_TIME },
    },
    messages: [
      {
        info: { ...base, id: user, role: 'user', model: { providerID: NOBODY, modelID: MODEL } },
        parts: asked.map((fields, index) => part(user, index + 1, { ...fields, metadata: MARK })),
      },
      {
        info: {
          ...base,
          id: assistant,
          role: 'assistant',
          parentID: user,
          mode: NOBODY,
          providerID: NOBODY,
          modelID: MODEL,
          path: { cwd, root: cwd },
          cost: 0,
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          finish: 'stop',
        },
        parts: [part(assistant, asked.length + 1, { text: shownAsItIs(recap), metadata: MARK })],
      },
    ],
  }
}

/** In OpenCode's form, random but for the time. Its ids of sessions descend. */
export function newSessionId(now: Date): string {
  const time = ~(BigInt(now.getTime()) * 4096n) & 0xffff_ffff_ffffn
  return `ses_${time.toString(16).padStart(12, '0')}${tail(crypto().randomUUID())}`
}

/** Global, below every id that OpenCode makes (they begin with the time), ascending, the same for the same session. */
function seedId(kind: 'msg' | 'prt', number: number, session: string): string {
  return `${kind}_${number.toString(16).padStart(12, '0')}${tail(session)}`
}

function tail(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '').slice(-14)
}

/** As code: markdown would take the brackets for a link's. */
function shownAsItIs(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)))
  const space = fence.length > 1 ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}
