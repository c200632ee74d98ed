import { crypto } from '../../hash.ts'
import type { Handoff } from '../contract/launch.ts'
import { givenIn, typedIn } from '../shared/setup/seed.ts'

/**
 * The time of creation in a seed. OpenCode's terminal UI sorts by the digits of the time in milliseconds, so this time
 * has as many digits as today's. If a session's last change is still at this time, nothing was said in the session.
 */
export const SEED_TIME = 1_000_000_000_000

/** The reader leaves out messages with this metadata. The plugin recognises the session by it. */
const MARK = { cortext: { seed: true } }

/**
 * The name of an agent that OpenCode does not know. So OpenCode begins with the agent and the model of a new session,
 * not with those of the seed (1.18.33). The next prompt names its own agent.
 */
const UNKNOWN_NAME = 'cortext'
const MODEL = 'handoff'

/**
 * Makes a session in the form of `opencode import`. The person sees the typed command and the recap. The model gets the
 * command's body, the resume block, the history and the recap. The session has a title, so OpenCode asks no model for
 * one.
 */
export function seed(handoff: Handoff): string {
  const { nativeId, cwd, command, args, recap } = handoff
  const [user, assistant] = [seedId('msg', 1, nativeId), seedId('msg', 2, nativeId)]
  const promptParts = [
    { text: typedIn(handoff), ignored: true },
    ...givenIn(handoff).map((text) => ({ text, synthetic: true })),
  ]
  const part = (messageID: string, number: number, fields: object) => {
    return { id: seedId('prt', number, nativeId), sessionID: nativeId, messageID, type: 'text', ...fields }
  }
  const base = { sessionID: nativeId, agent: UNKNOWN_NAME, time: { created: SEED_TIME } }
  return JSON.stringify({
    info: {
      id: nativeId,
      slug: nativeId.replaceAll('_', '-'),
      title: args || command,
      version: UNKNOWN_NAME,
      metadata: MARK,
      time: { created: SEED_TIME, updated: SEED_TIME },
    },
    messages: [
      {
        info: { ...base, id: user, role: 'user', model: { providerID: UNKNOWN_NAME, modelID: MODEL } },
        parts: promptParts.map((fields, index) => part(user, index + 1, { ...fields, metadata: MARK })),
      },
      {
        info: {
          ...base,
          id: assistant,
          role: 'assistant',
          parentID: user,
          mode: UNKNOWN_NAME,
          providerID: UNKNOWN_NAME,
          modelID: MODEL,
          path: { cwd, root: cwd },
          cost: 0,
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          finish: 'stop',
        },
        parts: [part(assistant, promptParts.length + 1, { text: recap, metadata: MARK })],
      },
    ],
  })
}

/** Makes an id in OpenCode's form: it contains the time and is otherwise random. A later session has a lower id. */
export function newSessionId(now: Date): string {
  const time = ~(BigInt(now.getTime()) * 4096n) & 0xffff_ffff_ffffn
  return `ses_${time.toString(16).padStart(12, '0')}${tail(crypto().randomUUID())}`
}

/**
 * Makes a globally unique id. It is lower than each of OpenCode's own ids, because those begin with the time. A higher
 * `number` gives a higher id. The same session gives the same ids.
 */
function seedId(kind: 'msg' | 'prt', number: number, session: string): string {
  return `${kind}_${number.toString(16).padStart(12, '0')}${tail(session)}`
}

function tail(id: string): string {
  return id.replace(/[^A-Za-z0-9]/g, '').slice(-14)
}
