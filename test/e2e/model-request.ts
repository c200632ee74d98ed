import * as z from 'zod'

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() })
const Content = z.union([z.string(), z.array(Part)])
const Body = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default(''),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
})

/** One call of the Messages API, as far as tests look at it. */
export interface ModelRequest {
  model: string
  stream: boolean
  /** The system prompt, its blocks joined. */
  system: string
  messages: { role: string; content: string | z.infer<typeof Part>[] }[]
  tools: string[]
  /** True for what a client asks beside the conversation, such as a title: it offers the model no tools. */
  side: boolean
  body: unknown
}

export function modelRequest(raw: unknown): ModelRequest {
  const body = Body.parse(raw)
  return {
    model: body.model,
    stream: body.stream,
    system: texts(body.system).join('\n'),
    messages: body.messages,
    tools: body.tools.map((tool) => tool.name),
    side: body.tools.length === 0,
    body: raw,
  }
}

/** Everything the model reads beside the tool descriptions: the system prompt and all messages, results included. */
export function allText(request: ModelRequest): string {
  return [request.system, ...request.messages.flatMap((message) => deepTexts(message.content))].join('\n')
}

/** The text of the last user message that has any, whatever else the client put into it. */
export function lastUserText(request: ModelRequest): string {
  return userTexts(request).at(-1)?.join('\n') ?? ''
}

/** The same without the client's own reminders: what a person typed last, even while tools run. */
export function typedText(request: ModelRequest): string {
  const typed = userTexts(request).map((parts) => parts.map(withoutReminders).filter(Boolean).join('\n'))
  return typed.filter(Boolean).at(-1) ?? ''
}

/** What tools answered since the model spoke last, in the order of the message. */
export function toolResults(request: Pick<ModelRequest, 'messages'>): string[] {
  const last = request.messages.findLast((message) => message.role === 'user')
  if (!last || typeof last.content === 'string') return []
  return last.content.flatMap((part) =>
    part.type === 'tool_result' ? [deepTexts(part.content).join('\n')] : [],
  )
}

function userTexts(request: ModelRequest): string[][] {
  return request.messages
    .filter((message) => message.role === 'user')
    .map((message) => texts(message.content))
    .filter((parts) => parts.length > 0)
}

function withoutReminders(value: string): string {
  return value.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim()
}

function texts(content: z.infer<typeof Content>): string[] {
  if (typeof content === 'string') return content ? [content] : []
  return content.flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
}

function deepTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => [
    ...(typeof part.text === 'string' ? [part.text] : []),
    ...deepTexts(part.content),
  ])
}
