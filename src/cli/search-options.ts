import type { Command } from 'commander'

/** The options of `search`, which a person and an agent have alike. */
export function addSearchOptions(command: Command): Command {
  return command
    .option('--type <type>', 'only conversations of this type')
    .option('--in <client>', 'only those of this client')
    .option('--since <date>', 'only what was said since then')
    .option('--author <name>', 'only what this person typed')
    .option('--role <role>', 'only what user, assistant, tool or system said')
    .option('--file <path>', 'only conversations whose tools touched this file')
    .option('--all', 'archived conversations and subagents too')
    .option('--limit <n>', 'at most so many conversations (default: 10)')
    .option('--json', 'print one JSON document')
}
