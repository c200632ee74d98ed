/**
 * The tools as clients list them to their models. These words cost tokens in every session of a client, so they are
 * few: a test keeps their JSON under 900 tokens (o200k).
 */
export const TOOLS = [
  {
    name: 'search_workspace',
    description:
      'Searches what was said in the past AI conversations of this project: decisions, reasons, bugs, what was tried. Look here before you ask the user again. Give three different wordings at once: together they find much more than one. Each hit has the number of its message (#12) for show_messages.',
    inputSchema: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          items: { type: 'string' },
          description:
            'wordings of one question, e.g. ["why did we drop the outbox?", "remove message queue decision", "retries idempotent events.ts"]: the question, synonyms, words and names that the answer may contain',
        },
        since: { type: 'string', description: 'only messages from this date on: 2026-11-21' },
        until: { type: 'string', description: 'only messages up to this date, that day included' },
        role: {
          type: 'string',
          enum: ['user', 'assistant', 'tool', 'system'],
          description: 'who said it; tool: outputs of tools',
        },
        file: { type: 'string', description: 'only conversations whose tools touched this path' },
        author: { type: 'string', description: 'only what the person of this name typed' },
        sort: {
          type: 'string',
          enum: ['relevance', 'time'],
          description: 'time: of the best conversations the oldest first, to see what became of a decision',
        },
        limit: {
          type: 'integer',
          description: 'max conversations, default 10 (4 if the first is sure, 5 if none fits well)',
        },
      },
      required: ['queries'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'get_context',
    description:
      'Where a past conversation stands, within a token budget: its state, summary and recent messages, or with "about" what was said about a question.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'the id of one conversation (3, 11-21/3, 2026-11-21/003-plan-api), or words: if several fit, the best three share the budget',
        },
        budget: { type: 'integer', description: 'max tokens of context, default 5000' },
        about: { type: 'string', description: 'a question; messages that answer it come first' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_conversations',
    description: 'Past conversations with id, type, date and title, newest first.',
    inputSchema: {
      type: 'object',
      properties: {
        type: { type: 'string', description: 'brainstorm, plan, debug, …' },
        status: { type: 'string', enum: ['active', 'paused', 'completed'] },
        limit: { type: 'integer', description: 'default 20' },
      },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'show_messages',
    description:
      'Messages of one conversation word for word, with tool calls and results: a hit of search_workspace with its surroundings ("around"), or a range ("from", "to").',
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'of the conversation, as search_workspace gives it' },
        around: {
          type: 'integer',
          description: 'number of a message: shows it and three before and after; not with from or to',
        },
        from: { type: 'integer', description: 'number of the first message, default 1' },
        to: {
          type: 'integer',
          description:
            'number of the last, default the end; 4000 tokens at a time, the answer says how to go on',
        },
      },
      required: ['id'],
    },
    annotations: { readOnlyHint: true },
  },
] as const

export type ToolName = (typeof TOOLS)[number]['name']

/** Returns the names of a tool's parameters. */
export function parametersOf(name: ToolName): string[] {
  return Object.keys(TOOLS.find((tool) => tool.name === name)!.inputSchema.properties)
}
