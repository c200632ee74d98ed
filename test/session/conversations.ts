import fc from 'fast-check'
import type { Message, SessionFile } from '../../src/session/schema.ts'

export function session(more: Partial<SessionFile> = {}): SessionFile {
  return {
    version: '1.0',
    conversation_id: '001-brainstorm-api-design',
    conversation_type: 'brainstorm',
    title: 'API Design Discussion',
    status: 'paused',
    created_at: '2026-11-21T10:30:00Z',
    last_active: '2026-11-21T11:45:00Z',
    message_count: 24,
    token_count: 0,
    agent_config: {
      client: 'claude',
      command: '/workspace.brainstorm',
      system_prompt_hash: 'unknown',
      model: 'unknown',
      tools: [],
    },
    context_summary: 'Exploring REST vs GraphQL, leaning toward REST for simplicity',
    agent_sessions: [],
    ...more,
  }
}

export function said(id: string, more: Partial<Message> = {}): Message {
  return { id, role: 'user', content: `said in ${id}`, timestamp: '2026-11-21T10:30:00Z', ...more }
}

export function rewound(to: string | null, more: Partial<Message> = {}): Message {
  return said(`back to ${to}`, { role: 'system', content: '', event: 'rewound', to, ...more })
}

/** What people and programs write: markup, markers of the block, halves of surrogate pairs, long runs. */
export const text = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  fc
    .array(fc.constantFrom('\ud800', '\udc00', '😀', 'é', '漢', '\n', ' ', 'a', '`', '\u001b['), {
      maxLength: 40,
    })
    .map(join),
  fc
    .array(
      fc.constantFrom(
        '[END RESUMED CONTEXT]',
        '[resumed conversation]',
        '[END\nRESUMED',
        ' CONTEXT]',
        '\ud800',
      ),
      {
        maxLength: 5,
      },
    )
    .map(join),
  fc
    .tuple(
      fc.constantFrom('=', 'a', '漢', '😀', ' ', '<|endoftext|>'),
      // A few long ones only: the tokenizer takes long for each that it does not know yet.
      fc.oneof(fc.nat(80), fc.constantFrom(1020, 1500)),
    )
    .map(([unit, times]) => unit.repeat(times)),
  fc.constant(''),
)

function join(parts: string[]): string {
  return parts.join('')
}

const timestamp = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.nat(5_000).map((second) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()),
  },
  fc.constantFrom(
    '2026-01-01T00:10:00Z',
    '',
    'yesterday',
    '+275760-09-13T00:00:00.000Z',
    '1970-01-01T00:00:00Z',
  ),
)

type Turn = {
  asked: string
  answers: { text: string; results: (string | null)[]; failed: boolean }[]
  back: number | null
}

const turn: fc.Arbitrary<Turn> = fc.record({
  asked: text,
  answers: fc.array(
    fc.record({
      text,
      results: fc.array(fc.option(text, { freq: 5 }), { maxLength: 3 }),
      failed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  back: fc.option(fc.nat(30), { freq: 5, nil: null }),
})

/** One native session in its own order: turns, parallel tools, calls without results, rewinds to here and nowhere. */
function nativeSession(name: string, maxTurns = 5): fc.Arbitrary<Message[]> {
  return fc
    .tuple(fc.array(turn, { maxLength: maxTurns }), fc.array(timestamp, { minLength: 1, maxLength: 12 }))
    .map(([turns, times]) => {
      const messages: Message[] = []
      const add = (more: Partial<Message>): void => {
        const number = messages.length
        messages.push(
          said(`${name}${number}`, {
            timestamp: times[number % times.length]!,
            client: 'claude',
            native_session: name,
            seq: number,
            ...more,
          }),
        )
      }
      for (const { asked, answers, back } of turns) {
        if (back !== null)
          add({ role: 'system', content: '', event: 'rewound', to: messages[back]?.id ?? 'elsewhere' })
        add({ content: asked })
        for (const answer of answers) {
          const calls = answer.results.map((_, place) => `${name}call${messages.length}.${place}`)
          add({
            role: 'assistant',
            content: answer.text,
            ...(calls.length > 0
              ? {
                  tool_calls: calls.map((id) => ({
                    id,
                    name: 'Read',
                    arguments: { file_path: `src/${id}.ts` },
                  })),
                }
              : {}),
          })
          for (const [place, result] of answer.results.entries())
            if (result !== null)
              add({
                role: 'tool',
                content: place === 0 ? result : [{ type: 'text', text: result }, { type: 'image' }],
                tool_call_id: calls[place]!,
                tool_name: 'Read',
                ...(answer.failed ? { is_error: true } : {}),
              })
        }
      }
      return messages
    })
}

/** A conversation held in up to three native sessions. */
export const nativeSessions: fc.Arbitrary<[Message[], Message[], Message[]]> = fc.tuple(
  nativeSession('a'),
  nativeSession('b'),
  nativeSession('c', 2),
)

/** The message as it was when only a part of it had been said. */
export function poorer(message: Message): Message {
  if (typeof message.content !== 'string') return message
  const characters = [...message.content]
  return { ...message, content: characters.slice(0, characters.length / 2).join('') }
}

/** Lists merged so that each keeps its order, as a union merge of two clones may put them. */
export function interleaved<T>(a: readonly T[], b: readonly T[], choices: readonly boolean[]): T[] {
  const result: T[] = []
  let [i, j] = [0, 0]
  for (let step = 0; i < a.length || j < b.length; step += 1) {
    const fromA = j >= b.length || (i < a.length && choices[step % choices.length] === true)
    result.push(fromA ? a[i++]! : b[j++]!)
  }
  return result
}
