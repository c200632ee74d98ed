import type { Command } from 'commander'
import { Help } from 'commander'

/**
 * The verbs in `cortext --help`: in groups, one verb on a line. The other verbs are mostly called by programs or
 * shells. They share one line below the groups, so that everything fits on one screen.
 */
const OVERVIEW: readonly (readonly [group: string, verbs: Readonly<Record<string, string>>])[] = [
  [
    'Set up',
    {
      init: 'make or update a workspace in this folder',
      doctor: 'what is wrong, and what to do about it',
      demo: 'see it work in a temporary folder',
      uninstall: 'take back what init put in; all talk stays',
    },
  ],
  [
    'Talk and go on',
    {
      start: 'a new conversation in this client session',
      save: 'write down what was said so far',
      stop: 'save and pause a conversation, or complete it',
      resume: 'go on with one: by id, by words, or choose',
    },
  ],
  [
    'Look',
    {
      list: 'conversations, newest first',
      search: 'what was said, by words or a question',
      show: 'one conversation: facts, and what was said',
      view: 'one as a page in your browser',
      why: 'which conversation wrote a file or a line',
      log: 'the files and commits of a conversation',
      context: 'what a resume would give the agent',
    },
  ],
  [
    'Change and share',
    {
      import: "save a client's own sessions",
      export: 'one as a document, or for other programs',
      sync: 'exchange them with your other machines',
      edit: 'title, status, tags; hide it from lists',
      prune: 'move old messages out of the record',
      fork: 'a new one with the talk up to a message',
      redact: 'find and replace secrets saved earlier',
      delete: 'remove one, here and wherever a sync sent it',
    },
  ],
]

const FIRST = [
  ['First:', 'cortext init', 'then, in your AI client: /workspace.brainstorm <topic>'],
  ['Later:', 'cortext resume', 'or /workspace.resume in the client'],
]

/** Returns our own help text for `cortext --help`, and commander's text for the help of a verb. */
export function helpOf(command: Command, helper: Help): string {
  if (command.parent !== null) return Help.prototype.formatHelp.call(helper, command, helper)
  const named = OVERVIEW.flatMap(([, verbs]) => Object.keys(verbs))
  const others = helper
    .visibleCommands(command)
    .map((verb) => verb.name())
    .filter((name) => !named.includes(name) && name !== 'help')
  const options = helper.visibleOptions(command)
  const list = (rows: (readonly [term: string, what: string])[], width: number) =>
    rows.map(([term, what]) => helper.formatItem(term, width, what, helper))
  return [
    helper.boxWrap(
      'Usage: cortext [verb] [options]; without a verb: choose what to open',
      helper.helpWidth ?? 80,
    ),
    ...FIRST.map(([when, line, then]) =>
      helper.boxWrap(`${when} ${line!.padEnd(16)} ${then}`, helper.helpWidth ?? 80),
    ),
    '',
    ...OVERVIEW.flatMap(([group, verbs]) => [`${group}:`, ...list(Object.entries(verbs), WIDEST_VERB)]),
    'Options:',
    ...list(
      options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)]),
      helper.longestOptionTermLength(command, helper),
    ),
    helper.boxWrap(`More verbs: ${others.join(', ')}.`, helper.helpWidth ?? 80),
    helper.boxWrap('More of a verb: cortext <verb> --help; all of it: man cortext', helper.helpWidth ?? 80),
    '',
  ].join('\n')
}

const WIDEST_VERB = 'uninstall'.length
