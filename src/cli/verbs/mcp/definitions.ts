/**
 * The tools as clients list them to their models. Every session of a client pays for these words, so they are few: a
 * test keeps their JSON under 600 tokens (o200k).
 */
export const TOOLS = [
  {
    name: 'search_workspace',
    description:
      'Finds words in the past AI conversations of this project: decisions, reasons, what was tried. Look here before you ask the user again.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', description: 'max conversations' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'get_context',
    description:
      'One past conversation within a token budget: its state, summary and recent messages, or what was said about a question.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'id, or words of the title' },
        budget: { type: 'integer', description: 'tokens' },
        about: { type: 'string', description: 'a question' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list_conversations',
    description: 'Past conversations, newest first.',
    inputSchema: {
      type: 'object',
      properties: {
        type: { type: 'string' },
        status: { enum: ['active', 'paused', 'completed'] },
        limit: { type: 'integer' },
      },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'show_messages',
    description: 'Messages of a conversation word for word, with tool calls and results, by their numbers.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['id'],
    },
    annotations: { readOnlyHint: true },
  },
] as const

export type ToolName = (typeof TOOLS)[number]['name']
