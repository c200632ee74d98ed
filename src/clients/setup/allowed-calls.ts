/**
 * The `cortext` calls that an agent may make without the person being asked, by their first words: nothing that
 * deletes, imports, edits or uninstalls. `stop` only in forms that the program refuses together with `--discard`. Part
 * of the plugin that OpenCode loads: imports nothing.
 */
export const ALLOWED_CALLS: readonly string[] = [
  ...['start', 'save', 'list', 'show', 'search', 'context'],
  ...['stop --summary-stdin', 'stop --complete', 'stop --no-commit'],
  ...['resume --here', 'resume --print', 'resume --list'],
].map((words) => `cortext ${words}`)
