import * as z from 'zod'

/**
 * What the published schemas ask for, as far as a conversation can break it.
 *
 * ATIF v1.7: RFC 0001 of the Harbor framework (rfcs/0001-trajectory-format.md) and its models in
 * src/harbor/models/trajectories/, as other projects have them in November 2026: unknown keys are refused, step ids
 * count from 1, some keys are of agents only, and a result names a call of its own step.
 */
const EXTRA = z.record(z.string(), z.unknown()).optional()
const ISO = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)

const Call = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra: EXTRA,
})
const Observation = z.strictObject({
  results: z.array(
    z.strictObject({ source_call_id: z.string().optional(), content: z.string().optional(), extra: EXTRA }),
  ),
})
const OF_AGENT = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const
const Step = z
  .strictObject({
    step_id: z.int().positive(),
    timestamp: ISO.optional(),
    source: z.enum(['system', 'user', 'agent']),
    model_name: z.string().optional(),
    reasoning_effort: z.union([z.string(), z.number()]).optional(),
    message: z.string(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(Call).optional(),
    observation: Observation.optional(),
    metrics: z.record(z.string(), z.unknown()).optional(),
    is_copied_context: z.boolean().optional(),
    llm_call_count: z.int().nonnegative().optional(),
    extra: EXTRA,
  })
  .refine((step) => step.source === 'agent' || OF_AGENT.every((key) => step[key] === undefined))
  .refine(({ observation, tool_calls = [] }) => {
    const calls = tool_calls.map((call) => call.tool_call_id)
    const named = (observation?.results ?? []).flatMap(({ source_call_id: id }) =>
      id === undefined ? [] : [id],
    )
    return named.every((id) => calls.includes(id))
  })

export const Atif = z
  .strictObject({
    schema_version: z.literal('ATIF-v1.7'),
    session_id: z.string().optional(),
    trajectory_id: z.string().optional(),
    agent: z.strictObject({
      name: z.string(),
      version: z.string(),
      model_name: z.string().optional(),
      tool_definitions: z.array(z.record(z.string(), z.unknown())).optional(),
      extra: EXTRA,
    }),
    steps: z.array(Step).min(1),
    notes: z.string().optional(),
    final_metrics: z.strictObject({ total_steps: z.int().nonnegative() }).optional(),
    continued_trajectory_ref: z.string().optional(),
    extra: EXTRA,
  })
  .refine(({ steps }) => steps.every(({ step_id: id }, place) => id === place + 1))

/**
 * The Session Trace Simple Format: the page "Session Traces Format" of the Hub's documentation (huggingface/hub-docs,
 * docs/hub/session-traces-format.md at 9d14846).
 */
const TraceMessage = z
  .strictObject({
    role: z.enum(['user', 'assistant', 'system', 'tool']),
    content: z.string(),
    reasoningContent: z.string().optional(),
    toolCalls: z
      .array(
        z.strictObject({
          id: z.string(),
          function: z.strictObject({ name: z.string(), arguments: z.string().refine(isJson) }),
        }),
      )
      .optional(),
    toolCallId: z.string().optional(),
    timestamp: z.int().optional(),
    model: z.string().optional(),
  })
  .refine(({ role, toolCalls }) => role === 'assistant' || toolCalls === undefined)
  .refine(({ role, toolCallId }) => role === 'tool' || toolCallId === undefined)

export const TraceHead = z.looseObject({
  type: z.literal('session'),
  harness: z.string().min(1),
  id: z.string().min(1),
  name: z.string().optional(),
})
export const TraceLine = z.strictObject({ type: z.literal('message'), message: TraceMessage })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
