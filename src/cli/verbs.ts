import { Argument, type Command, Option } from 'commander'
import type { Environment } from '../io/environment.ts'
import { addAgentVerbs } from './agent-verbs.ts'
import {
  addSearchOptions,
  decides,
  exclusive,
  needs,
  notBeforeVerb,
  onlyWith,
  withoutArgument,
} from './options.ts'
import { addExamples } from './verbs/help/examples.ts'

/** The table of verbs. Every action is a dynamic import, so that a verb loads only what it uses. */
export function addVerbs(program: Command, environment: Environment): void {
  program
    .description(
      'Keeps every conversation with your AI command-line clients in your own git workspace, and resumes it in any of them.',
    )
    .option('-c, --last', 'go on with the conversation that was active last')
    .option('-r, --resume [query...]', 'the same as cortext resume')
    .option('-n, --new', 'start the client without any conversation')
    .addOption(new Option('--in <client>', 'the client to go on in').hideHelp())
    .addOption(new Option('--continue', 'the same as --last').hideHelp())
    .option('--json', 'print one JSON document')
    // The picker runs `cortext --json --not-saved` in a separate process.
    .addOption(new Option('--not-saved', 'with --json: only sessions that are not saved').hideHelp())
    .action(async ({ resume, ...options }) => {
      const last = options.last ?? options.continue
      if (resume === undefined && (last ?? options.new ?? options.in) === undefined)
        return (await import('./verbs/picker.ts')).picker(environment, options)
      const { resumeVerb } = await import('./verbs/resume/index.ts')
      return resumeVerb(environment, Array.isArray(resume) ? resume : [], { ...options, last })
    })
  exclusive(program, 'last', 'resume', 'continue')
  onlyWith(program, 'new', 'in')
  onlyWith(program, 'json', 'notSaved')
  notBeforeVerb(program)

  const init = program
    .command('init [dir]')
    .description('make, complete or update a workspace: commands, hooks, templates')
    .option('--in <client...>', 'clients to set up (default: those on PATH, or all if none is)')
    .option('--shared', 'git tracks the conversations, and a stop commits them')
    .option('--private', 'git does not see the workspace')
    .option('--mcp', 'let the clients look things up here by `cortext mcp`; its tools cost tokens')
    .option('--no-mcp', 'remove the entries that --mcp made')
    .option('--skill', 'add a skill that says how to look things up, for clients that read .agents/skills')
    .option('--add-type <name>', 'register a type of your own, and make its missing files')
    .option('--personal', 'set up the clients in your own settings, for all your workspaces')
    .option('--eject <name>', 'copy a prompt, a template or a type into .workspace/, for you to change')
    .option('--verbose', 'name every file')
    .option('--json', 'print one JSON document')
    .action(async (dir, options) => (await import('./verbs/init/index.ts')).init(environment, dir, options))
  exclusive(init, 'shared', 'private')
  onlyWith(init, 'addType', 'verbose', 'json')
  onlyWith(init, 'eject', 'verbose', 'json')
  onlyWith(init, 'personal', 'in', 'verbose', 'json')
  withoutArgument(init, 'addType')
  withoutArgument(init, 'eject')
  withoutArgument(init, 'personal')
  const uninstall = program
    .command('uninstall [dir]')
    .description('take back all that init put in; conversations stay')
    .option('--personal', 'take back what init --personal put in')
    .option('--verbose', 'name every file')
    .option('--json', 'print one JSON document')
    .action(async (dir, options) =>
      (await import('./verbs/uninstall.ts')).uninstallVerb(environment, dir, options),
    )
  withoutArgument(uninstall, 'personal')

  const start = program
    .command('start <type> [title...]')
    .description('new conversation, bound to the client session that runs this')
    .option('--title-stdin', 'read the title from standard input')
    .option('--from-beginning', 'record the client session from its first message on')
    .option('--json', 'print one JSON document')
    .action(async (type, title, options) =>
      (await import('./verbs/start.ts')).startVerb(environment, type, title, options),
    )
  withoutArgument(start, 'titleStdin')
  program
    .command('save [id]')
    .description('write what was said so far into the conversation')
    .option('--commit', 'commit the conversation too')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/save.ts')).save(environment, id, options))
  const stop = program
    .command('stop [id]')
    .description('save and pause (or complete) a conversation')
    .option('--complete', 'it is finished, not paused')
    .option('--summary <text>', 'where it stopped, in a sentence or two')
    .option('--summary-stdin', 'read the summary from standard input')
    .option('--no-commit', 'do not commit')
    .option('--discard', 'throw away what was not saved yet')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/stop.ts')).stopVerb(environment, id, options))
  exclusive(stop, 'summary', 'summaryStdin')
  onlyWith(stop, 'discard', 'commit', 'json')
  const resume = program
    .command('resume [query...]')
    .description('go on with a conversation, by id, number, path or words; without any, choose')
    .option('--list', 'list all conversations')
    .option('-c, --last', 'the one that was active last')
    .option('-n, --new', 'start the client without any conversation')
    .option('--in <client>', 'the client to resume in')
    .addOption(new Option('--mode <mode>', 'how to resume').choices(['native', 'handoff']))
    .option('--query-stdin', 'read the query from standard input')
    .option('--print', 'print what the agent would be given')
    .option('--dry-run', 'say what would be done')
    .option('--budget <tokens>', 'hand off at most this many tokens')
    .option('--full', 'hand off as much history as the model can take')
    .option('--strategy <name>', 'how a handoff fits the history into the budget')
    .option('--about <words>', 'hand off what was said about a question, then the newest')
    .option('--force', 'resume even a completed conversation')
    .option('--yes', 'do not ask')
    .option('--everywhere', 'choose from all workspaces of this machine; the default outside of a workspace')
    .option('--verbose', 'print the receipt: strategy, tokens, counts of messages')
    .option('--archived', 'with --list: archived ones too')
    .option('--json', 'print one JSON document')
    .action(async (query, options) =>
      options.list
        ? (await import('./verbs/list.ts')).listToResume(environment, options)
        : (await import('./verbs/resume/index.ts')).resumeVerb(environment, query, options),
    )
  onlyWith(resume, 'list', 'archived', 'everywhere', 'json')
  onlyWith(resume, 'new', 'in')
  exclusive(resume, 'print', 'dryRun')
  exclusive(resume, 'last', 'queryStdin')
  exclusive(resume, 'budget', 'full')
  exclusive(resume, 'strategy', 'about')
  needs(resume, ['archived'], 'list')
  needs(resume, ['json'], 'list', 'print', 'dryRun')
  decides(resume, ['budget', 'full', 'strategy', 'about'], 'mode', 'handoff')
  withoutArgument(resume, 'list', 'new', 'last', 'queryStdin')

  const list = program
    .command('list')
    .description('conversations, newest first')
    .option('--type <type>')
    .option('--status <status>')
    .option('--in <client>')
    .option('--since <date>')
    .option('--archived', 'the archived ones')
    .option('--all', 'all, archived and completed ones too')
    .option('--long', 'everything about each, with its whole title and id')
    .option('--everywhere', 'of all workspaces of this machine')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./verbs/list.ts')).list(environment, options))
  exclusive(list, 'archived', 'all')
  program
    .command('stats')
    .description('how many conversations, messages and tokens: by week, type and client')
    .option('--everywhere', 'of all workspaces of this machine')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./verbs/stats/index.ts')).statsVerb(environment, options))
  program
    .command('show [id]')
    .description('a conversation: facts, and with --messages what was said')
    .option('--key <key>', 'the conversation with this key, instead of an id')
    .option('--messages', 'print what was said')
    .option('--at <message>', 'this message and what was said around it, by number or id')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/show.ts')).show(environment, id, options))
  program
    .command('append')
    .description(
      'save one turn of an agent loop of your own: messages on standard input, one JSON object a line',
    )
    .option('--key <key>', 'the name that your program gives to the conversation', 'cli:default')
    .option('--type <type>', 'the type of the conversation, if it is new (default: chat)')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./verbs/append.ts')).append(environment, options))
  const searching = program
    .command('search <words...>')
    .description('find what was said, by words, "quoted words" or a question; best first')
  addSearchOptions(searching)
    .option('--everywhere', 'in all workspaces of this machine')
    .action(async (words, options) =>
      (await import('./verbs/search.ts')).searchVerb(environment, words, options),
    )
  program
    .command('why <file>')
    .description('which conversation wrote a file, or a line of it: src/a.ts:12')
    .option('--json', 'print one JSON document')
    .action(async (file, options) =>
      (await import('./verbs/tracing/why.ts')).whyVerb(environment, file, options),
    )
  const log = program
    .command('log <id>')
    .description('the files that a conversation changed, and the commits that were made in it')
    .addOption(
      new Option('--format <format>', 'as lines, or as a record of Agent Trace 0.1').choices([
        'text',
        'agent-trace',
      ]),
    )
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/tracing/log.ts')).logVerb(environment, id, options))
  exclusive(log, 'format', 'json')

  const context = program
    .command('context [id]')
    .description('exactly what a resume would give the agent, and its receipt; with --key: as messages')
    .option('--key <key>', 'print the conversation with this key, as messages')
    .option('--budget <tokens>', 'at most this many tokens: resume block and history')
    .option('--full', 'as many tokens as the model can take')
    .option('--strategy <name>', 'the strategy to try first')
    .option('--about <words>', 'prefer messages about a question over the newest ones')
    .option('--compare', 'compare what each strategy would keep')
    .option('--model <name>', 'with --key: the model that gets the messages; its window limits them')
    .option('--window <tokens>', 'with --key: the size of the window, instead of a model')
    .option('--system <file>', 'with a model or window: leave room for this system prompt')
    .option('--tools <file>', 'with a model or window: leave room for these tool definitions')
    .option(
      '--summarize-with <client>',
      "let this client's model summarise what does not fit (costs tokens), and keep the summary",
    )
    .option('--json', 'print one JSON document')
    .action(async (id, options) =>
      (await import('./verbs/context/index.ts')).contextVerb(environment, id, options),
    )
  exclusive(context, 'budget', 'full')
  exclusive(context, 'strategy', 'about', 'compare')
  exclusive(context, 'model', 'window')
  onlyWith(context, 'key', 'budget', 'strategy', 'model', 'window', 'system', 'tools', 'json')
  needs(context, ['model', 'window', 'system', 'tools'], 'key')
  needs(context, ['system', 'tools'], 'model', 'window')

  const importing = program
    .command('import [client] [native-id...]')
    .description(
      "save a client's own sessions as conversations, by their ids or files, or all of this folder",
    )
    .option('--all', 'every session of this folder; without a client, those of all clients')
    .option('--automated', 'with --all: also the sessions that no person held, such as headless runs')
    .option('--file <path>', 'a transcript file, or several: --file a --file b, --file *.jsonl', appendValue)
    .option('--into <id>', 'into an existing conversation, or a folder with a document and no session')
    .option('--type <type>', 'as this type (default: chat, or that of the command typed in it)')
    .option('--title <title>', 'under this title')
    .option('--verbose', 'say what became of every byte')
    .option('--json', 'print one JSON document')
    .action(async (client, ids, options) =>
      (await import('./verbs/import.ts')).importVerb(environment, client, ids, options),
    )
  exclusive(importing, 'all', 'file')
  needs(importing, ['automated'], 'all')
  exclusive(importing, 'all', 'title')
  exclusive(importing, 'into', 'type')
  exclusive(importing, 'into', 'title')
  withoutArgument(importing, 'all')
  const exporting = program
    .command('export <id>')
    .description('a conversation, or a part of it, as a document: to read, to share, for other programs')
    .addOption(
      new Option('--format <format>', 'default: markdown').choices([
        'markdown',
        'html',
        'json',
        'atif',
        'hf',
      ]),
    )
    .addOption(new Option('--for <purpose>', 'a short markdown for a pull request').choices(['pr']))
    .option('--from <message>', 'from this message on, by number or id')
    .option('--to <message>', 'up to this message, by number or id')
    .option('--output <file>', 'write the document to this file')
    .option('--paths', 'with whole paths: they name your home folder')
    .option('--json', 'print one JSON document: the export, and what it cannot contain')
    .action(async (id, options) =>
      (await import('./verbs/export/index.ts')).exportVerb(environment, id, options),
    )
  decides(exporting, ['for'], 'format', 'markdown')
  program
    .command('view [query...]')
    .description('read a conversation in your browser: one HTML file that needs no network')
    .option('--all', 'an index of all conversations, and a page for each')
    .option('-o, --output <path>', 'write to this file, or with --all into this folder')
    .option('--no-open', 'only print the path of the page')
    .option('--json', 'print one JSON document, and open nothing')
    .action(async (query, options) =>
      (await import('./verbs/view/index.ts')).viewVerb(environment, query, options),
    )
  const edit = program
    .command('edit [id]')
    .description('change a title, status or tags; hide from lists')
    .option('--key <key>', 'the conversation with this key, instead of an id')
    .option('--clear', 'if it has a key, begin again: the talk so far stays, but no context contains it')
    .option('--title <title>')
    .option('--title-stdin', 'read the title from standard input')
    .option('--type <type>', 'the instructions of this type are given from the next resume on')
    .option('--summary <text>')
    .option('--status <status>')
    .option('--tag <tag...>', 'add tags')
    .option('--untag <tag...>', 'remove tags')
    .option('--archive', 'hide it from lists')
    .option('--unarchive', 'show it in lists again')
    .option('--force', 'allow a change from completed to active')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/edit.ts')).edit(environment, id, options))
  exclusive(edit, 'title', 'titleStdin')
  exclusive(edit, 'archive', 'unarchive')
  needs(edit, ['force'], 'status')
  const prune = program
    .command('prune [id]')
    .description('move old messages into an archive file, word for word; says what would move, and asks')
    .option('--key <key>', 'the conversation with this key, instead of an id')
    .option('--keep <turns>', 'keep this many of the newest turns (default: 10)')
    .option('--before <message>', 'move what comes before this message, by id or number')
    .option('--restore', 'move everything back')
    .option('--yes', 'do not ask')
    .option('--json', 'print one JSON document; without --yes it says what would move')
    .action(async (id, options) => (await import('./verbs/prune.ts')).pruneVerb(environment, id, options))
  exclusive(prune, 'keep', 'before')
  onlyWith(prune, 'restore', 'key', 'yes', 'json')
  program
    .command('fork <id>')
    .description('a new conversation with the talk of this one, up to a message')
    .option('--at <message>', 'the last message to take over, by number or id')
    .option('--title <title>', 'its title')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/fork.ts')).forkVerb(environment, id, options))
  program
    .command('redact <id>')
    .description("the secrets in a saved conversation that today's rules would replace")
    .option('--apply', 'replace them; git history keeps the old text')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/redact.ts')).redactVerb(environment, id, options))
  program
    .command('delete <id>')
    .description('remove a conversation and what this machine has of it')
    .option('--yes', 'do not ask')
    .option('--json', 'print one JSON document')
    .action(async (id, options) => (await import('./verbs/delete.ts')).deleteVerb(environment, id, options))
  program
    .command('doctor')
    .description('what is wrong with clients, hooks, recording or record, and what to do about it')
    .option('--fix', 'bring files up to date, save what was not saved, remove stale locks')
    .option('--json', 'print one JSON document')
    .action(async (options) => (await import('./verbs/doctor.ts')).doctor(environment, options))
  program
    .command('mcp')
    .description('let an AI client look things up here: a server that it starts itself (init --mcp)')
    .action(async () => (await import('./verbs/mcp/index.ts')).mcp(environment))
  addAgentVerbs(program, environment)
  program
    .command('completion')
    .description('a script that lets your shell complete verbs, options, ids and types')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']).argParser((shell) => shell))
    .action(async (shell: string) => (await import('./verbs/completion.ts')).completionVerb(shell))
  program
    .command('merge-session <base> <ours> <theirs>', { hidden: true })
    .description(
      'what git runs to merge two versions of a session.json; the result goes into the second file',
    )
    // Git itself reports the result of a merge, so we print nothing, and the exit code is the answer.
    .action(async (base, ours, theirs) => {
      const { mergeForGit } = await import('../journeys/merging/merge-session.ts')
      if (!mergeForGit({ base, ours, theirs })) process.exitCode = 1
    })
  program
    .command('demo')
    .description('see it work in a throw-away workspace; no client, no network')
    .option('--keep', 'keep the workspace')
    .action(async (options) => (await import('./verbs/demo.ts')).demo(environment, options))
  addExamples(program)
}

/** Collects the values of an option that may be given several times. */
function appendValue(value: string, before: string[] = []): string[] {
  return [...before, value]
}
