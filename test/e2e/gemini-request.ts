import * as z from 'zod'
import type { ModelRequest } from './model-request.ts'

const Part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ name: z.string() }).optional(),
  functionResponse: z.looseObject({ name: z.string(), response: z.unknown() }).optional(),
})
const Content = z.looseObject({ role: z.string().default('user'), parts: z.array(Part).default([]) })
const Body = z.looseObject({
  contents: z.array(Content).default([]),
  systemInstruction: Content.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
  generationConfig: z.looseObject({}).default({}),
})

type Parts = z.infer<typeof Part>[]

/**
 * A call of the Gemini API in the words of the other fake model. What the client puts before the conversation
 * (`<session_context>`) counts as its system prompt.
 */
export function geminiRequest(model: string, raw: unknown): ModelRequest {
  const body = Body.parse(raw)
  const isContext = ({ text }: Parts[number]) => text?.startsWith('<session_context>') === true
  const all = body.contents.flatMap(({ parts }) => parts)
  const system = [...(body.systemInstruction?.parts ?? []), ...all.filter(isContext)]
  return {
    model,
    stream: true,
    system: system.flatMap(({ text }) => text ?? []).join('\n'),
    messages: body.contents.map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : role,
      content: parts.filter((part) => !isContext(part)).map(asBlock),
    })),
    tools: body.tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)),
    side: body.tools.length === 0,
    body: raw,
  }
}

/** The JSON schema that an answer shall have, if the client asks for one. */
export function schemaOf(raw: unknown): unknown {
  const { generationConfig } = Body.parse(raw)
  return generationConfig.responseJsonSchema ?? generationConfig.responseSchema
}

function asBlock(part: Parts[number]) {
  if (part.functionCall !== undefined) return { type: 'tool_use', ...part.functionCall }
  if (part.functionResponse !== undefined)
    return { type: 'tool_result', content: answered(part.functionResponse.response) }
  return { type: 'text', text: part.text ?? '' }
}

function answered(response: unknown): string {
  const output = (response as { output?: unknown } | undefined)?.output
  return typeof output === 'string' ? output : JSON.stringify(response)
}
